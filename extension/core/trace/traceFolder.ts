import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, type Log } from '../log';
import { startOfTrace, TRACE_SUFFIX } from './traceNames';
import { TraceWriter } from './traceWriter';

const KEPT_TRACES = 3;

/** The folder with the traces of the last runs. */
export class TraceFolder {
  private readonly open = new Set<TraceWriter>();

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
    const writer = new TraceWriter(path, this.maxTraceBytes, this.log);
    this.open.add(writer);
    void this.prune();
    return writer;
  }

  async finish(writer: TraceWriter): Promise<void> {
    await writer.close();
    this.open.delete(writer);
    await this.prune();
  }

  /** Paths of the kept traces that are not being written, newest first. */
  async list(): Promise<readonly string[]> {
    const writing = new Set([...this.open].map(({ path }) => path));
    const names = await readdir(this.folder).catch(() => []);
    return names
      .flatMap((name) => {
        const start = startOfTrace(name);
        return start === undefined ? [] : [{ path: join(this.folder, name), start }];
      })
      .filter(({ path }) => !writing.has(path))
      .sort((a, b) => b.start - a.start)
      .map(({ path }) => path);
  }

  async close(): Promise<void> {
    await Promise.all([...this.open].map((writer) => this.finish(writer)));
  }

  private async prune(): Promise<void> {
    const room = Math.max(0, KEPT_TRACES - this.open.size);
    for (const path of (await this.list()).slice(room)) {
      await rm(path, { force: true }).catch((error: unknown) => {
        this.log('warning', `The old trace ${path} could not be removed: ${messageOf(error)}`);
      });
    }
  }
}
