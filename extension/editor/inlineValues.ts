import * as vscode from 'vscode';
import { functionStart, pythonNames, type NamePlace } from '../core/pythonNames';
import {
  INLINE_TEXTS,
  MOST_INLINE_NAMES,
  takesOwnRequests,
  type InlineTextsArguments,
} from '../protocol/ownSessions';

/** Short texts of names in a frame, of those that are tensors. */
type Texts = Readonly<Record<string, unknown>>;

/**
 * Shape and figures of the tensors that the code above the stop names, at the ends of its lines:
 * VS Code's own has none for tensors. One question to the process for each stop.
 */
export class InlineTensorValues implements vscode.InlineValuesProvider {
  async provideInlineValues(
    document: vscode.TextDocument,
    viewPort: vscode.Range,
    { frameId, stoppedLocation }: vscode.InlineValueContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.InlineValue[]> {
    const session = vscode.debug.activeDebugSession;
    if (!session || !takesOwnRequests(session)) return [];
    const places = namesIn(document, viewPort, stoppedLocation);
    if (places.length === 0) return [];
    const texts = await ask(session, frameId, places);
    if (token.isCancellationRequested) return [];
    return places.flatMap(({ name, line, start, end }) => {
      const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
      if (typeof text !== 'string') return [];
      const range = new vscode.Range(line, start, line, end);
      return [new vscode.InlineValueText(range, `${name} = ${text}`)];
    });
  }
}

async function ask(
  session: vscode.DebugSession,
  frameId: number,
  places: readonly NamePlace[],
): Promise<Texts> {
  const names = [...new Set(places.map(({ name }) => name))].slice(-MOST_INLINE_NAMES);
  try {
    const question: InlineTextsArguments = { frameId, names };
    const body: unknown = await session.customRequest(INLINE_TEXTS, question);
    const texts = typeof body === 'object' && body !== null && 'texts' in body ? body.texts : {};
    return typeof texts === 'object' && texts !== null ? (texts as Texts) : {};
  } catch {
    // The thread has gone on; there is nothing to show.
    return {};
  }
}

/** Names from the start of the stopped function, or of the visible part, to the stopped line. */
function namesIn(
  document: vscode.TextDocument,
  viewPort: vscode.Range,
  stopped: vscode.Range,
): readonly NamePlace[] {
  const last = Math.min(stopped.end.line, viewPort.end.line, document.lineCount - 1);
  const lineAt = (line: number) => document.lineAt(line).text;
  const start = functionStart(lineAt, Math.min(stopped.start.line, document.lineCount - 1));
  const lines = Array.from({ length: Math.max(0, last - start + 1) }, (_, i) => lineAt(start + i));
  const places = pythonNames(lines).map((place) => ({ ...place, line: place.line + start }));
  const seen = new Set<string>();
  // Once a line, as the end of a line has little room.
  return places.filter(({ name, line }) => {
    const key = `${line} ${name}`;
    if (line < viewPort.start.line || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
