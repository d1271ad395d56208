import { RULES, type RuleId } from '../../protocol/alerts';
import type { LayerId } from '../../protocol/ids';
import type { AlertBook, OpenAlert } from './alertBook';
import type { Finding } from './finding';

/** A finding of a rule that names one layer for several. */
export type PlacedFinding = Finding & { readonly layer: LayerId };

/** Captured steps in a row in which a rule must speak before the person is told. */
const CONFIRMED_AFTER: Readonly<Record<RuleId, number>> = {
  nonfinite: 1,
  exploding: 2,
  'vanishing-gradient': 5,
  'gradient-imbalance': 10,
  // Counts the steps of each feature itself.
  'dead-feature': 1,
  'eps-dominated': 5,
  saturated: 5,
  drift: 3,
  'bn-train-eval-gap': 5,
  // The last batch of an epoch may be short.
  'bn-small-batch': 5,
  'bn-batch-of-one': 1,
  'bn-eval-while-training': 3,
  'bn-axis-mistake': 1,
  'padding-in-statistics': 5,
  'gain-collapse': 10,
  headroom: 1,
  'fast-variance-cancellation': 3,
  'rank-spread': 5,
};

/** Captured steps of silence after which a spell is over: a rule that flickers is one alert. */
export const SILENT_STEPS = 10;

/** One rule at one place, or one rule that names its place: when it speaks becomes alerts. */
class Spell {
  private streak = 0;
  private since = 0;
  private silent = 0;
  private alert: OpenAlert | undefined;

  constructor(
    private readonly rule: RuleId,
    private readonly book: AlertBook,
  ) {}

  judge(finding: PlacedFinding | undefined, step: number): void {
    if (finding) this.speak(finding, step);
    else this.hush();
  }

  private speak(finding: PlacedFinding, step: number): void {
    if (this.streak++ === 0) this.since = step;
    this.silent = 0;
    const { rule, alert, since, streak } = this;
    if (alert) {
      // An alert stays where it was seen first; what follows from its cause may lie anywhere.
      if (finding.layers === null && finding.layer === alert.layer) Object.assign(alert, finding);
      else alert.layers = finding.layers;
      alert.last = step;
      alert.steps++;
    } else if (streak >= CONFIRMED_AFTER[rule]) {
      this.alert = { rule, since, last: step, active: true, steps: streak, ...finding };
      this.book.open(this.alert);
    }
  }

  private hush(): void {
    this.streak = 0;
    if (!this.alert || ++this.silent < SILENT_STEPS) return;
    this.alert.active = false;
    this.alert = undefined;
  }
}

/** The spells of all rules at one place. A rule that never spoke costs nothing. */
export class Spells {
  private readonly spells: (Spell | undefined)[] = [];

  constructor(private readonly book: AlertBook) {}

  /** @param finding - what the rule says of this step; undefined where it is silent */
  judge(rule: RuleId, finding: PlacedFinding | undefined, step: number): void {
    const at = RULES.indexOf(rule);
    let spell = this.spells[at];
    if (!spell) {
      if (!finding) return;
      this.spells[at] = spell = new Spell(rule, this.book);
    }
    spell.judge(finding, step);
  }
}
