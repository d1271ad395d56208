import type { AgentCommand } from '../../protocol/commands';
import {
  ADDRESS_VARIABLE,
  CAPTURE_VARIABLE,
  DEFAULT_CAPTURE,
  TOKEN_LENGTH,
  TOKEN_VARIABLE,
  type CaptureSettings,
} from '../../protocol/environment';
import { parseExtraClasses } from '../../protocol/extraClasses';
import { layerId } from '../../protocol/ids';
import { MAX_LAYERS } from '../../protocol/limits';
import { isObject } from './tfjs';

export interface AgentSettings {
  readonly address: string;
  readonly token: string;
  readonly capture: CaptureSettings;
}

/** Reads capture settings; what is missing or wrong keeps its default. */
function parseCapture(value: unknown): CaptureSettings {
  if (!isObject(value)) return DEFAULT_CAPTURE;
  const { enabled, budgetPercent, extraClasses } = value;
  return {
    enabled: typeof enabled === 'boolean' ? enabled : DEFAULT_CAPTURE.enabled,
    budgetPercent:
      typeof budgetPercent === 'number' && budgetPercent >= 0
        ? budgetPercent
        : DEFAULT_CAPTURE.budgetPercent,
    extraClasses: Array.isArray(extraClasses)
      ? parseExtraClasses(extraClasses)
      : DEFAULT_CAPTURE.extraClasses,
  };
}

/** The settings in the environment; null when this process is not to be captured. */
export function readSettings(environment: NodeJS.ProcessEnv): AgentSettings | null {
  const address = environment[ADDRESS_VARIABLE];
  const token = environment[TOKEN_VARIABLE];
  if (!address || token?.length !== TOKEN_LENGTH) return null;
  let capture: unknown;
  try {
    capture = JSON.parse(environment[CAPTURE_VARIABLE] ?? '{}');
  } catch {
    capture = undefined;
  }
  const parsed = parseCapture(capture);
  return parsed.enabled ? { address, token, capture: parsed } : null;
}

/** A command of the collector; null for one that is not known here. */
export function parseCommand(body: unknown): AgentCommand | null {
  if (!isObject(body)) return null;
  if (body['kind'] === 'configure') {
    return { kind: 'configure', capture: parseCapture(body['capture']) };
  }
  if (body['kind'] === 'focus' && Array.isArray(body['layers'])) {
    const ids = body['layers'].filter((id) => Number.isSafeInteger(id)).slice(0, MAX_LAYERS);
    return { kind: 'focus', layers: ids.map(layerId) };
  }
  if (body['kind'] === 'breakpoints') {
    const { steps, nonFinite } = body;
    return { kind: 'breakpoints', steps: steps === true, nonFinite: nonFinite === true };
  }
  if (body['kind'] === 'verdict') {
    const { question, stop } = body;
    if (typeof question !== 'number' || typeof stop !== 'boolean') return null;
    return { kind: 'verdict', question, stop };
  }
  return null;
}
