import type { Run } from './run';

/** How a run came to its end. */
export type RunEnd =
  /** The process said so, or never connected. */
  | { readonly how: 'ended'; readonly exitCode: number | null }
  /** The connection broke off without a word. */
  | { readonly how: 'vanished' }
  /** The person stopped it. */
  | { readonly how: 'stopped' }
  /** The debugger never reached it. */
  | { readonly how: 'failed' }
  /** The debug session is over, the process is not. */
  | { readonly how: 'released' }
  /** The process sent something that can not be read. */
  | { readonly how: 'unreadable'; readonly reason: string };

/** One sentence about the end of a run; null when there is nothing to say. */
export function endNotice(run: Run, end: RunEnd): string | null {
  const { program } = run;
  const step = run.lastStep;
  const where = lastCaptured(step);
  switch (end.how) {
    case 'vanished':
      return `The training process vanished (it may have been killed)${where}`;
    case 'stopped':
      return `${program} was stopped${where}`;
    case 'failed':
      return `The debugger did not reach ${program}, so there was nothing to capture.`;
    case 'released':
      return `The debug session ended while ${program} was still running${step === null ? ',' : ''}${where}`;
    case 'unreadable':
      return `Capture of ${program} stopped${where} ${end.reason}`;
    case 'ended':
      return orderlyEnd(run, end.exitCode);
  }
}

/** The process may have been further. */
const lastCaptured = (step: number | null) =>
  step === null ? ' before a step was captured.' : `; the last captured step is ${step}.`;

function orderlyEnd(run: Run, exitCode: number | null): string | null {
  const { program } = run;
  const failed = exitCode !== null && exitCode !== 0;
  const code = failed ? ` with exit code ${exitCode}` : '';
  if (!run.connected) {
    const before = failed ? 'before importing' : 'without importing';
    return (
      `${program} ended${code} ${before} PyTorch or TensorFlow.js, ` +
      'so there was nothing to capture.'
    );
  }
  const nothing = run.lastStep === null || run.layers().length === 0;
  // The agent knew more about it, such as what to do.
  if (nothing && run.notice !== null) return run.notice;
  if (run.layers().length === 0) {
    return `No normalization layer was found in ${program}, so there is nothing to show.`;
  }
  if (run.lastStep === null) return `${program} ended${code} before a training step was captured.`;
  return failed ? `${program} ended${code}${lastCaptured(run.lastStep)}` : run.notice;
}
