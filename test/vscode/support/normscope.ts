import * as vscode from 'vscode';
import type { NormScopeApi } from '../../../extension/protocol/api';
import type { RunSummary } from '../../../extension/protocol/views';
import { waitFor } from '../../harness/waitFor';

/** The extension's API, after it has been activated. */
export async function normscope(): Promise<NormScopeApi> {
  const extension = vscode.extensions.getExtension<NormScopeApi>('normscope.normscope');
  if (extension === undefined) throw new Error('The extension is not there.');
  return extension.activate();
}

/** The run that started after `since`, once `accept` likes it. */
export async function waitForRun(
  what: string,
  since: number,
  accept: (run: RunSummary) => boolean,
  timeoutMs = 150_000,
): Promise<RunSummary> {
  const api = await normscope();
  let seen: RunSummary | undefined;
  try {
    return await waitFor(
      what,
      () => {
        seen = api.runs().find((run) => run.startedAt >= since);
        return seen !== undefined && accept(seen) ? seen : undefined;
      },
      timeoutMs,
    );
  } catch (error) {
    throw new Error(`${String(error)} The run is: ${JSON.stringify(seen)}`);
  }
}

export const isOver = (run: RunSummary) => run.phase === 'ended' || run.phase === 'disconnected';
