import { l10n } from 'vscode';
import type { EditorModel } from '../core/editor/editorModel';
import { readLayer } from '../core/editor/layerReading';
import { countText, shortFigure } from '../core/editor/numbers';
import type { LayerTrack } from '../core/runStore/layerTrack';
import type { Run } from '../core/runStore/run';
import type { Alert } from '../protocol/alerts';
import { driftName } from './driftWords';

function median(values: readonly number[]): number {
  const known = values.filter(Number.isFinite).sort((a, b) => a - b);
  const middle = known.length >> 1;
  const upper = known[middle] ?? Number.NaN;
  return known.length % 2 === 1 ? upper : ((known[middle - 1] ?? Number.NaN) + upper) / 2;
}

/**
 * What stands behind a line that makes norm layers: the median layer's figures, and the worst of
 * what is out of the ordinary. Undefined before the first step.
 *
 * @param alerts - of these layers, worst first
 */
export function annotationText(
  model: EditorModel,
  run: Run,
  layers: readonly LayerTrack[],
  alerts: readonly Alert[],
): string | undefined {
  const readings = layers.map((track) => readLayer(run, track));
  const over = (figure: 'preStd' | 'postStd' | 'drift' | 'driftFloor') =>
    median(readings.map((reading) => reading[figure]));
  const [before, after, drift] = [over('preStd'), over('postStd'), over('drift')];
  const parts: string[] = [];
  if (layers.length > 1) parts.push(l10n.t('{0} layers', countText(layers.length)));
  // A layer all of whose values are NaN has none, but an alert.
  const known = !Number.isNaN(before) || !Number.isNaN(after);
  if (known) parts.push(`σ ${shortFigure(before)}→${shortFigure(after)}`);
  if (!Number.isNaN(drift)) {
    const floor = shortFigure(over('driftFloor'));
    parts.push(l10n.t('{0} {1} (floor {2})', driftName(run), shortFigure(drift), floor));
  }
  const [worst] = alerts;
  if (!known && !worst) return undefined;
  if (worst) {
    const { title } = model.inWords(run, worst);
    const more = new Set(alerts.map(({ rule }) => rule)).size - 1;
    parts.push(more > 0 ? l10n.t('{0} (+{1})', title, countText(more)) : title);
  }
  return parts.join(' · ');
}
