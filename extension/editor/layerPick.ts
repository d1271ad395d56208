import * as vscode from 'vscode';
import { readLayer } from '../core/editor/layerReading';
import { shortFigure } from '../core/editor/numbers';
import type { LayerTrack } from '../core/runStore/layerTrack';
import { driftName } from './driftWords';
import type { FoundLayers } from './layerTarget';

/** The one layer, or the one that the person chooses; undefined where none is chosen. */
export async function pickLayer({ run, layers }: FoundLayers): Promise<LayerTrack | undefined> {
  if (layers.length < 2) return layers[0];
  const items = layers.map((track) => {
    const { preStd, postStd, drift, driftFloor } = readLayer(run, track);
    const label = track.info.name || track.info.className;
    const description = [
      `σ ${shortFigure(preStd)} → ${shortFigure(postStd)}`,
      vscode.l10n.t(
        '{0} {1} (floor {2})',
        driftName(run),
        shortFigure(drift),
        shortFigure(driftFloor),
      ),
    ].join(' · ');
    // An icon in the name of a layer is none of ours.
    return { label: label.replaceAll('$(', '$ ('), description, track };
  });
  const placeHolder = vscode.l10n.t('Which layer?');
  const chosen = await vscode.window.showQuickPick(items, {
    placeHolder,
    matchOnDescription: true,
  });
  return chosen?.track;
}
