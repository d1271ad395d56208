import { figureText } from '../core/editor/numbers';
import { readLayer } from '../core/editor/layerReading';
import type { LayerTrack } from '../core/runStore/layerTrack';
import type { Run } from '../core/runStore/run';
import { tapFigures } from '../core/runStore/queries/tapFigures';
import type { RunStore } from '../core/runStore/runStore';
import type { RunId } from '../protocol/ids';
import type { Tap } from '../protocol/layers';
import { TAPS } from '../protocol/layers';
import type { LayerRow } from './interposer/normLayersScope';
import type { Translate } from './interposer/sentences';

function tapName(tap: Tap, t: Translate): string {
  switch (tap) {
    case 'pre':
      return t('Input x');
    case 'post':
      return t('Output y');
    case 'gradPost':
      return t('Gradient dL/dy');
    case 'gradPre':
      return t('Gradient dL/dx');
  }
}

/** Rows of name and figure; those that are not known are left out. */
function figures(
  named: readonly (readonly [name: string, value: number | null])[],
): readonly LayerRow[] {
  return named.flatMap(([name, value]) =>
    value === null || Number.isNaN(value) ? [] : [{ name, value: figureText(value) }],
  );
}

function tapRows(run: Run, track: LayerTrack, t: Translate): readonly LayerRow[] {
  const [newest] = run.history.newestFirst();
  return TAPS.flatMap((tap): LayerRow[] => {
    const reading = newest?.tap(track.info.id, tap);
    if (!reading) return [];
    const found = tapFigures(tap, reading);
    const value = `μ ${figureText(found.mean)} σ ${figureText(found.std)} · NaN ${found.nan}`;
    const rows = () =>
      figures([
        [t('mean'), found.mean],
        [t('standard deviation'), found.std],
        [t('smallest'), found.min],
        [t('largest'), found.max],
        [t('skewness'), found.skewness],
        [t('excess kurtosis'), found.kurtosis],
        [t('headroom'), found.headroom],
        ['‖·‖', found.norm],
        ['NaN', found.nan],
        ['+Inf', found.positiveInfinity],
        ['−Inf', found.negativeInfinity],
        [t('zeros'), found.zero],
        [t('dead features'), found.deadFeatures],
        [t('padding rows'), found.paddingRows],
        [t('elements'), found.elements],
        [t('samples'), found.samples],
      ]);
    return [{ name: tapName(tap, t), value, rows }];
  });
}

function belowLayer(run: Run, track: LayerTrack, t: Translate): readonly LayerRow[] {
  const { info } = track;
  const reading = readLayer(run, track);
  const shape: LayerRow = { name: t('input shape'), value: `[${info.inputShape.join(', ')}]` };
  const status = info.status.map(({ code, reason }) => ({ name: code, value: reason }));
  return [
    ...tapRows(run, track, t),
    ...(info.inputShape.length > 0 ? [shape] : []),
    ...figures([
      [t('drift'), reading.drift],
      [t('drift by sampling alone'), reading.driftFloor],
      ['‖dL/dx‖ / ‖dL/dy‖', reading.gradientRatio],
      [t('γ update ratio'), reading.gammaUpdateRatio],
      [t('change in eval mode'), reading.evalShift],
    ]),
    ...status,
  ];
}

function layerRow(run: Run, track: LayerTrack, t: Translate): LayerRow {
  const { info } = track;
  const { preStd, postStd, nonFinite } = readLayer(run, track);
  const parts = [info.className.split('.').at(-1) ?? info.className];
  if (!Number.isNaN(preStd)) parts.push(`σ ${figureText(preStd)} → ${figureText(postStd)}`);
  if (nonFinite > 0) parts.push(t('{0} NaN or Inf', figureText(nonFinite)));
  return {
    name: info.call > 0 ? `${info.name} #${info.call + 1}` : info.name,
    value: parts.join(' · '),
    rows: () => belowLayer(run, track, t),
  };
}

/**
 * The norm layers of a session's runs with their figures at the newest captured step, for the
 * Variables pane. Rows of one process directly, of several each under its process.
 */
export function normLayerRows(
  store: RunStore,
  runs: readonly RunId[],
  t: Translate,
): readonly LayerRow[] {
  const known = runs.flatMap((id) => store.get(id) ?? []);
  const withLayers = known.filter((run) => run.layers().length > 0);
  const rowsOf = (run: Run) => run.layers().map((track) => layerRow(run, track, t));
  const [only] = withLayers;
  if (withLayers.length === 1 && only) return rowsOf(only);
  return withLayers.map((run) => ({
    name: `${run.program} ${run.pid}`,
    value: t('step {0}', String(run.lastStep ?? '–')),
    rows: () => rowsOf(run),
  }));
}
