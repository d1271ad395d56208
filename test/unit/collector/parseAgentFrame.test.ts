import { describe, expect, it } from 'vitest';
import { AgentFrameParser } from '../../../extension/core/collector/parseAgentFrame';
import type { Step } from '../../../extension/protocol/frames';
import { layerId } from '../../../extension/protocol/ids';
import { MAX_SAMPLES, MAX_TEXT } from '../../../extension/protocol/limits';
import { MalformedBlob, type Blob, type Tensors } from '../../../extension/protocol/safetensors';
import { stepBody, syntheticRun } from '../../fixtures/syntheticRun';

const run = syntheticRun({ layers: 2, steps: 1, samples: 3, features: 4 });
const first: { readonly step: Step; readonly tensors: Tensors } = run.steps[0] ?? {
  step: stepBody(0),
  tensors: {},
};

const blobOf = (body: { readonly kind: string }, tensors: Tensors = {}): Blob => ({
  kind: body.kind,
  body,
  tensors,
});

function parserAfter(...blobs: readonly Blob[]): AgentFrameParser {
  const parser = new AgentFrameParser();
  for (const blob of blobs) parser.parse(blob);
  return parser;
}

const greeted = () => parserAfter(blobOf(run.hello));
const ready = () => parserAfter(blobOf(run.hello), blobOf(run.layout));

describe('AgentFrameParser', () => {
  it('takes a run in its order', () => {
    const parser = greeted();
    expect(parser.parse(blobOf(run.layout))).toMatchObject(run.layout);
    expect(parser.parse(blobOf(first.step, first.tensors))).toMatchObject(first.step);
    expect(parser.parse(blobOf(run.bye))).toEqual(run.bye);
  });

  it('skips kinds, statistics, taps and status codes it does not know', () => {
    const parser = greeted();
    expect(parser.parse(blobOf({ kind: 'deeper' }))).toBeUndefined();
    const [slot] = run.layout.slots;
    const [layer] = run.layout.layers;
    const layout = {
      ...run.layout,
      layers: [{ ...layer, family: 'spectral', status: [{ code: 'new', reason: 'x' }] }],
      slots: [slot, { ...slot, statistic: 'median' }, { ...slot, tap: 'middle' }],
      parameters: [],
      histograms: [],
    };
    const parsed = parser.parse(blobOf(layout));
    expect(parsed).toMatchObject({ slots: [slot], layers: [{ family: 'other', status: [] }] });
  });

  it('cuts long texts and reads what is missing and optional as null', () => {
    const parser = greeted();
    const long = 'a'.repeat(2 * MAX_TEXT);
    expect(parser.parse(blobOf({ kind: 'log', level: 'warning', message: long } as never))).toEqual(
      {
        kind: 'log',
        level: 'warning',
        message: 'a'.repeat(MAX_TEXT),
      },
    );
    const [layer] = run.layout.layers;
    const rest = { ...layer, eps: undefined, constructedAt: undefined };
    const parsed = parser.parse(
      blobOf({ ...run.layout, layers: [rest], slots: [], parameters: [], histograms: [] } as never),
    );
    expect(parsed).toMatchObject({ layers: [{ eps: null, constructedAt: null }] });
  });

  it('strips texts of what is not seen and of line breaks', () => {
    const parser = greeted();
    const message = 'loss\u001b[31m is\r\nNaN\u0000 in \u202etxt.exe\u2066\u009b\u2028x\u007f';
    expect(parser.parse(blobOf({ kind: 'event', event: 'hook-failed', message } as never))).toEqual(
      { kind: 'event', event: 'hook-failed', message: 'loss[31m is NaN in txt.exe x' },
    );
    const layers = [{ ...run.layout.layers[0], name: 'größe.层\u0007' }];
    const layout = { ...run.layout, layers, slots: [], parameters: [], histograms: [] };
    expect(parser.parse(blobOf(layout))).toMatchObject({ layers: [{ name: 'größe.层' }] });
  });

  it('tells two versions of the protocol apart in a sentence', () => {
    expect(() =>
      new AgentFrameParser().parse(blobOf({ ...run.hello, protocol: 1 } as never)),
    ).toThrow(/version 1 .* version 2/);
  });

  it.each([
    ['before hello', () => new AgentFrameParser(), run.layout, {}],
    ['a second hello', greeted, run.hello, {}],
    ['a body that is a list', greeted, [] as never, {}],
    [
      'a layer id below 0',
      greeted,
      { ...run.layout, layers: [{ ...run.layout.layers[0], id: -1 }] },
      {},
    ],
    [
      'two layers of one id',
      greeted,
      { ...run.layout, layers: [run.layout.layers[0], run.layout.layers[0]] },
      {},
    ],
    [
      'a line that is not whole',
      greeted,
      { ...run.layout, layers: [{ ...run.layout.layers[0], calledAt: { file: 'a', line: 1.5 } }] },
      {},
    ],
    ['a slot beyond the block', greeted, { ...run.layout, blockLength: 3 }, {}],
    [
      'a slot of no layer',
      greeted,
      { ...run.layout, slots: [{ ...run.layout.slots[0], layer: layerId(9) }] },
      {},
    ],
    [
      'a counts slot that is short',
      greeted,
      { ...run.layout, slots: [{ ...run.layout.slots[0], length: 3 }] },
      {},
    ],
    [
      'a feature slot longer than the features',
      greeted,
      { ...run.layout, layers: run.layout.layers.map((layer) => ({ ...layer, features: 3 })) },
      {},
    ],
    [
      'a sample slot above the limit',
      greeted,
      {
        ...run.layout,
        slots: [
          { layer: 0, tap: 'pre', statistic: 'sampleMean', offset: 0, length: MAX_SAMPLES + 1 },
        ],
        blockLength: 2 * MAX_SAMPLES,
      },
      {},
    ],
    [
      'two slots of one statistic',
      greeted,
      { ...run.layout, slots: [run.layout.slots[0], run.layout.slots[0]] },
      {},
    ],
    [
      'slots that hold more than the block because they overlap',
      greeted,
      {
        ...run.layout,
        slots: run.layout.slots.map((slot) => ({ ...slot, offset: 0 })),
        blockLength: 8,
      },
      {},
    ],
    ['a block above the limit', greeted, { ...run.layout, blockLength: 2 ** 30 }, {}],
    [
      'five thousand layers',
      greeted,
      { ...run.layout, layers: Array.from({ length: 5000 }, () => ({})) },
      {},
    ],
    ['a step before its layout', greeted, first.step, first.tensors],
    ['a step of another layout', ready, { ...first.step, layoutId: 5 }, first.tensors],
    ['a step number below 0', ready, { ...first.step, step: -1 }, first.tensors],
    ['a step number as text', ready, { ...first.step, step: '1' }, first.tensors],
    ['a histogram stride of 0', ready, { ...first.step, histogramStride: 0 }, first.tensors],
    ['a step without tensors', ready, first.step, {}],
    [
      'a block of another dtype',
      ready,
      first.step,
      { ...first.tensors, block: new Float64Array(run.layout.blockLength) },
    ],
    ['a block that is short', ready, first.step, { ...first.tensors, block: new Float32Array(3) }],
    ['bins without counts', ready, first.step, { ...first.tensors, counts: new Uint32Array(0) }],
    [
      'a bin above 4095',
      ready,
      first.step,
      { ...first.tensors, bins: new Uint16Array(first.tensors.bins?.length ?? 0).fill(4096) },
    ],
    [
      'splits backwards',
      ready,
      first.step,
      { ...first.tensors, splits: Uint32Array.from(first.tensors.splits ?? []).reverse() },
    ],
    [
      'splits beyond the bins',
      ready,
      first.step,
      { ...first.tensors, splits: new Uint32Array(9).fill(2 ** 31) },
    ],
    ['too few splits', ready, first.step, { ...first.tensors, splits: new Uint32Array(2) }],
    ['a bye without counts', ready, { kind: 'bye' }, {}],
  ])('refuses %s', (_, parser, body, tensors) => {
    const blob = { ...blobOf(body as { kind: string }, tensors as Tensors) };
    const kind = blob.kind ?? 'hello';
    expect(() => parser().parse({ ...blob, kind })).toThrow(MalformedBlob);
  });

  it('keeps reading steps of the layout before the newest, and forgets very old ones', () => {
    const parser = ready();
    for (let id = 1; id <= 8; id++) {
      const layers = run.layout.layers.slice(0, 1);
      const slots = run.layout.slots.filter((slot) => slot.layer === 0);
      parser.parse(
        blobOf({
          ...run.layout,
          layoutId: id,
          layers,
          slots,
          parameters: [],
          histograms: [],
        } as never),
      );
      if (id === 1) expect(parser.parse(blobOf(first.step, first.tensors))).toBeDefined();
    }
    expect(() => parser.parse(blobOf(first.step, first.tensors))).toThrow(/layout 0/);
  });

  it('refuses a program that announces ever new layers', () => {
    const parser = greeted();
    const [layer] = run.layout.layers;
    const layoutFrom = (start: number) =>
      blobOf({
        ...run.layout,
        layers: Array.from({ length: 2000 }, (_, i) => ({ ...layer, id: layerId(start + i) })),
        slots: [],
        parameters: [],
        histograms: [],
      } as never);
    parser.parse(layoutFrom(0));
    parser.parse(layoutFrom(0));
    parser.parse(layoutFrom(2000));
    expect(() => parser.parse(layoutFrom(4000))).toThrow(/more than 4096 layers/);
  });
});
