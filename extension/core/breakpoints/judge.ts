import type { Alert, RuleId } from '../../protocol/alerts';
import type { NonFiniteFound } from '../../protocol/frames';
import type { LayerId } from '../../protocol/ids';
import type { ModelFigure } from '../../protocol/modelFigures';
import type {
  NonFiniteStop,
  TensorBreakpoint,
  TensorCondition,
  TensorFilter,
  TensorStop,
} from '../../protocol/tensorBreakpoints';
import { fitsPatterns } from '../../protocol/patterns';
import type { LayerTrack } from '../runStore/layerTrack';
import { modelFigure } from '../runStore/modelFigures';
import type { Run } from '../runStore/run';

/** Causes and places that are remembered. */
const MAX_KEPT = 20_000;

type Judged = Exclude<TensorFilter, 'nonfinite'>;

/** The rules that decide where a condition gives no number. */
const RULES_OF: Readonly<Record<Exclude<Judged, 'rule'>, readonly RuleId[]>> = {
  'dead-feature': ['dead-feature'],
  drift: ['drift'],
  saturated: ['saturated'],
  gradient: ['vanishing-gradient', 'gradient-imbalance', 'exploding'],
  'bn-train-eval-gap': ['bn-train-eval-gap'],
};

/** The figure that a condition's number is compared with. */
const FIGURES: Readonly<Record<Exclude<Judged, 'rule'>, ModelFigure>> = {
  'dead-feature': 'deadShare',
  drift: 'preDrift',
  saturated: 'saturation',
  gradient: 'gradPreNorm',
  'bn-train-eval-gap': 'relativeEvalShift',
};

const GRADIENT_TAPS: ReadonlySet<unknown> = new Set(['gradPost', 'gradPre']);

/** Decides for one process whether it is to stop; each cause stops it once. */
export class BreakpointJudge {
  private breakpoints: readonly TensorBreakpoint[] = [];
  /** Spells of rules, and figures beyond their limit, that stopped it or were counted. */
  private readonly stopped = new Set<string>();
  /** How many steps counted at a place, and which was the last. */
  private readonly hits = new Map<string, { readonly times: number; readonly step: number }>();
  /** Step in which NaN or infinite values were last seen. */
  private brokenSince: number | null = null;
  private lastBroken = Number.NEGATIVE_INFINITY;

  set(breakpoints: readonly TensorBreakpoint[]): void {
    this.breakpoints = breakpoints;
    this.stopped.clear();
    this.hits.clear();
    this.brokenSince = null;
  }

  /** Judges values that are not finite, as a tap saw them. They spread: the first ones are the cause. */
  nonFinite(found: NonFiniteFound): NonFiniteStop | undefined {
    const breakpoint = this.breakpoints.find(({ filter }) => filter === 'nonfinite');
    if (!breakpoint) return undefined;
    const { condition } = breakpoint;
    const counted = {
      nan: found.nan,
      '+inf': found.positiveInfinity,
      '-inf': found.negativeInfinity,
    };
    for (const kind of condition.allow) counted[kind] = 0;
    if (counted.nan + counted['+inf'] + counted['-inf'] === 0) return undefined;
    const goesOn = this.brokenSince !== null && found.step <= this.lastBroken + 1;
    this.lastBroken = found.step;
    if (goesOn) return undefined;
    const tapFits = condition.taps.length === 0 || condition.taps.includes(found.tap);
    if (!tapFits || !this.counts(breakpoint, found.name, found.layer, found.step)) return undefined;
    this.brokenSince = found.step;
    const { layer, name, tap, step } = found;
    return { why: 'nonfinite', filter: 'nonfinite', layer, name, tap, step, found };
  }

  /** Judges a step, which is to be the newest of the run. */
  step(run: Run, step: number): TensorStop | undefined {
    const row = run.table.length - 1;
    // A step that was not analysed has no figures, and one that was dropped is not there.
    if (row < 0 || run.table.steps()[row] !== step) return undefined;
    let first: TensorStop | undefined;
    for (const breakpoint of this.breakpoints) {
      // All are asked, so that none speaks later for what is a cause of this step.
      const stop = this.judged(run, breakpoint, step, row);
      first ??= stop;
    }
    return first;
  }

  private judged(
    run: Run,
    breakpoint: TensorBreakpoint,
    step: number,
    row: number,
  ): TensorStop | undefined {
    const { filter, condition } = breakpoint;
    if (filter === 'nonfinite') return undefined;
    if (filter === 'rule') {
      const { rules } = condition;
      return this.ofRules(run, breakpoint, step, (rule) => !rules.length || rules.includes(rule));
    }
    if (condition.above === null && condition.below === null) {
      return this.ofRules(run, breakpoint, step, (rule) => RULES_OF[filter].includes(rule));
    }
    let first: TensorStop | undefined;
    for (const track of run.layers()) {
      const value = modelFigure(track, FIGURES[filter])(row);
      const stop = this.ofNumber(track, breakpoint, step, value);
      first ??= stop;
    }
    return first;
  }

  private ofRules(
    run: Run,
    breakpoint: TensorBreakpoint,
    step: number,
    wanted: (rule: RuleId) => boolean,
  ): TensorStop | undefined {
    const { filter, condition } = breakpoint;
    const isGradient = ({ rule, tap }: Alert) => rule !== 'exploding' || GRADIENT_TAPS.has(tap);
    let first: TensorStop | undefined;
    for (const alert of run.alerts()) {
      if (!alert.active || alert.last !== step || !wanted(alert.rule)) continue;
      if (filter === 'gradient' && !isGradient(alert)) continue;
      const { taps } = condition;
      if (taps.length > 0 && !(alert.tap && taps.includes(alert.tap))) continue;
      const cause = `${filter} ${alert.rule} ${alert.layer} ${alert.tap} ${alert.since}`;
      const name = run.layer(alert.layer)?.info.name ?? '';
      if (this.stopped.has(cause) || !this.counts(breakpoint, name, cause, step)) continue;
      this.stopped.add(cause);
      const { layer, tap } = alert;
      first ??= { why: 'rule', filter, layer, name, tap, step, alert };
    }
    return first;
  }

  private ofNumber(
    { info: { id, name } }: LayerTrack,
    breakpoint: TensorBreakpoint,
    step: number,
    value: number,
  ): TensorStop | undefined {
    const { filter, condition } = breakpoint;
    const beyond = limitPassed(value, condition);
    const cause = `${filter} ${id}`;
    if (!beyond) {
      // It came back: going beyond once more is a new cause.
      if (!Number.isNaN(value)) this.stopped.delete(cause);
      return undefined;
    }
    if (this.stopped.has(cause) || !this.counts(breakpoint, name, id, step)) return undefined;
    this.stopped.add(cause);
    return { ...beyond, filter, layer: id, name, tap: null, step, value };
  }

  /** Whether what happened counts, and often enough by now. */
  private counts(
    { filter, condition }: TensorBreakpoint,
    name: string,
    place: LayerId | string,
    step: number,
  ): boolean {
    if (step <= condition.after || !fitsPatterns(name, condition.layers)) return false;
    const key = `${filter} ${place}`;
    const known = this.hits.get(key);
    const times = known?.step === step ? known.times : (known?.times ?? 0) + 1;
    if (this.hits.size > MAX_KEPT) this.hits.clear();
    if (this.stopped.size > MAX_KEPT) this.stopped.clear();
    this.hits.set(key, { times, step });
    return times >= condition.hits;
  }
}

function limitPassed(
  value: number,
  { above, below }: TensorCondition,
): { readonly why: 'above' | 'below'; readonly limit: number } | undefined {
  if (above !== null && value > above) return { why: 'above', limit: above };
  if (below !== null && value < below) return { why: 'below', limit: below };
  return undefined;
}
