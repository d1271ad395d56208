import { describe, expect, it } from 'vitest';
import { toCsv } from '../../../webview/charts/export/csv';
import { SvgContext } from '../../../webview/charts/export/svgContext';

describe('a table as CSV', () => {
  it('holds float32 numbers in the fewest digits that are read back as the same', () => {
    const values = Float32Array.of(0.1, 1 / 3, 1e-30, -2.5);
    const lines = toCsv({ columns: [{ title: 'σ', values }] })
      .trimEnd()
      .split('\r\n');
    expect(lines[0]).toBe('"σ"');
    expect(Float32Array.from(lines.slice(1).map(Number))).toEqual(values);
    expect(lines[1]).toBe('0.100000001');
  });

  it('leaves a cell empty where nothing is known, and names infinity', () => {
    const values = Float64Array.of(NaN, Infinity, -Infinity);
    expect(toCsv({ columns: [{ title: 'x', values }] })).toBe(
      '"x"\r\n\r\nInfinity\r\n-Infinity\r\n',
    );
  });

  it('quotes words, and lets no layer name be a formula', () => {
    const values = ['a,"b"', '=cmd()', '-norm', 'plain'];
    const csv = toCsv({ columns: [{ title: 'layer', values }] });
    expect(csv.trimEnd().split('\r\n').slice(1)).toEqual([
      '"a,""b"""',
      `"'=cmd()"`,
      `"'-norm"`,
      '"plain"',
    ]);
  });

  it('fills short columns up', () => {
    const table = {
      columns: [
        { title: 'a', values: Float64Array.of(1, 2) },
        { title: 'b', values: ['x'] },
      ],
    };
    expect(toCsv(table)).toBe('"a","b"\r\n1,"x"\r\n2,\r\n');
  });
});

const drawing = () =>
  new SvgContext('id', () => {
    throw new Error('Nothing is measured here.');
  });

describe('a drawing as SVG', () => {
  it('writes lines with their colour and opacity apart', () => {
    const context = drawing();
    context.strokeStyle = 'rgb(209 134 22 / 0.5)';
    context.lineWidth = 1.4;
    context.beginPath();
    context.moveTo(0, 1);
    context.lineTo(10.126, 20);
    context.stroke();
    expect(context.svg(20, 30, 't')).toContain(
      '<path d="M0 1L10.13 20" fill="none" stroke="rgb(209,134,22)" stroke-opacity="0.5" stroke-width="1.4"/>',
    );
  });

  it('draws a whole circle', () => {
    const context = drawing();
    context.beginPath();
    context.arc(5, 5, 2, 0, 2 * Math.PI);
    context.fill();
    expect(context.svg(10, 10, 't')).toContain('d="M7 5A2 2 0 0 1 3 5A2 2 0 0 1 7 5"');
  });

  it('keeps text as text, whatever a layer is called', () => {
    const context = drawing();
    context.font = '600 13px "Segoe UI", sans-serif';
    context.fillText('<script>&"', 1, 2);
    const svg = context.svg(10, 10, '</title><script>');
    expect(svg).toContain('&lt;script&gt;&amp;&quot;</text>');
    expect(svg).toContain('font-size="13"');
    expect(svg).toContain('font-weight="600"');
    expect(svg).toContain('<title>&lt;/title&gt;&lt;script&gt;</title>');
    expect(svg).not.toContain('<script');
  });

  it('closes what it opened: a clip and a shift hold until they are restored', () => {
    const context = drawing();
    context.save();
    context.translate(3, 4);
    context.beginPath();
    context.rect(0, 0, 1, 1);
    context.clip();
    context.fillStyle = '#abc';
    context.restore();
    context.fillRect(0, 0, 1, 1);
    const svg = context.svg(10, 10, 't');
    expect(svg.match(/<g/g)).toHaveLength(2);
    expect(svg.match(/<\/g>/g)).toHaveLength(2);
    expect(svg.indexOf('</g></g><rect')).toBeGreaterThan(0);
    expect(svg).toContain('fill="#000"');
  });

  it('holds no style attribute, which the panel may not set', () => {
    const context = drawing();
    context.fillText('x', 0, 0);
    context.strokeRect(0, 0, 2, 2);
    expect(context.svg(10, 10, 't')).not.toMatch(/ style=/);
  });
});
