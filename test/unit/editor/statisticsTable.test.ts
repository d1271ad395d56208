import { describe, expect, it, vi } from 'vitest';
import { EditorModel } from '../../../extension/core/editor/editorModel';
import { RunStore } from '../../../extension/core/runStore/runStore';
import { statisticsTable } from '../../../extension/editor/statisticsTable';
import { layerId } from '../../../extension/protocol/ids';
import { alertStrings } from '../../../extension/views/alertStrings';
import { BATCH, judgedRun, LAYER, RMS, type LayerStep, type RunPlan } from '../rules/judgedRun';

vi.mock('vscode', () => ({
  l10n: {
    t: (message: string, ...values: unknown[]) =>
      message.replace(/\{(\d)\}/g, (place, at) => String(values[Number(at)] ?? place)),
  },
}));

function tableOf(plan: RunPlan, layer = LAYER): string | undefined {
  const store = new RunStore();
  const run = judgedRun({ store, steps: 15, ...plan });
  const model = new EditorModel(store, alertStrings(), (error) => {
    throw error;
  });
  model.dispose();
  const track = run.layer(layerId(layer));
  return track && statisticsTable(model, run, track);
}

/** Cells of the row of a tap. */
const cells = (table: string | undefined, tap: string): readonly string[] =>
  (table ?? '')
    .split('\n')
    .find((line) => line.startsWith(`| ${tap} |`))
    ?.split('|')
    .slice(1, -1)
    .map((cell) => cell.trim()) ?? [];

describe('the statistics of a layer as a table', () => {
  it('are those of all taps at the newest step', () => {
    let last: LayerStep | undefined;
    const table = tableOf({
      plant: (layer, at) => {
        if (at === LAYER) last = layer;
      },
    });
    const pre = last?.pre.flat() ?? [];
    const mean = pre.reduce((sum, value) => sum + value, 0) / pre.length;
    const sigma = Math.sqrt(pre.reduce((sum, x) => sum + (x - mean) ** 2, 0) / pre.length);
    const row = cells(table, 'input');
    expect(row[1]).toBe(String(pre.length));
    const expected = [mean, sigma, Math.min(...pre), Math.max(...pre), Math.hypot(...pre)];
    expected.forEach((value, i) => expect(Number(row[2 + i])).toBeCloseTo(value, 3));
    expect(row.slice(7, 11)).toEqual(['0', '0', '0', '0']);
    // Sampling alone moves the mean of 16 samples against 16 others by √(2/16) deviations.
    expect(Number(row[12])).toBeCloseTo(Math.sqrt(2 / 16), 4);
    const gradient = last?.gradPost.flat() ?? [];
    expect(Number(cells(table, 'dL/dy')[6])).toBeCloseTo(Math.hypot(...gradient), 4);
    // Gradients have no drift.
    expect(cells(table, 'dL/dy').slice(11)).toEqual(['–', '–']);
    for (const tap of ['input', 'output', 'dL/dy', 'dL/dx']) {
      expect(cells(table, tap)).toHaveLength(13);
    }
    expect(table).toContain('at step 14 of `transformer.py`');
    expect(table).toMatch(/‖dL\/dx‖ \/ ‖dL\/dy‖: \d/);
  });

  it('count what is not finite and what is constant, and say what a rule found', () => {
    const table = tableOf({
      plant: (layer, at) => {
        if (at !== LAYER) return;
        layer.pre.forEach((row) => (row[2] = 0.5));
        (layer.pre[0] ?? [])[4] = Number.NaN;
        (layer.pre[1] ?? [])[4] = -Infinity;
      },
    });
    expect(cells(table, 'input').slice(7, 11)).toEqual(['1', '0', '1', '1']);
    expect(table).toMatch(/^- NaN or infinite values: /m);
  });

  it("make no markup of a process's words", () => {
    const table = tableOf({ describe: (info) => ({ ...info, name: 'a`b|c\nd', className: '`' }) });
    const [title] = (table ?? '').split('\n');
    expect(title).toBe("`a'b¦c d` (`'`) at step 14 of `transformer.py`");
  });

  it('make no link or picture of the name of another layer that a rule speaks of', () => {
    const plan: RunPlan = {
      steps: 90,
      describe: (info) => ({ ...info, name: '![x](https://example.org/y) <b>' }),
      plant: ({ gradPost }, at) => {
        gradPost.forEach((row) => row.forEach((x, i) => (row[i] = x * 60 ** (at - RMS))));
      },
    };
    const said = (tableOf(plan, BATCH) ?? '').split('\n').filter((line) => line.startsWith('- '));
    expect(said.join('\n')).toContain('example.org');
    for (const line of said) expect(line).not.toMatch(/(?<!\\)[[\]<>]/);
  });

  it('are none before the first step', () => {
    expect(tableOf({ steps: 0 })).toBeUndefined();
  });
});
