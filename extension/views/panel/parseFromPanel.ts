import { DEFINITIONS } from '../../protocol/definitions';
import { layerId, runId, type LayerId } from '../../protocol/ids';
import {
  MAX_COPY_LENGTH,
  MAX_SAVE_BYTES,
  SAVED_TYPES,
  type FromPanel,
} from '../../protocol/panelMessages';
import { parsePanelState } from '../../protocol/panelState';
import { isId, isRecord, isText, within, type UnknownRecord } from '../../protocol/untrusted';
import { parseQuery } from './parseQuery';

const MOST_FOCUSED = 64;
/** Lines that an editor can hold. */
const LAST_LINE = 2 ** 31 - 1;

/** An absolute path on this machine, of any platform: one on a share would make it connect there. */
const isLocalPath = (value: unknown): value is string =>
  isText(value) &&
  !value.includes('\0') &&
  (/^\/(?![\\/])/.test(value) || /^[A-Za-z]:[\\/]/.test(value));

function parseLayers(value: unknown): LayerId[] | undefined {
  if (!Array.isArray(value) || value.length > MOST_FOCUSED || !value.every(isId)) return undefined;
  return value.map(layerId);
}

function parseSave({ name, as, bytes }: UnknownRecord): FromPanel | undefined {
  const type = SAVED_TYPES.find((known) => known === as);
  if (!isText(name) || !type || !(bytes instanceof ArrayBuffer)) return undefined;
  return bytes.byteLength > 0 && bytes.byteLength <= MAX_SAVE_BYTES
    ? { type: 'save', name, as: type, bytes }
    : undefined;
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
    case 'reference': {
      const { run, step } = value;
      return isText(run) && (step === null || isId(step))
        ? { type: 'reference', run: runId(run), step }
        : undefined;
    }
    case 'copy': {
      const { text } = value;
      return typeof text === 'string' && text.length <= MAX_COPY_LENGTH
        ? { type: 'copy', text }
        : undefined;
    }
    case 'save':
      return parseSave(value);
    case 'definition': {
      const id = DEFINITIONS.find((known) => known === value.id);
      return id && { type: 'definition', id };
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
