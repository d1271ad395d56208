import { describe, expect, it, vi } from 'vitest';
import { EditorModel } from '../../../extension/core/editor/editorModel';
import { RunStore } from '../../../extension/core/runStore/runStore';
import type { Run } from '../../../extension/core/runStore/run';
import { annotationText } from '../../../extension/editor/annotationText';
import { hoverText } from '../../../extension/editor/hoverText';
import { commandLink, findTarget, targetOf } from '../../../extension/editor/layerTarget';
import { alertStrings } from '../../../extension/views/alertStrings';
import { TREE_FIGURES, treeFigure } from '../../../extension/views/layers/treeFigures';
import { statusLines, statusText } from '../../../extension/views/status/statusText';
import { judgedRun, type RunPlan } from '../rules/judgedRun';

vi.mock('vscode', () => ({
  l10n: {
    t: (message: string, ...values: unknown[]) =>
      message.replace(/\{(\d)\}/g, (place, at) => String(values[Number(at)] ?? place)),
  },
}));

function shown(plan: RunPlan = {}): { model: EditorModel; run: Run } {
  const store = new RunStore();
  const run = judgedRun({ store, steps: 15, ...plan });
  const model = new EditorModel(store, alertStrings(), (error) => {
    throw error;
  });
  model.dispose();
  return { model, run };
}

const EVIL = '[go](command:workbench.action.quit) ![p](https://x.org/p.png) | $(bug)';
const deadFeature: RunPlan['plant'] = (layer, place) => {
  if (place === 1) layer.pre.forEach((row) => (row[2] = 0.5));
};

describe('the hover', () => {
  it('shows before and after, drift with its floor and the trend of one layer', () => {
    const { model, run } = shown();
    const text = hoverText(model, { run, layers: run.layers().slice(0, 1), changed: false });
    expect(text).toMatch(/\| (&nbsp;)+before \| (&nbsp;)+after \|/);
    expect(text).toMatch(/\| σ \| (&nbsp;)+[\d.]+ \| (&nbsp;)+[\d.]+ \|/);
    // 16 samples against 16.
    expect(text).toMatch(/Drift of the input: [\d.]+ \(floor 0\.35\)/);
    expect(text).toMatch(/`[▁-█·]{14,15}` drift: [\d.]+ to [\d.]+ over steps 0 to 14, between/);
    expect(text).toContain('step 14');
    expect(text).not.toContain('has changed');
  });

  it('names the step that drift is measured against, as the annotation and the tree do', () => {
    const { model, run } = shown();
    run.chooseReference(9);
    const layers = run.layers().slice(0, 1);
    const text = hoverText(model, { run, layers, changed: false });
    expect(text).toMatch(/Drift of the input: [\d.]+ from step 9 \(floor 0\.35\)/);
    expect(text).toMatch(/`[▁-█·]{14,15}` drift from step 9: [\d.]+ to [\d.]+ over steps 0 to 14/);
    expect(annotationText(model, run, layers, [])).toMatch(
      /drift from step 9 [\d.]+ \(floor 0\.35\)/,
    );
    const [track] = layers;
    expect(track && treeFigure(run, track, 'drift')).toMatch(
      /^[\d.]+ from step 9 \(floor 0\.35\)$/,
    );
  });

  it('says what a rule found and what to do, and that the file has changed', () => {
    const { model, run } = shown({ plant: deadFeature });
    const text = hoverText(model, { run, layers: run.layers(), changed: true });
    expect(text).toContain('**3 norm layers**');
    expect(text).toMatch(/Constant features of the input\\: 1/);
    expect(text).toContain('Look at the layer before');
    expect(text).toContain(commandLink('normscope.showDefinition', 'dead-features'));
    expect(text).toContain('The file has changed since this run.');
    // The layer that a rule speaks of comes first.
    expect(text.indexOf('blocks\\.0\\.norm2')).toBeLessThan(text.indexOf('blocks\\.0\\.norm1'));
  });

  it("makes no link, picture, icon or cell of a process's words", () => {
    const { model, run } = shown({
      describe: (info) => ({
        ...info,
        name: EVIL,
        className: EVIL,
        status: [{ code: 'eval', reason: EVIL }],
      }),
      plant: deadFeature,
    });
    for (const layers of [run.layers(), run.layers().slice(1, 2)]) {
      const text = hoverText(model, { run, layers, changed: false });
      const links = [...text.matchAll(/(?<!\\)\]\(([^)?]*)/g)].map(([, target]) => target);
      expect(new Set(links)).toEqual(
        new Set(['command:normscope.showInPanel', 'command:normscope.showDefinition']),
      );
      expect(text).not.toMatch(/(?<!\\)!\[|(?<!\\)\$\(bug/);
      for (const line of text.split('\n').filter((one) => one.startsWith('| '))) {
        expect(line.match(/(?<!\\)\|/g)).toHaveLength(layers.length > 1 ? 5 : 4);
      }
    }
  });
});

describe('the annotation', () => {
  it('says of how many layers it is, and the median of their figures', () => {
    const { model, run } = shown({
      plant: ({ pre }, place) =>
        pre.forEach((row, i) => row.forEach((_, j) => (row[j] = (place + 1) * (i % 2 ? 1 : -1)))),
    });
    expect(annotationText(model, run, run.layers(), [])).toMatch(
      /^3 layers · σ 2\.00→[\d.]+ · drift 0 \(floor 0\.35\)$/,
    );
    expect(annotationText(model, run, run.layers().slice(2), [])).toMatch(/^σ 3\.00→/);
  });

  it('names the worst of what the rules found', () => {
    const { model, run } = shown({ plant: deadFeature });
    const alerts = model.activeAlerts(run);
    expect(annotationText(model, run, run.layers(), alerts)).toMatch(/ · Dead features$/);
  });

  it('still names an alert where not a value of the layer is finite', () => {
    const { model, run } = shown({
      plant: ({ pre }) => pre.forEach((row) => row.fill(Number.NaN)),
    });
    const alerts = model.activeAlerts(run).filter(({ rule }) => rule === 'nonfinite');
    expect(annotationText(model, run, run.layers(), alerts)).toBe(
      '3 layers · NaN or infinite values',
    );
  });

  it('is nothing before the first step', () => {
    const { model, run } = shown({ steps: 0 });
    expect(annotationText(model, run, run.layers(), [])).toBeUndefined();
  });
});

describe('the figure beside a layer of the tree', () => {
  it('is known for every choice, and never not a number', () => {
    const { run } = shown();
    for (const figure of TREE_FIGURES) {
      for (const track of run.layers()) {
        expect(treeFigure(run, track, figure)).not.toMatch(/NaN|undefined/);
      }
    }
    const [batch, layer] = run.layers();
    expect(batch && treeFigure(run, batch, 'evalShift')).toMatch(/^[\d.]+ σ$/);
    expect(layer && treeFigure(run, layer, 'nonFinite')).toBe('0');
  });
});

describe('the status bar', () => {
  it('says how capture stands', () => {
    const { run } = shown();
    expect(statusText({ enabled: true, run: undefined, alerts: 0 })).toBe('$(pulse) Norms: on');
    expect(statusText({ enabled: false, run: undefined, alerts: 0 })).toBe(
      '$(circle-slash) Norms: off',
    );
    run.phase = 'running';
    expect(statusText({ enabled: true, run, alerts: 2 })).toBe(
      '$(pulse) Norms: running · 0.8 % $(warning) 2',
    );
    run.phase = 'ended';
    expect(statusText({ enabled: true, run, alerts: 2, worst: 'error' })).toContain('$(error) 2');
    expect(statusText({ enabled: true, run, alerts: 0 })).toBe('$(check) Norms: ended');
    expect(statusLines({ enabled: true, run, alerts: 0 })).toContain('Norm layers: 3');
  });
});

describe("a command's layers", () => {
  it('are found by what a link says, and by nothing else', () => {
    const { model, run } = shown();
    const layers = run.layers().slice(1);
    expect(findTarget(model, targetOf(run, layers))?.layers).toEqual(layers);
    const wrong = [undefined, 'x', { run: 1 }, { run: run.origin.id, layers: [77, 'a', null] }];
    for (const argument of wrong) expect(findTarget(model, argument)).toBeUndefined();
  });
});
