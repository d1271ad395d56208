import { AgentFrameParser } from '../../../extension/core/collector/parseAgentFrame';
import type { Run } from '../../../extension/core/runStore/run';
import type { RunStore } from '../../../extension/core/runStore/runStore';
import { decodeBlob, encodeBlob } from '../../../extension/protocol/safetensors';
import { stepBody, syntheticRun } from '../../fixtures/syntheticRun';

/** Steps with values of their own; they come round again and again. */
const PATTERNS = 8;
/** Stand in a frame's header where numbers are written, with spaces before them. */
const STEP = 1_234_567;
const TIME = 7_654_321;
const WIDTH = String(STEP).length;

/** A frame of which only the step's number and time change from one use to the next. */
interface Pattern {
  readonly bytes: Uint8Array;
  readonly stepAt: number;
  readonly timeAt: number;
}

function patternOf(bytes: Uint8Array): Pattern {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const placeOf = (value: number) => {
    const at = buffer.indexOf(String(value));
    if (at < 0) throw new Error('A frame lacks its step or its time.');
    return at;
  };
  return { bytes, stepAt: placeOf(STEP), timeAt: placeOf(TIME) };
}

const written = (value: number) => Buffer.from(String(value).padStart(WIDTH), 'ascii');

interface LongRunOptions {
  readonly id: string;
  readonly layers: number;
  readonly stepsPerSecond: number;
  /** Of every layer; small unless given. */
  readonly samples?: number;
  readonly features?: number;
}

const SAMPLES = 8;
const FEATURES = 16;

/** A run as long as it is wanted, of frames as an agent sends them, at hardly any cost of its own. */
export class LongRun {
  readonly run: Run;
  private readonly parser = new AgentFrameParser();
  private readonly patterns: readonly Pattern[];
  private steps = 0;

  constructor(
    private readonly store: RunStore,
    private readonly options: LongRunOptions,
  ) {
    const { id, layers, features = FEATURES, samples = SAMPLES } = options;
    const shape = { layers, features, samples };
    const { hello, layout, steps } = syntheticRun({ ...shape, steps: PATTERNS });
    const { program, startedAt } = hello;
    this.run = store.create({ id, program, sessionType: 'normscope', startedAt });
    for (const frame of [hello, layout]) this.accept(encodeBlob(frame));
    store.update(this.run, { phase: 'running' });
    this.patterns = steps.map(({ step: { loss }, tensors }) =>
      patternOf(encodeBlob(stepBody(STEP, { loss, time: TIME }), tensors)),
    );
  }

  /** The next step, as if it had just been read from the socket. */
  step(): void {
    const pattern = this.patterns[this.steps % PATTERNS];
    if (!pattern) return;
    // The store keeps what it is given: every frame needs memory of its own.
    const bytes = pattern.bytes.slice();
    bytes.set(written(this.steps), pattern.stepAt);
    const time = (1_000 * this.steps) / this.options.stepsPerSecond;
    bytes.set(written(Math.round(time)), pattern.timeAt);
    this.steps++;
    this.accept(bytes);
  }

  private accept(bytes: Uint8Array): void {
    const frame = this.parser.parse(decodeBlob(bytes));
    if (frame) this.store.accept(this.run, frame);
  }
}
