import type { Alert, RuleId } from '../../protocol/alerts';
import type { NonFiniteFound } from '../../protocol/frames';
import type { ModelFigure } from '../../protocol/modelFigures';
import { fitsPatterns } from '../../protocol/patterns';
import type { RuleStop, TensorFilter, ThresholdStop } from '../../protocol/tensorBreakpoints';
import type { LayerTrack } from '../runStore/layerTrack';
import type { JudgedBreakpoint } from './layerBreakpoints';

/** Causes and places that a breakpoint remembers; one of a single layer has few. */
const MAX_KEPT = 20_000;
const MAX_KEPT_OF_LAYER = 200;

type Judged = Exclude<TensorFilter, 'nonfinite' | 'rule'>;

/** The rules that decide where a condition gives no number. */
const RULES_OF: Readonly<Record<Judged, readonly RuleId[]>> = {
  'dead-feature': ['dead-feature'],
  drift: ['drift'],
  saturated: ['saturated'],
  gradient: ['vanishing-gradient', 'gradient-imbalance', 'exploding'],
  'bn-train-eval-gap': ['bn-train-eval-gap'],
};

/** The figure that a condition's number is compared with. */
const FIGURES: Readonly<Record<Judged, ModelFigure>> = {
  'dead-feature': 'deadShare',
  drift: 'preDrift',
  saturated: 'saturation',
  gradient: 'gradPreNorm',
  'bn-train-eval-gap': 'relativeEvalShift',
};

const GRADIENT_TAPS: ReadonlySet<unknown> = new Set(['gradPost', 'gradPre']);

/** An alert of the step that is judged, with the name of its layer. */
export interface SpokenAlert {
  readonly alert: Alert;
  readonly name: string;
}

const causeOf = (filter: TensorFilter, { rule, layer, tap, since }: Alert): string =>
  `${filter} ${rule} ${layer} ${tap} ${since}`;

/** One breakpoint, with what it has stopped a process for. */
export class Watch {
  /** Spells of rules, and figures beyond their limit, that stopped it. */
  private readonly stopped = new Set<string>();
  /** How many steps counted at a place, and which was the last. */
  private readonly hits = new Map<string, { readonly times: number; readonly step: number }>();
  /** The last step with values for which the process was stopped; they spread and stay. */
  private broken = Number.NEGATIVE_INFINITY;

  constructor(readonly breakpoint: JudgedBreakpoint) {}

  /** Whether values that are not finite are a reason to stop. They spread: the first are the cause. */
  nonFinite(found: NonFiniteFound): boolean {
    if (!this.sees(found) || !this.fits(found.name)) return false;
    const { taps } = this.breakpoint.condition;
    if (found.step <= this.broken + 1) {
      this.broken = found.step;
      return false;
    }
    const tapFits = taps.length === 0 || taps.includes(found.tap);
    return tapFits && this.counts(found.name, String(found.layer), found.step);
  }

  /** The process stops for these values, by whatever breakpoint. */
  stopsForNonFinite(found: NonFiniteFound): void {
    if (this.sees(found)) this.broken = found.step;
  }

  /** The figure that the breakpoint's number is compared with; undefined where rules decide. */
  get figure(): ModelFigure | undefined {
    const { filter, condition } = this.breakpoint;
    if (filter === 'nonfinite' || filter === 'rule') return undefined;
    return condition.above === null && condition.below === null ? undefined : FIGURES[filter];
  }

  /** The first new cause among what the rules say of a step. */
  ofRules(spoken: readonly SpokenAlert[], step: number): RuleStop | undefined {
    const { filter, condition } = this.breakpoint;
    const { taps } = condition;
    let first: RuleStop | undefined;
    for (const { alert, name } of spoken) {
      if (!this.wants(alert) || !this.fits(name)) continue;
      if (taps.length > 0 && !(alert.tap && taps.includes(alert.tap))) continue;
      const cause = causeOf(filter, alert);
      if (this.stopped.has(cause) || !this.counts(name, cause, step)) continue;
      this.remember(cause);
      const { layer, tap } = alert;
      first ??= { why: 'rule', filter, layer, name, tap, step, alert };
    }
    return first;
  }

  /** The process stops for an alert, by whatever breakpoint of this filter. */
  stopsForRule({ filter, alert }: RuleStop): void {
    if (filter === this.breakpoint.filter) this.remember(causeOf(filter, alert));
  }

  /** Whether a layer's figure has newly passed the condition's number. */
  ofNumber({ info: { id, name } }: LayerTrack, value: number, step: number) {
    const { filter } = this.breakpoint;
    const beyond = this.limitPassed(value);
    const cause = `${filter} ${id}`;
    if (!beyond) {
      // It came back: going beyond once more is a new cause.
      if (!Number.isNaN(value)) this.stopped.delete(cause);
      return undefined;
    }
    if (this.stopped.has(cause) || !this.counts(name, String(id), step)) return undefined;
    this.remember(cause);
    return { ...beyond, filter, layer: id, name, tap: null, step, value } satisfies ThresholdStop;
  }

  private get mostKept(): number {
    return this.breakpoint.layer === undefined ? MAX_KEPT : MAX_KEPT_OF_LAYER;
  }

  private wants(alert: Alert): boolean {
    const { filter, condition } = this.breakpoint;
    if (filter === 'nonfinite') return false;
    if (filter === 'rule') {
      return condition.rules.length === 0 || condition.rules.includes(alert.rule);
    }
    if (filter === 'gradient' && alert.rule === 'exploding' && !GRADIENT_TAPS.has(alert.tap)) {
      return false;
    }
    return RULES_OF[filter].includes(alert.rule);
  }

  /** Whether there are values that the condition does not allow. */
  private sees(found: NonFiniteFound): boolean {
    const { filter, condition } = this.breakpoint;
    const counted = {
      nan: found.nan,
      '+inf': found.positiveInfinity,
      '-inf': found.negativeInfinity,
    };
    for (const kind of condition.allow) counted[kind] = 0;
    return filter === 'nonfinite' && counted.nan + counted['+inf'] + counted['-inf'] > 0;
  }

  private fits(name: string): boolean {
    const { layer, condition } = this.breakpoint;
    return (layer === undefined || layer === name) && fitsPatterns(name, condition.layers);
  }

  /** Whether what happened counts, and often enough by now. */
  private counts(name: string, place: string, step: number): boolean {
    const { condition } = this.breakpoint;
    if (step <= condition.after || !this.fits(name)) return false;
    const known = this.hits.get(place);
    const times = known?.step === step ? known.times : (known?.times ?? 0) + 1;
    if (this.hits.size > this.mostKept) this.hits.clear();
    this.hits.set(place, { times, step });
    return times >= condition.hits;
  }

  private remember(cause: string): void {
    if (this.stopped.size > this.mostKept) this.stopped.clear();
    this.stopped.add(cause);
  }

  private limitPassed(value: number): Pick<ThresholdStop, 'why' | 'limit'> | undefined {
    const { above, below } = this.breakpoint.condition;
    if (above !== null && value > above) return { why: 'above', limit: above };
    if (below !== null && value < below) return { why: 'below', limit: below };
    return undefined;
  }
}
