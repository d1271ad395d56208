import { describe, expect, it, vi } from 'vitest';
import { encodeBlob } from '../../../extension/protocol/safetensors';
import { processOf } from '../../../extension/debug/nodeTracker';
import { sendFrames, until } from '../../fixtures/agentSocket';
import { nonFiniteQuestion } from '../../fixtures/nonFiniteQuestion';
import { framesOf, syntheticRun } from '../../fixtures/syntheticRun';
import { useHub } from '../captureHub/hubBench';

vi.mock('vscode', () => ({ l10n: { t: (message: string) => message } }));

const run = syntheticRun({ layers: 2, steps: 2 });
const [first = '', second = ''] = run.layout.layers.map(({ name }) => name);
const [ONE, OTHER, UNKNOWN] = [4711, 4712, 4713];

describe('a stop at a tensor breakpoint', () => {
  const bench = useHub();

  /** A process of a session that is about to stop at a layer. */
  async function stopping(
    session: ReturnType<typeof bench.open>,
    pid: number,
    name: string,
    step: number,
  ) {
    const socket = await bench.agent(session);
    let answers = 0;
    const frames = framesOf({ ...run, hello: { ...run.hello, pid } }, false);
    await sendFrames(socket, frames);
    await until(
      () => bench.hub.store.runs().some((one) => one.pid === pid && one.layers === 2),
      'the layout came',
    );
    socket.on('data', (chunk) => (answers += String(chunk).includes('"verdict"') ? 1 : 0));
    await sendFrames(socket, [nonFiniteQuestion({ name, layer: name === first ? 0 : 1, step })]);
    await until(() => answers > 0, 'it is answered');
    return socket;
  }

  it('has the words of its own process, whichever of two stops first', async () => {
    bench.hub.setLayerBreakpoints([first, second]);
    const session = bench.open();
    await stopping(session, ONE, first, 3);
    await stopping(session, OTHER, second, 4);
    expect(session.takeTensorStop(OTHER, true)).toMatchObject({ name: second, step: 4 });
    expect(session.takeTensorStop(OTHER, true)).toBeUndefined();
    expect(session.takeTensorStop(ONE, true)).toMatchObject({ name: first, step: 3 });
  });

  it('has none of another process, known or not', async () => {
    bench.hub.setLayerBreakpoints([first]);
    const session = bench.open();
    await stopping(session, ONE, first, 3);
    expect(session.takeTensorStop(UNKNOWN, true)).toBeUndefined();
    const other = await bench.agent(session);
    await sendFrames(other, framesOf({ ...run, hello: { ...run.hello, pid: OTHER } }, false));
    await until(() => bench.hub.store.runs().some(({ pid }) => pid === OTHER), 'it has connected');
    expect(session.takeTensorStop(null, true)).toBeUndefined();
    expect(session.takeTensorStop(null)).toBeUndefined();
    expect(session.takeTensorStop(ONE, true)).toMatchObject({ name: first });
  });

  it('leaves no words behind once it is over, though it found no place', async () => {
    bench.hub.setLayerBreakpoints([first]);
    const session = bench.open();
    const socket = await stopping(session, ONE, first, 3);
    const log = encodeBlob({ kind: 'log', level: 'error', message: 'went on' });
    await sendFrames(socket, [encodeBlob({ kind: 'stop-over' }), log]);
    await until(() => bench.log.some((line) => line.includes('went on')), 'it was read');
    expect(session.takeTensorStop(ONE, true)).toBeUndefined();
  });
});

describe('the process of a Node session', () => {
  it.each([
    ['train.js [4711]', 4711],
    ['[12]', 12],
    ['train.js [4711] [worker]', null],
    ['Launch Program', null],
    ['', null],
  ])('of the name %j is %j', (name, pid) => {
    expect(processOf(name)).toBe(pid);
  });
});
