import { bisector } from 'd3-array';
import type { Tap } from '../../protocol/layers';
import type { DetailHistory } from './detailHistory';
import type { LayerTrack } from './layerTrack';
import type { SeriesTable } from './seriesTable';
import type { StepRecord } from './stepRecord';

/** Taps of which the drift is followed. */
const FOLLOWED: readonly Tap[] = ['pre', 'post'];
/** How far back a step is looked for in which a tap fired. */
const LOOK_BACK = 200;

const byStep = bisector((record: StepRecord) => record.step);

/**
 * The step that the person chose to measure a run's drift against. What is shown of drift follows it;
 * rules and breakpoints go on comparing each step with the one before, so that what they say does not
 * depend on what somebody looks at.
 */
export class ChosenReference {
  private chosen: number | null = null;

  constructor(
    private readonly table: SeriesTable,
    private readonly history: DetailHistory,
  ) {}

  /** The captured step that is compared with; null where none is chosen. */
  get step(): number | null {
    return this.chosen;
  }

  /**
   * Compares all steps that are kept with one step, or with the nearest kept one before it, and those
   * to come; null: no more. Where no step is kept that far back, all stays as it is.
   */
  choose(step: number | null, tracks: Iterable<LayerTrack>): void {
    const all = [...tracks];
    const records = this.history.records();
    const at = step === null ? -1 : byStep.right(records, step) - 1;
    if (at < 0 && step !== null) return;
    this.chosen = records[at]?.step ?? null;
    const back = at < 0 ? [] : records.slice(Math.max(0, at + 1 - LOOK_BACK), at + 1).reverse();
    for (const track of all) compareWith(track, back);
    if (back.length > 0) this.addMoments(all, records);
  }

  /**
   * Compares a layer in full in those of the given rows of the table, which ascend, that are not yet,
   * or in the newest kept step since the row before.
   *
   * @param rows - told after room was made in the table, which may lose rows to it
   */
  complete(track: LayerTrack, rowsOf: () => readonly number[]): readonly number[] {
    const drifts = FOLLOWED.map((tap) => ({ tap, drift: track.tap(tap).chosen }));
    for (const { drift } of drifts) drift.prepare();
    const rows = rowsOf();
    const records = this.history.records();
    const steps = this.table.steps();
    for (const { tap, drift } of drifts) {
      if (!drift.side) continue;
      rows.forEach((newest, i) => {
        const oldest = (rows[i - 1] ?? newest - 1) + 1;
        for (let row = newest; row >= oldest && !drift.has(row); row--) {
          const reading = recordOf(records, steps[row] as number)?.tap(track.info.id, tap);
          if (!reading) continue;
          drift.add(row, reading);
          break;
        }
      });
    }
    return rows;
  }

  /** Figures that are cheap, of every kept step that has a row in the table. */
  private addMoments(tracks: readonly LayerTrack[], records: readonly StepRecord[]): void {
    this.table.steps().forEach((step, row) => {
      const record = recordOf(records, step);
      if (!record) return;
      for (const track of tracks) {
        for (const tap of FOLLOWED) {
          const { chosen } = track.tap(tap);
          const reading = chosen.side && record.tap(track.info.id, tap);
          if (reading) chosen.addMoments(row, reading);
        }
      }
    });
  }
}

/** @param back - the chosen step and those before it, newest first; none where none is chosen */
function compareWith(track: LayerTrack, back: readonly StepRecord[]): void {
  for (const tap of FOLLOWED) {
    let reading;
    for (const record of back) if ((reading = record.tap(track.info.id, tap))) break;
    track.tap(tap).chosen.compareWith(reading);
  }
}

function recordOf(records: readonly StepRecord[], step: number): StepRecord | undefined {
  const record = records[byStep.left(records, step)];
  return record?.step === step ? record : undefined;
}
