import type { Alert } from '../../protocol/alerts';
import type { Bye, Hello } from '../../protocol/frames';
import type { LayerId, RunId } from '../../protocol/ids';
import type { LayerInfo } from '../../protocol/layers';
import type { RuleSettings } from '../../protocol/ruleSettings';
import type { Reference, RunPhase, RunSummary } from '../../protocol/views';
import { fileNameOf } from '../fileNameOf';
import type {
  ReceivedDeep,
  ReceivedFrame,
  ReceivedLayout,
  ReceivedStep,
} from '../frames/receivedFrame';
import { RunRules } from '../rules/runRules';
import { AnalysisPace, type IsDue } from './analysisPace';
import { ChosenReference } from './chosenReference';
import { DeepCaptures } from './deepCaptures';
import { DetailHistory } from './detailHistory';
import { FigureSeries } from './figureSeries';
import { LossCurve } from './lossCurve';
import { LayerTrack } from './layerTrack';
import { SeriesTable } from './seriesTable';
import { StepRate } from './stepRate';
import { StepRecord } from './stepRecord';

export interface RunOrigin {
  readonly id: RunId;
  /** The script as the user named it. */
  readonly program: string;
  readonly sessionType: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** Share of a run's memory that is for figures over all steps; the rest is for details. */
const SERIES_SHARE = 0.25;
/** Share that deep captures may take of it at most; what they do not take is for details too. */
const DEEP_SHARE = 0.4;
/** Bytes of the loss over all steps, also of those that are not analysed. */
const LOSS_BYTES = 512 * 1024;

/** Everything kept of one training process. */
export class Run {
  phase: RunPhase = 'starting';
  notice: string | null = null;
  readonly table: SeriesTable;
  readonly history: DetailHistory;
  readonly deep: DeepCaptures;
  /** At the steps of the table. */
  readonly losses: FigureSeries<'loss'>;
  /** At all captured steps, analysed or not; thinned once they are very many. */
  readonly lossCurve = new LossCurve(LOSS_BYTES);
  readonly rules: RunRules;
  /** What the person chose to measure drift against. */
  readonly reference: ChosenReference;
  /** Whether every captured step is analysed, whatever it costs: breakpoints wait for it. */
  analysesEvery = false;
  private readonly rate = new StepRate();
  private readonly pace = new AnalysisPace();
  private hello: Hello | undefined;
  private bye: Bye | undefined;
  private newestStep: ReceivedStep | undefined;
  private firstStepNumber: number | null = null;
  private firstLoss: number | null = null;
  private lastLoss: number | null = null;
  private framesReceived = 0;
  private outOfOrder = 0;
  private notAnalysed = 0;
  private comparedBytes = 0;
  /** All layers that were ever announced. */
  private readonly tracks = new Map<LayerId, LayerTrack>();
  /** Those of the newest layout, in model order. */
  private current: readonly LayerTrack[] = [];

  constructor(
    readonly origin: RunOrigin,
    private maxBytes: number,
    rules?: RuleSettings,
  ) {
    this.rules = new RunRules(rules);
    this.table = new SeriesTable(maxBytes * SERIES_SHARE);
    this.history = new DetailHistory(maxBytes * (1 - SERIES_SHARE));
    this.reference = new ChosenReference(this.table, this.history);
    this.deep = new DeepCaptures(maxBytes * DEEP_SHARE);
    this.losses = new FigureSeries(this.table);
  }

  /** File name of the program. */
  get program(): string {
    return fileNameOf(this.hello?.program || this.origin.program);
  }

  /** Of the process; 0 before it has connected. */
  get pid(): number {
    return this.hello?.pid ?? 0;
  }

  /** Whether the process has connected, that is, has loaded a framework. */
  get connected(): boolean {
    return this.hello !== undefined;
  }

  /** Whether the process said that it ends. */
  get saidBye(): boolean {
    return this.bye !== undefined;
  }

  get over(): boolean {
    return this.phase === 'ended' || this.phase === 'disconnected';
  }

  /** Which process of how many it is; 0 of 1 alone. */
  get place(): { readonly rank: number; readonly worldSize: number } {
    return { rank: this.hello?.rank ?? 0, worldSize: this.hello?.worldSize ?? 1 };
  }

  /** Number of the first and the newest captured step; null before the first. */
  get firstStep(): number | null {
    return this.firstStepNumber;
  }

  get lastStep(): number | null {
    return this.newestStep?.step ?? null;
  }

  /** Step frames left out because their number was not above the one before. */
  get stepsOutOfOrder(): number {
    return this.outOfOrder;
  }

  /** Bytes of the figures and details that are kept. */
  get byteLength(): number {
    return (
      this.table.byteLength + this.history.byteLength + this.lossCurve.byteLength + this.beside
    );
  }

  /** What the drift is measured against that is shown where nothing else is asked for. */
  get shownReference(): Reference {
    return this.reference.step === null ? 'previous' : 'chosen';
  }

  /** Bytes that deep captures take, and what steps are compared with. */
  private get beside(): number {
    return this.deep.byteLength + this.comparedBytes;
  }

  /** Changes the memory that the run may take; what exceeds it goes at once. */
  setBudget(maxBytes: number): void {
    this.maxBytes = maxBytes;
    if (this.over) this.releaseCompared();
    this.table.setBudget(maxBytes * SERIES_SHARE);
    this.deep.setBudget(maxBytes * DEEP_SHARE);
    this.shareDetails();
  }

  private shareDetails(): void {
    const others = this.beside + this.lossCurve.byteLength;
    this.history.setBudget(this.maxBytes * (1 - SERIES_SHARE) - others);
  }

  private releaseCompared(): void {
    for (const track of this.tracks.values()) track.release();
    this.rules.release();
    this.comparedBytes = this.bytesCompared();
  }

  /** Measures drift against a step, or the nearest kept one before it; null: no more. */
  chooseReference(step: number | null): void {
    this.reference.choose(step, this.tracks.values());
    this.countCompared();
  }

  layers(): readonly LayerTrack[] {
    return this.current;
  }

  layer(id: LayerId): LayerTrack | undefined {
    return this.tracks.get(id);
  }

  /** What the person is to be told: at most 500, active ones first, worst first. */
  alerts(): readonly Alert[] {
    return this.rules.alerts();
  }

  accept(frame: ReceivedFrame): void {
    this.framesReceived++;
    switch (frame.kind) {
      case 'hello':
        this.hello = frame;
        break;
      case 'layout':
        this.acceptLayout(frame);
        break;
      case 'step':
        this.acceptStep(frame);
        break;
      case 'deep':
        this.acceptDeep(frame);
        break;
      case 'event':
        this.notice = frame.message;
        break;
      case 'bye':
        this.bye = frame;
        break;
      case 'log':
      case 'question':
      case 'stop-over':
        break;
    }
  }

  summary(): RunSummary {
    const { hello, bye, newestStep } = this;
    return {
      id: this.origin.id,
      program: this.program,
      phase: this.phase,
      notice: this.notice,
      framework: hello?.framework ?? null,
      frameworkVersion: hello?.frameworkVersion ?? '',
      backend: hello?.backend ?? '',
      pid: this.pid,
      ...this.place,
      startedAt: hello?.startedAt ?? this.origin.startedAt,
      sessionType: this.origin.sessionType,
      layers: this.current.length,
      // Without an optimizer steps are numbered, but no update is counted: the process knows.
      steps: bye?.steps ?? (newestStep ? newestStep.step + 1 : 0),
      framesReceived: this.framesReceived,
      framesDropped: Math.max(bye?.dropped ?? 0, newestStep?.dropped ?? 0),
      stepsSkipped: Math.max(bye?.skipped ?? 0, newestStep?.skipped ?? 0),
      interval: newestStep?.interval ?? 1,
      overheadPercent: newestStep?.overheadPercent ?? null,
      stepsPerSecond: this.rate.perSecond,
      stepsNotAnalysed: this.notAnalysed,
      referenceStep: this.reference.step,
      firstLoss: this.firstLoss,
      lastLoss: this.lastLoss,
    };
  }

  private acceptLayout(layout: ReceivedLayout): void {
    this.current = layout.layers.map((info) => this.track(info));
    this.rules.describe(this.current);
  }

  private track(info: LayerInfo): LayerTrack {
    const known = this.tracks.get(info.id);
    if (known) {
      known.info = info;
      return known;
    }
    const track = new LayerTrack(this.table, info);
    this.tracks.set(info.id, track);
    return track;
  }

  private acceptDeep(frame: ReceivedDeep): void {
    this.deep.push(frame);
    this.shareDetails();
  }

  private acceptStep(frame: ReceivedStep): void {
    if (this.newestStep && frame.step <= this.newestStep.step) {
      this.outOfOrder++;
      return;
    }
    const record = new StepRecord(frame);
    this.newestStep = frame;
    this.rate.add(frame.step, frame.time);
    this.firstStepNumber ??= frame.step;
    if (frame.loss !== null) {
      this.firstLoss ??= frame.loss;
      this.lastLoss = frame.loss;
    }
    this.lossCurve.add(frame.step, frame.loss);
    const notable = this.analysesEvery || record.hasNonFinite;
    const isDue = this.pace.turn(this.current.length, frame.time, notable);
    if (isDue) this.analyse(record, frame.loss, isDue);
    else this.notAnalysed++;
    if (!record.index.isEmpty) this.history.push(record);
    if (isDue) this.countCompared();
  }

  /** Derives the figures of the newest step, of each layer and over all, and judges them. */
  private analyse(record: StepRecord, loss: number | null, isDue: IsDue): void {
    this.table.append(record.step);
    if (loss !== null) this.losses.set('loss', loss);
    const recent = { [Symbol.iterator]: () => this.history.newestFirst() };
    this.current.forEach((track, place) => track.add(record, recent, isDue(place)));
    this.rules.judge(record, this.current, this.hello);
  }

  private countCompared(): void {
    const bytes = this.bytesCompared();
    if (bytes === this.comparedBytes) return;
    this.comparedBytes = bytes;
    this.shareDetails();
  }

  private bytesCompared(): number {
    let bytes = 0;
    for (const track of this.tracks.values()) bytes += track.byteLength;
    return bytes;
  }
}
