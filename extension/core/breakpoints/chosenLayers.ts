import { MAX_TEXT } from '../../protocol/limits';
import { isRecord } from '../../protocol/untrusted';

const KEY = 'normscope.layerBreakpoints';
/** Most layers that are chosen at once. */
export const MOST_CHOSEN = 500;

/** What is needed of `vscode.Memento`. */
export interface Storage {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_TEXT;

function stored(value: unknown): readonly string[] {
  const names: unknown = isRecord(value) ? value.names : undefined;
  return Array.isArray(names) ? names.filter(isName).slice(0, MOST_CHOSEN) : [];
}

/**
 * The layers at which the person wants programs to stop, by name, in every run of the workspace; kept
 * over reloads.
 */
export class ChosenLayers {
  private names: ReadonlySet<string>;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly storage: Storage) {
    this.names = new Set(stored(storage.get(KEY)));
  }

  get all(): ReadonlySet<string> {
    return this.names;
  }

  has(name: string): boolean {
    return this.names.has(name);
  }

  /** @returns whether all of them were taken; of more than {@link MOST_CHOSEN} the last are not */
  add(names: Iterable<string>): boolean {
    const wanted = new Set([...this.names, ...names]);
    const taken = [...wanted].filter(isName).slice(0, MOST_CHOSEN);
    this.set(new Set(taken));
    return taken.length === wanted.size;
  }

  remove(names: Iterable<string>): void {
    const gone = new Set(names);
    this.set(new Set([...this.names].filter((name) => !gone.has(name))));
  }

  clear(): void {
    this.set(new Set());
  }

  onDidChange(listener: () => void): { dispose(): void } {
    const entry = () => listener();
    this.listeners.add(entry);
    return { dispose: () => void this.listeners.delete(entry) };
  }

  private set(names: ReadonlySet<string>): void {
    const same = names.size === this.names.size && [...names].every((one) => this.names.has(one));
    if (same) return;
    this.names = names;
    // What can not be stored is only not remembered.
    this.storage.update(KEY, { names: [...names] }).then(undefined, () => undefined);
    for (const listener of [...this.listeners]) listener();
  }
}
