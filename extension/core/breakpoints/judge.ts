import type { NonFiniteFound } from '../../protocol/frames';
import type { NonFiniteStop, TensorStop, ThresholdStop } from '../../protocol/tensorBreakpoints';
import { modelFigure } from '../runStore/modelFigures';
import type { Run } from '../runStore/run';
import type { JudgedBreakpoint } from './layerBreakpoints';
import { Watch, type SpokenAlert } from './watch';

/** Decides for one process whether it is to stop; each cause stops it once. */
export class BreakpointJudge {
  private watches: readonly Watch[] = [];

  /** Breakpoints that were there before remember what they stopped for; the others begin anew. */
  set(breakpoints: readonly JudgedBreakpoint[]): void {
    const known = new Map(this.watches.map((watch) => [JSON.stringify(watch.breakpoint), watch]));
    this.watches = breakpoints.map(
      (breakpoint) => known.get(JSON.stringify(breakpoint)) ?? new Watch(breakpoint),
    );
  }

  /** Judges values that are not finite, as a tap saw them. */
  nonFinite(found: NonFiniteFound): NonFiniteStop | undefined {
    // All are asked, so that each knows how far the values have spread.
    const stops = this.watches.filter((watch) => watch.nonFinite(found));
    if (stops.length === 0) return undefined;
    for (const watch of this.watches) watch.stopsForNonFinite(found);
    const { layer, name, tap, step } = found;
    return { why: 'nonfinite', filter: 'nonfinite', layer, name, tap, step, found };
  }

  /** Judges a step, which is to be the newest of the run. */
  step(run: Run, step: number): TensorStop | undefined {
    const row = run.table.length - 1;
    // A step that was not analysed has no figures, and one that was dropped is not there.
    if (row < 0 || run.table.steps()[row] !== step) return undefined;
    const spoken = spokenAt(run, step);
    let first: TensorStop | undefined;
    for (const watch of this.watches) {
      // All are asked, so that none speaks later for what is a cause of this step.
      const stop = watch.figure ? ofNumbers(run, watch, step, row) : watch.ofRules(spoken, step);
      first ??= stop;
    }
    if (first?.why === 'rule') for (const watch of this.watches) watch.stopsForRule(first);
    return first;
  }
}

function spokenAt(run: Run, step: number): readonly SpokenAlert[] {
  return run
    .alerts()
    .filter(({ active, last }) => active && last === step)
    .map((alert) => ({ alert, name: run.layer(alert.layer)?.info.name ?? '' }));
}

function ofNumbers(run: Run, watch: Watch, step: number, row: number): ThresholdStop | undefined {
  const { figure } = watch;
  if (!figure) return undefined;
  let first: ThresholdStop | undefined;
  for (const track of run.layers()) {
    const stop = watch.ofNumber(track, modelFigure(track, figure)(row), step);
    first ??= stop;
  }
  return first;
}
