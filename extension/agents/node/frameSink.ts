import type {
  AgentEvent,
  AgentQuestion,
  Bye,
  Deep,
  Hello,
  Layout,
  Step,
} from '../../protocol/frames';
import type { Tensors } from '../../protocol/safetensors';
import type { LayerRecord } from './layerRecord';
import { makeLayout } from './layout';
import { packStep } from './packing';
import type { StepRecorder } from './stepRecorder';
import type { Transport } from './transport';

export type StepFigures = Omit<Step, 'kind' | 'layoutId' | 'step' | 'time'>;

/** Turns what was captured into frames. Opens the connection when there is something to say. */
export class FrameSink {
  private transport: Transport | undefined;
  private opened = false;
  private ended = false;
  private startedAt = 0;
  private sentLayout: Layout | undefined;
  private layouts = 0;
  private readonly told = new Set<AgentEvent['event']>();

  constructor(
    private readonly connect: () => Transport | undefined,
    private readonly hello: () => Hello,
  ) {}

  /** Connects and introduces the process, once. */
  open(): void {
    if (this.opened) return;
    this.opened = true;
    const hello = this.hello();
    this.startedAt = hello.startedAt;
    this.transport = this.connect();
    this.transport?.send(hello);
  }

  get isOpen(): boolean {
    return this.transport !== undefined;
  }

  get congested(): boolean {
    return this.transport?.congested ?? false;
  }

  get drained(): boolean {
    return this.transport?.drained ?? true;
  }

  pump(): void {
    this.transport?.pump();
  }

  flushSync(limitMs: number): void {
    this.transport?.flushSync(limitMs);
  }

  /** Says something to the person; each kind of event is said once. */
  tell(event: AgentEvent['event'], message: string): void {
    if (this.told.has(event)) return;
    this.told.add(event);
    this.open();
    this.transport?.send({ kind: 'event', event, message });
  }

  /** Sends the layout if something in it is new, and returns the one that holds. */
  layout(records: readonly LayerRecord[]): Layout {
    const current = this.sentLayout;
    const same = current?.layers.length === records.length;
    if (current && same && !records.some((record) => record.changed)) return current;
    const layout = makeLayout(this.layouts, records);
    this.layouts += 1;
    for (const record of records) record.changed = false;
    this.sentLayout = layout;
    this.transport?.send(layout);
    return layout;
  }

  step(records: readonly LayerRecord[], recorder: StepRecorder, figures: StepFigures): void {
    const layout = this.layout(records);
    const { layoutId } = layout;
    const tensors = packStep(layout, recorder.lookup(), recorder.parameters.lookup());
    const time = Date.now() - this.startedAt;
    const step: Step = { kind: 'step', layoutId, step: recorder.step, time, ...figures };
    this.transport?.send(step, tensors);
  }

  deep(frame: Deep, tensors: Tensors): void {
    this.transport?.send(frame, tensors);
  }

  question(question: AgentQuestion): void {
    this.transport?.send(question);
  }

  /** The last stop that was ordered has been, or will not be. */
  stopOver(): void {
    this.transport?.send({ kind: 'stop-over' });
  }

  /** See {@link Transport.canWait}. */
  get canWait(): boolean {
    return this.transport?.canWait ?? false;
  }

  /** See {@link Transport.wait}. */
  wait(done: () => boolean, limitMs: number): void {
    this.transport?.wait(done, limitMs);
  }

  /** Last frame of the run. */
  end(bye: Bye): void {
    if (this.ended) return;
    this.ended = true;
    this.transport?.send(bye);
  }
}
