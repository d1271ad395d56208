import * as vscode from 'vscode';
import type { EditorModel } from '../core/editor/editorModel';
import type { Run } from '../core/runStore/run';

/**
 * A source file as the process ran it; `changed` where it was saved after the process had started,
 * so that this is not known any more; `unread` until it was looked at, or where it is not here.
 */
export type FileSnapshot = { readonly lines: readonly string[] } | 'changed' | 'unread';

const MAX_BYTES = 2 * 1024 * 1024;
const MAX_FILES = 128;

export const linesOf = (text: string): readonly string[] => text.split(/\r\n|\r|\n/);

async function read(file: string, startedAt: number): Promise<FileSnapshot> {
  const uri = vscode.Uri.file(file);
  const { type, size, mtime } = await vscode.workspace.fs.stat(uri);
  // Files of the system that have no size can be endless.
  if ((type & vscode.FileType.File) === 0 || size === 0) return 'unread';
  if (mtime > startedAt || size > MAX_BYTES) return 'changed';
  return { lines: linesOf(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri))) };
}

/** Keeps the source files of runs as they were when their processes started. */
export class FileSnapshots implements vscode.Disposable {
  private readonly kept = new Map<string, FileSnapshot>();
  private readonly subscription: { dispose(): void };
  private seen: { readonly run: Run; readonly version: number } | undefined;

  constructor(private readonly model: EditorModel) {
    this.subscription = model.onDidChange(() => this.readCurrent());
  }

  /** @param file - a key of the location index */
  of(run: Run, file: string): FileSnapshot {
    const known = this.kept.get(`${run.origin.id} ${file}`);
    if (known === undefined) this.load(run, file);
    return known ?? 'unread';
  }

  dispose(): void {
    this.subscription.dispose();
  }

  /** Before anyone edits them. */
  private readCurrent(): void {
    const run = this.model.current.get();
    const { version } = this.model.locations;
    if (!run || (this.seen?.run === run && this.seen.version === version)) return;
    this.seen = { run, version };
    for (const file of this.model.locations.filesOf(run).slice(0, MAX_FILES / 2)) {
      this.of(run, file);
    }
  }

  private load(run: Run, file: string): void {
    const key = `${run.origin.id} ${file}`;
    this.kept.set(key, 'unread');
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= MAX_FILES) break;
      this.kept.delete(oldest);
    }
    read(file, run.summary().startedAt).then(
      (snapshot) => {
        if (!this.kept.has(key)) return;
        this.kept.set(key, snapshot);
        this.model.changed();
      },
      // A file of another machine, or one that is gone: no document will be asked for it.
      () => undefined,
    );
  }
}
