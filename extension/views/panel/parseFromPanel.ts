import { layerId, runId, type LayerId } from '../../protocol/ids';
import type { FromPanel } from '../../protocol/panelMessages';
import { REFERENCES, type ViewQuery } from '../../protocol/views';
import { parsePanelState } from './parsePanelState';
import { isId, isRecord, isText, parseStep, within } from './values';

/** Most points, ridges and ridge points one query may ask for. */
const MOST = { points: 2_000, ridges: 64, ridgePoints: 1_024 } as const;
const MOST_FOCUSED = 64;
/** Lines that an editor can hold. */
const LAST_LINE = 2 ** 31 - 1;

/** An absolute path on this machine, of any platform: one on a share would make it connect there. */
const isLocalPath = (value: unknown): value is string =>
  isText(value) &&
  !value.includes('\0') &&
  (/^\/(?![\\/])/.test(value) || /^[A-Za-z]:[\\/]/.test(value));

function parseQuery(value: unknown): ViewQuery | undefined {
  if (!isRecord(value)) return undefined;
  if (value.view === 'runs') return { view: 'runs' };
  const { run, points } = value;
  if (!isText(run) || !within(points, MOST.points)) return undefined;
  if (value.view === 'overview') return { view: 'overview', run: runId(run), points };
  const { layer, ridges, ridgePoints } = value;
  const step = parseStep(value.step);
  if (value.view !== 'layer' || !isId(layer) || step === undefined) return undefined;
  if (!within(ridges, MOST.ridges) || !within(ridgePoints, MOST.ridgePoints)) return undefined;
  const reference = REFERENCES.find((name) => name === value.reference);
  return {
    view: 'layer',
    run: runId(run),
    layer: layerId(layer),
    step,
    points,
    ridges,
    ridgePoints,
    ...(reference ? { reference } : {}),
  };
}

function parseLayers(value: unknown): LayerId[] | undefined {
  if (!Array.isArray(value) || value.length > MOST_FOCUSED || !value.every(isId)) return undefined;
  return value.map(layerId);
}

/** A message from the panel; undefined for anything that is not one, or asks for too much. */
export function parseFromPanel(value: unknown): FromPanel | undefined {
  if (!isRecord(value)) return undefined;
  switch (value.type) {
    case 'ready':
      return { type: 'ready' };
    case 'query': {
      const { requestId } = value;
      const query = parseQuery(value.query);
      return isId(requestId) && query ? { type: 'query', requestId, query } : undefined;
    }
    case 'focus': {
      const layers = parseLayers(value.layers);
      return isText(value.run) && layers
        ? { type: 'focus', run: runId(value.run), layers }
        : undefined;
    }
    case 'reveal': {
      const { file, line } = value;
      return isLocalPath(file) && within(line, LAST_LINE)
        ? { type: 'reveal', file, line }
        : undefined;
    }
    case 'state': {
      const state = parsePanelState(value.state);
      return state && { type: 'state', state };
    }
    case 'command': {
      const { command } = value;
      return command === 'debugCurrentFile' || command === 'addConfiguration'
        ? { type: 'command', command }
        : undefined;
    }
    default:
      return undefined;
  }
}
