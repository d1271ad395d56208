/** The debug type of this extension. */
const OWN_TYPE = 'normscope';

/**
 * Attribute of a configuration of another debug type in front of whose adapter ours is put: a key
 * that its session shows when it connects.
 */
export const INTERPOSED_ATTRIBUTE = '__normscopeInterposed';

/** Whether a debug session understands requests that only our adapter knows. */
export function takesOwnRequests(session: {
  readonly type: string;
  readonly configuration: Readonly<Record<string, unknown>>;
}): boolean {
  return (
    session.type === OWN_TYPE || typeof session.configuration[INTERPOSED_ATTRIBUTE] === 'string'
  );
}

/** Request of ours: the short texts of those names in a frame that are tensors. */
export const INLINE_TEXTS = 'normscopeInlineTexts';

/** Most names in one request. */
export const MOST_INLINE_NAMES = 200;

export interface InlineTextsArguments {
  readonly frameId: number;
  /** Names, also dotted ones such as `self.weight`. */
  readonly names: readonly string[];
}

export interface InlineTextsBody {
  readonly texts: Readonly<Record<string, string>>;
}
