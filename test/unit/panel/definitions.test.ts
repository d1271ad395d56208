import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFINITIONS } from '../../../extension/protocol/definitions';
import { headingLine, headings } from '../../../extension/views/panel/headings';

const page = readFileSync(
  path.resolve(import.meta.dirname, '../../../media/definitions.md'),
  'utf8',
);

describe('the page of definitions', () => {
  it('has a section for everything that a chart refers to', () => {
    const anchors = headings(page);
    expect(DEFINITIONS.filter((id) => !anchors.has(id))).toEqual([]);
  });

  it('has no section that nothing refers to', () => {
    const known = new Set<string>([...DEFINITIONS, 'definitions']);
    expect([...headings(page).keys()].filter((anchor) => !known.has(anchor))).toEqual([]);
  });
});

describe('a heading', () => {
  it('is found by the anchor that the preview gives it', () => {
    const markdown = '# One\n\ntext\n\n## Layer norm theorem (1911.07013)\n';
    expect(headingLine(markdown, 'layer-norm-theorem-191107013')).toBe(4);
  });

  it('that is not there leads to the top', () => {
    expect(headingLine('# One\n', 'two')).toBe(0);
  });
});
