import { runId } from '../../protocol/ids';
import type { PanelState } from '../../protocol/panelMessages';
import { isRecord, isText, parseStep } from './values';

/** What a panel remembered; undefined for anything else. */
export function parsePanelState(value: unknown): PanelState | undefined {
  if (!isRecord(value) || value.version !== 1) return undefined;
  const { run, layerName } = value;
  const step = parseStep(value.step);
  if ((run !== null && !isText(run)) || (layerName !== null && !isText(layerName))) {
    return undefined;
  }
  if (step === undefined) return undefined;
  return { version: 1, run: run === null ? null : runId(run), layerName, step };
}
