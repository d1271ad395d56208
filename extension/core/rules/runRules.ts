import { RULES, type Alert, type RuleId } from '../../protocol/alerts';
import type { Hello } from '../../protocol/frames';
import type { LayerId } from '../../protocol/ids';
import { DEFAULT_RULES, type RuleSettings } from '../../protocol/ruleSettings';
import type { LayerTrack } from '../runStore/layerTrack';
import type { StepRecord } from '../runStore/stepRecord';
import { AlertBook } from './alertBook';
import { lastAxisWidths } from './axisMistake';
import { GradientProfile } from './gradientProfile';
import { LayerFacts, type StepContext } from './layerFacts';
import { LayerMemory } from './layerMemory';
import { LAYER_RULES } from './layerRules';
import { NonFiniteSearch } from './nonFinite';
import { rankSpread, type RankFigures } from './rankSpread';
import { Spells, type PlacedFinding } from './spells';

interface JudgedLayer {
  readonly memory: LayerMemory;
  readonly spells: Spells;
}

/** Judges every captured step of a run, and keeps what the person is to be told. */
export class RunRules {
  private readonly book = new AlertBook();
  private readonly layers = new Map<LayerId, JudgedLayer>();
  /** Of rules that look at all layers at once. */
  private readonly spells = new Spells(this.book);
  private readonly search = new NonFiniteSearch();
  private readonly profile = new GradientProfile();
  private on: ReadonlySet<RuleId> = new Set(RULES);
  private widths: ReadonlySet<number> = new Set();

  constructor(private settings: RuleSettings = DEFAULT_RULES) {
    this.configure(settings);
  }

  /** Changes what holds from the next step on. */
  configure(settings: RuleSettings): void {
    this.settings = settings;
    this.on = new Set(RULES.filter((rule) => !settings.off.includes(rule)));
  }

  /** Takes in a new layout. */
  describe(tracks: readonly LayerTrack[]): void {
    this.widths = lastAxisWidths(tracks.map(({ info }) => info));
  }

  /**
   * Judges the newest step.
   * @param tracks - in model order, to which the step was added
   */
  judge(record: StepRecord, tracks: readonly LayerTrack[], hello: Hello | undefined): void {
    const { on, widths, settings, search, profile } = this;
    const { limits } = settings;
    const context: StepContext = {
      step: record.step,
      scaled: record.lossScale !== null,
      framework: hello?.framework ?? 'torch',
      worldSize: hello?.worldSize ?? 1,
      widths,
      limits,
    };
    profile.clear();
    for (const track of tracks) {
      const { id } = track.info;
      const taps = record.taps(id);
      if (Object.keys(taps).length === 0) continue;
      const layer = this.layer(id, record.step);
      const facts = new LayerFacts(track, record, taps, layer.memory, context);
      search.add(id, facts.nonFinite);
      profile.add(id, facts.gradientSize, limits['vanishing-gradient']);
      for (const [rule, judge] of LAYER_RULES) {
        const finding = on.has(rule) ? judge(facts) : undefined;
        layer.spells.judge(rule, finding && { layer: id, ...finding }, record.step);
      }
    }
    const cause = search.end();
    this.judgePlaced('nonfinite', cause, record.step);
    // Beside NaN and infinite gradients the size of the others says nothing.
    if (cause) profile.clear();
    this.judgePlaced('vanishing-gradient', profile.vanishing(), record.step);
    const imbalance = profile.imbalance(limits['gradient-imbalance']);
    this.judgePlaced('gradient-imbalance', imbalance, record.step);
  }

  /** Judges a step that all ranks of the process group have in, at one BatchNorm. */
  judgeRanks(id: LayerId, ranks: readonly RankFigures[], step: number): void {
    const on = this.on.has('rank-spread');
    const finding = on ? rankSpread(ranks, this.settings.limits['rank-spread']) : undefined;
    this.layer(id, step).spells.judge('rank-spread', finding && { layer: id, ...finding }, step);
  }

  private judgePlaced(rule: RuleId, finding: PlacedFinding | undefined, step: number): void {
    this.spells.judge(rule, this.on.has(rule) ? finding : undefined, step);
  }

  /** Those of rules that are on: active ones first, worst first. */
  alerts(): readonly Alert[] {
    return this.book.all().filter(({ rule }) => this.on.has(rule));
  }

  /** The run is over: nothing more is judged. */
  release(): void {
    this.layers.clear();
  }

  private layer(id: LayerId, step: number): JudgedLayer {
    let layer = this.layers.get(id);
    if (!layer) {
      layer = { memory: new LayerMemory(step), spells: new Spells(this.book) };
      this.layers.set(id, layer);
    }
    return layer;
  }
}
