import type { CaptureSettings, ExtraClass } from '../../protocol/environment';
import type { Bye } from '../../protocol/frames';
import type { LayerId } from '../../protocol/ids';
import type { Tap } from '../../protocol/layers';
import type { Breakpoints } from './breakpoints';
import { Budget } from './budget';
import { DeepSchedule } from './deepSchedule';
import type { FeatureMap } from './featureMap';
import type { LayerRecord } from './layerRecord';
import { LayerRegistry, MAX_CAPTURED, type LayerIdentity } from './layerRegistry';
import { nonFiniteFigures } from './nonFinite';
import { PassStack, type Pass } from './passes';
import type { FrameSink } from './frameSink';
import { StepRecorder } from './stepRecorder';
import { isTensor, type Engine } from './tfjs';

/** Updates, or backward passes, after which something missing is told. */
const PATIENCE = 20;

type Fate = 'captured' | 'skipped' | 'dropped' | 'off';

/** The state of capture: layers, passes and steps. Its methods are called by the hooks. */
export class Capture {
  readonly passes = new PassStack();
  private readonly budget: Budget;
  private readonly registry = new LayerRegistry();
  private readonly deep = new DeepSchedule();
  private layerDepth = 0;
  private step: StepRecorder;
  private fate: Fate = 'captured';
  private stepStart: number | undefined;
  private passesSinceUpdate = 0;
  private updates = 0;
  private readonly totals = { sent: 0, dropped: 0, skipped: 0 };

  constructor(
    private settings: CaptureSettings,
    private readonly sink: FrameSink,
    private readonly breakpoints: Breakpoints,
  ) {
    this.budget = new Budget(settings.budgetPercent);
    this.step = new StepRecorder(0, this.deep.focus, this.deep.due());
  }

  get extraClasses(): readonly ExtraClass[] {
    return this.settings.extraClasses;
  }

  configure(settings: CaptureSettings): void {
    this.settings = settings;
    this.budget.configure(settings.budgetPercent);
  }

  setFocus(layers: readonly LayerId[]): void {
    this.deep.focus = new Set(layers);
  }

  /**
   * A norm layer has been built, or is called again in one pass. Null when there are too many.
   * @param previous the record of the call before.
   */
  addLayer(identity: LayerIdentity, previous?: LayerRecord): LayerRecord | null {
    const record = this.registry.add(identity, previous);
    if (!record) {
      this.sink.tell(
        'too-many-layers',
        `This program has more than ${MAX_CAPTURED} normalization layers in use; further ones are not captured.`,
      );
      return null;
    }
    this.sink.open();
    return record;
  }

  /** A layer's name promised what its calls do not keep: it does not map a tensor to its like. */
  removeLayer(record: LayerRecord): void {
    this.registry.remove(record);
  }

  /** Whether the program has built a norm layer so far. */
  private get hasLayers(): boolean {
    return this.registry.count > 0;
  }

  /** The training pass to capture now; undefined when nothing is to be captured. */
  get capturing(): Pass | undefined {
    return this.fate === 'captured' ? this.passes.current : undefined;
  }

  /** Whether a norm layer is at work: what it calls is its own. */
  get insideLayer(): boolean {
    return this.layerDepth > 0;
  }

  /** Runs the call of a norm layer. */
  inLayer<T>(body: () => T): T {
    this.layerDepth += 1;
    try {
      return body();
    } finally {
      this.layerDepth -= 1;
    }
  }

  /** The step that is being measured. */
  get current(): StepRecorder {
    return this.step;
  }

  /** Sends what waits, as far as it can be sent without waiting. */
  pump(): void {
    this.sink.pump();
  }

  beginPass(engine: Engine, xs: unknown): Pass {
    const pass = this.passes.begin(engine, xs);
    if (pass.training) {
      this.sink.open();
      this.breakpoints.awaitFirst();
      this.stepStart ??= performance.now();
    }
    return pass;
  }

  /** @param value what was differentiated; undefined when the computation threw. */
  endPass(pass: Pass, value: unknown): void {
    this.passes.end(pass);
    if (!pass.training) return;
    this.step.timed(() => {
      for (const ending of pass.endings) ending();
      if (value === undefined) return;
      this.step.microBatches += 1;
      if (this.fate === 'captured' && isTensor(value) && value.size === 1) {
        this.step.addLoss(Number(value.dataSync()[0]));
      }
    });
    this.passesSinceUpdate += 1;
    if (this.passesSinceUpdate === PATIENCE && this.updates === 0 && this.hasLayers) {
      this.sink.tell(
        'no-optimizer-step',
        `${PATIENCE} backward passes ran without an optimizer update, so no step can be recorded; ` +
          'update the weights by optimizer.minimize or optimizer.applyGradients.',
      );
    }
  }

  /** Asks whether to stop for values of a tap that are not finite, if someone wants to know. */
  lookAt(record: LayerRecord, tap: Tap, values: ArrayLike<number>, map: FeatureMap): void {
    const found = this.breakpoints.nonFinite ? nonFiniteFigures(values, map) : null;
    if (!found) return;
    const { id: layer, info } = record;
    const { step } = this.step;
    const began = performance.now();
    this.breakpoints.ask({ about: 'nonfinite', step, layer, name: info.name, tap, ...found });
    // Waiting is no cost of capture.
    this.step.captureMs -= performance.now() - began;
  }

  /** The optimizer is about to update the weights. */
  updating(gradients: unknown): void {
    const { step } = this;
    if (this.fate === 'captured') step.timed(() => step.parameters.beforeUpdate(gradients));
  }

  /** The optimizer has updated the weights: the step is over. */
  updated(): void {
    this.sink.open();
    const { step, fate } = this;
    const sent = step.timed(() => {
      this.sink.pump();
      this.registry.endStep();
      if (fate !== 'captured' || this.registry.all.length === 0) return false;
      step.parameters.afterUpdate();
      this.send();
      return true;
    });
    const now = performance.now();
    if (fate === 'skipped' || fate === 'dropped') this.totals[fate] += 1;
    if (this.stepStart !== undefined && fate !== 'off') {
      this.budget.record(fate === 'captured', now - this.stepStart, step.captureMs);
    }
    this.updates += 1;
    this.passesSinceUpdate = 0;
    if (this.updates === PATIENCE && !this.hasLayers) {
      this.sink.tell(
        'no-norm-layer',
        `This program has made ${PATIENCE} optimizer updates and built no normalization layer, ` +
          'so there is nothing to show; a custom layer is found by a class name that contains "Norm".',
      );
    }
    this.breakpoints.settle();
    if (sent && this.breakpoints.steps) this.breakpoints.ask({ about: 'step', step: step.step });
    this.stepStart = performance.now();
    this.step = new StepRecorder(this.updates, this.deep.focus, this.deep.due());
    this.fate = this.nextFate();
  }

  /** Tells what was missing, and closes the run. */
  finish(errors: number): void {
    if (!this.hasLayers && this.updates < PATIENCE) {
      this.sink.tell(
        'no-norm-layer',
        'The program ended and had built no normalization layer, so there is nothing to show; ' +
          'a custom layer is found by a class name that contains "Norm".',
      );
    } else if (this.updates === 0) {
      this.sink.layout(this.registry.all);
      this.sink.tell(
        'no-optimizer-step',
        'The program ended without an optimizer update, so no step was recorded; ' +
          'train with model.fit, model.trainOnBatch or optimizer.minimize.',
      );
    }
    const bye: Bye = { kind: 'bye', steps: this.updates, ...this.totals, errors };
    this.sink.end(bye);
  }

  private nextFate(): Fate {
    if (!this.settings.enabled) return 'off';
    // Values that are not finite are looked for in every step.
    if (!this.budget.due && !this.breakpoints.nonFinite) return 'skipped';
    return this.sink.congested ? 'dropped' : 'captured';
  }

  private send(): void {
    const { step, budget } = this;
    if (step.microBatches > 1) {
      for (const record of step.layers) {
        record.note(
          'accumulated',
          'A step has several backward passes; their statistics are merged as if they were one batch.',
        );
      }
    }
    this.sink.step(this.registry.all, step, {
      loss: step.loss,
      microBatches: step.microBatches,
      dropped: this.totals.dropped,
      skipped: this.totals.skipped,
      overheadPercent: budget.overheadPercent,
      interval: budget.interval,
      histogramStride: step.histogramStride,
      lossScale: null,
    });
    for (const { frame, tensors } of step.deep.frames(step.step)) {
      this.sink.deep(frame, tensors);
      this.deep.sent(frame.layer);
    }
    this.totals.sent += 1;
  }
}
