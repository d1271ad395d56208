import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { decodeBlob, MalformedBlob } from '../../protocol/safetensors';
import { AgentFrameParser } from '../collector/parseAgentFrame';
import { messageOf } from '../log';
import type { Run } from '../runStore/run';
import type { RunStore } from '../runStore/runStore';
import { readEntry, traceEntries } from './traceEntries';
import { startOfTrace, TRACE_SUFFIX } from './traceNames';

/** A trace that ends between frames and without the process's last one. */
const CUT = ' The process did not end in order, or the rest of its trace was not kept.';

/** Kinds that a restored run does not need. */
const SKIPPED = new Set(['log']);

function dateText(milliseconds: number): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return 'an unknown time';
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/**
 * Loads a trace as a run that is over. What can be read of a damaged file is shown, and the run's
 * notice says that something is missing.
 *
 * @returns undefined when the store has the run already.
 * @throws an Error with one sentence when the file holds no run.
 */
export async function replayTrace(path: string, store: RunStore): Promise<Run | undefined> {
  const id = basename(path, TRACE_SUFFIX);
  if (store.runs().some((run) => run.id === id)) return undefined;
  const startedAt = startOfTrace(basename(path)) ?? 0;
  const file = await open(path, 'r');
  let run: Run | undefined;
  let lost = '';
  try {
    const parser = new AgentFrameParser();
    const { size } = await file.stat();
    const entries = traceEntries(file, size);
    for (;;) {
      const next = await entries.next();
      if (next.done) {
        if (next.value === 'torn') lost = ' Its last frame is not whole and was left out.';
        break;
      }
      if (SKIPPED.has(next.value.kind)) continue;
      const frame = parser.parse(decodeBlob(await readEntry(file, next.value)));
      if (!frame) continue;
      if (frame.kind === 'hello') {
        run = store.create({ id, program: frame.program, sessionType: '', startedAt });
      }
      if (run) store.accept(run, frame);
    }
  } catch (error) {
    lost = ` The rest of its trace could not be read: ${messageOf(error)}`;
  } finally {
    await file.close();
  }
  if (!run) throw new MalformedBlob(`The trace ${path} holds no run.${lost}`);
  if (!run.saidBye && lost === '') lost = CUT;
  store.update(run, {
    phase: 'ended',
    notice: `Restored from the run of ${dateText(startedAt)}.${lost}`,
  });
  return run;
}
