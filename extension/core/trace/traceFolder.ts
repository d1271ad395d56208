import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, type Log } from '../log';
import { isRegularFile } from './regularFile';
import { isWrittenElsewhere, lockTrace } from './traceLock';
import { startOfTrace, TRACE_SUFFIX } from './traceNames';
import { TraceWriter } from './traceWriter';

const KEPT_TRACES = 3;

/** Newest first. */
export interface TraceList {
  readonly kept: readonly string[];
  /** Another window writes them. */
  readonly elsewhere: readonly string[];
}

type Unlock = () => Promise<void>;

/** The folder with the traces of the last runs; windows may share it. */
export class TraceFolder {
  private readonly open = new Map<TraceWriter, Unlock>();
  private readonly finishing = new Map<TraceWriter, Promise<void>>();
  private pruned = Promise.resolve();

  private constructor(
    private readonly folder: string,
    private readonly maxTraceBytes: number,
    private readonly log: Log,
  ) {}

  /** @returns undefined, after a word in the log, when the folder can not be made. */
  static async at(folder: string, maxTraceBytes: number, log: Log) {
    try {
      await mkdir(folder, { recursive: true });
      return new TraceFolder(folder, maxTraceBytes, log);
    } catch (error) {
      log('warning', `Runs are not kept over a reload: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** Begins the trace of a run. */
  write(stem: string): TraceWriter {
    const path = join(this.folder, stem + TRACE_SUFFIX);
    const unlock = this.lock(path);
    const writer = new TraceWriter(path, this.maxTraceBytes, this.log);
    this.open.set(writer, unlock);
    void this.prune();
    return writer;
  }

  finish(writer: TraceWriter): Promise<void> {
    const finishing = this.finishing.get(writer) ?? this.finishNow(writer);
    this.finishing.set(writer, finishing);
    return finishing;
  }

  /** Paths of the traces that nobody writes any more, and of those that another window writes. */
  async list(): Promise<TraceList> {
    const names = await readdir(this.folder).catch(() => []);
    const writing = new Set([...this.open.keys()].map(({ path }) => path));
    const traces = names
      .flatMap((name) => {
        const start = startOfTrace(name);
        return start === undefined ? [] : [{ path: join(this.folder, name), start }];
      })
      .filter(({ path }) => !writing.has(path))
      .sort((a, b) => b.start - a.start);
    const kept: string[] = [];
    const elsewhere: string[] = [];
    for (const { path } of traces) {
      if (!(await isRegularFile(path))) continue;
      ((await isWrittenElsewhere(path)) ? elsewhere : kept).push(path);
    }
    return { kept, elsewhere };
  }

  /** Finishes all traces, and waits for those that are being finished. */
  async close(): Promise<void> {
    for (const writer of this.open.keys()) void this.finish(writer);
    await Promise.all(this.finishing.values());
    await this.pruned;
  }

  private async finishNow(writer: TraceWriter): Promise<void> {
    await writer.close();
    const unlock = this.open.get(writer);
    this.open.delete(writer);
    await unlock?.().catch((error: unknown) => this.log('warning', messageOf(error)));
    await this.prune();
    this.finishing.delete(writer);
  }

  private lock(path: string): Unlock {
    try {
      return lockTrace(path);
    } catch (error) {
      this.log('warning', `The trace ${path} could not be marked as ours: ${messageOf(error)}`);
      return async () => {};
    }
  }

  /** One at a time, so that each sees what the one before has left. */
  private prune(): Promise<void> {
    this.pruned = this.pruned.then(() => this.pruneNow());
    return this.pruned;
  }

  private async pruneNow(): Promise<void> {
    const { kept } = await this.list();
    const room = Math.max(0, KEPT_TRACES - this.open.size);
    for (const path of kept.slice(room)) {
      await rm(path, { force: true }).catch((error: unknown) => {
        this.log('warning', `The old trace ${path} could not be removed: ${messageOf(error)}`);
      });
    }
  }
}
