import type { LayerInfo } from '../../protocol/layers';
import type { Run } from '../runStore/run';
import type { RankFigures } from './rankSpread';

/** Processes of a group are started together; those of another one of the same program are not. */
const STARTED_WITHIN_MS = 120_000;

/** Whether two runs are ranks of one process group: nothing on the wire says so for certain. */
function sameGroup(a: Run, b: Run): boolean {
  const [here, there] = [a.place, b.place];
  return (
    a.program === b.program &&
    here.worldSize === there.worldSize &&
    here.rank !== there.rank &&
    Math.abs(a.origin.startedAt - b.origin.startedAt) <= STARTED_WITHIN_MS
  );
}

function figuresOf(run: Run, { id, name }: LayerInfo): RankFigures | undefined {
  const track = run.layer(id);
  if (track?.info.name !== name) return undefined;
  const pre = track.tap('pre');
  return {
    mean: pre.figures.newest('mean'),
    deviation: pre.figures.newest('std'),
    floor: pre.drift('previous').newest('driftFloor'),
  };
}

/** Not every captured step is analysed (see `AnalysisPace`). */
const newestAnalysed = (run: Run): number | undefined => run.table.steps().at(-1);

/**
 * Applies `rank-spread` where a step of `run` is the last to come in of those that its process
 * group has at this number. The alert is one of the lowest rank's.
 */
export function judgeRanks(run: Run, all: Iterable<Run>): void {
  if (run.place.worldSize < 2) return;
  const step = newestAnalysed(run);
  if (step === undefined || step !== run.lastStep) return;
  const others = [...all].filter((other) => other !== run && sameGroup(run, other));
  const together = others.filter((other) => newestAnalysed(other) === step);
  if (together.length === 0 || together.length < others.length) return;
  const group = [run, ...together].sort((a, b) => a.place.rank - b.place.rank);
  const [first] = group;
  for (const { info } of first?.layers() ?? []) {
    if (info.family !== 'batch' || info.className === 'SyncBatchNorm') continue;
    const ranks = group.flatMap((one) => figuresOf(one, info) ?? []);
    first?.rules.judgeRanks(info.id, ranks, step);
  }
}
