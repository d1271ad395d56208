import type { DelegateFactory } from './delegate';
import {
  argumentsOf,
  isRecord,
  successResponse,
  type Message,
  type Request,
  RESUMING,
} from './messages';
import type { InterposerOptions } from './options';

/** A row of the scope; rows below it are made when it is expanded. */
export interface LayerRow {
  readonly name: string;
  readonly value: string;
  readonly rows?: (() => readonly LayerRow[]) | undefined;
}

/** The norm layers of the session's run, as rows. */
export interface NormLayers {
  /** Nothing while no layer is known. */
  readonly rows: () => readonly LayerRow[] | undefined;
}

/** Above what debugpy counts up to; a reference has 31 bits. */
const FIRST_REFERENCE = 2 ** 30;
const MOST_REFERENCES = 10_000;
const PAGE = 100;

const GOING_ON = new Set(['continued', 'terminated', 'exited']);

/** Long lists by ranges: debugpy's clients page only what has indices. */
function paged(rows: readonly LayerRow[]): readonly LayerRow[] {
  if (rows.length <= PAGE) return rows;
  const ranges = Math.ceil(rows.length / PAGE);
  return Array.from({ length: ranges }, (_, index) => {
    const start = index * PAGE;
    const part = rows.slice(start, start + PAGE);
    const last = start + part.length - 1;
    return { name: `[${start} … ${last}]`, value: part[0]?.name ?? '', rows: () => part };
  });
}

/** Adds the scope “Norm Layers” to every frame: what was captured up to the pause. */
export function normLayersScope({ normLayers }: InterposerOptions): DelegateFactory {
  return (link) => {
    const listings = new Map<number, () => readonly LayerRow[]>();
    const scopesAsked = new Set<number>();
    // Never used again: a client may still ask for what it saw at an earlier stop.
    let last = FIRST_REFERENCE;

    function reference(rows: () => readonly LayerRow[]): number {
      if (listings.size >= MOST_REFERENCES) return 0;
      listings.set(++last, rows);
      return last;
    }

    function variables(request: Request): Message | undefined {
      const listing = listings.get(Number(argumentsOf(request).variablesReference));
      if (!listing) return undefined;
      const rows = paged(listing()).map(({ name, value, rows: below }) => ({
        name,
        value,
        variablesReference: below ? reference(below) : 0,
        presentationHint: { attributes: ['readOnly'] },
      }));
      return successResponse(request, { variables: rows });
    }

    function withScope(message: Message): Message {
      if (message.type !== 'response' || !message.success || !isRecord(message.body)) {
        return message;
      }
      const { scopes } = message.body;
      const rows = normLayers?.rows();
      if (!Array.isArray(scopes) || !rows || rows.length === 0) return message;
      const scope = {
        name: link.t('Norm Layers'),
        variablesReference: reference(() => normLayers?.rows() ?? []),
        namedVariables: rows.length,
        // VS Code leaves an expensive one closed until it is clicked.
        expensive: true,
      };
      return { ...message, body: { ...message.body, scopes: [...scopes, scope] } };
    }

    return {
      fromClient(message) {
        if (!normLayers || message.type !== 'request') return message;
        if (message.command === 'scopes') scopesAsked.add(message.seq);
        if (RESUMING.has(message.command)) listings.clear();
        const answer = message.command === 'variables' ? variables(message) : undefined;
        if (!answer) return message;
        link.toClient(answer);
        return undefined;
      },
      fromAdapter(message) {
        if (message.type === 'event' && GOING_ON.has(message.event)) listings.clear();
        if (message.type !== 'response' || !scopesAsked.delete(message.request_seq)) return message;
        return withScope(message);
      },
    };
  };
}
