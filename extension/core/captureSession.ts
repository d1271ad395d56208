import type { CaptureSettings } from '../protocol/environment';
import type { RunId } from '../protocol/ids';
import type { TensorBreakpoint, TensorStop } from '../protocol/tensorBreakpoints';

/** Where a debug session's runs come from. */
export interface SessionOrigin {
  /** Type of the debug session. */
  readonly sessionType: string;
  /** The script as the user named it. */
  readonly program: string;
  /** What this session's configuration overrides of the capture settings. */
  readonly capture?: Partial<CaptureSettings>;
}

/** Why a process of a session stopped. */
export type SessionStop = TensorStop & { readonly run: RunId };

/** One debug session with all processes that were started in its environment. */
export interface CaptureSession {
  readonly token: string;
  /** What the processes need in their environment: address, token and capture settings. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * One for each process that loaded a framework, as long as it is kept; before the first, the run
   * that waits for it.
   */
  readonly runs: readonly RunId[];
  /** Resolves when everything was read and said after {@link end}: no further notice comes. */
  readonly finished: Promise<void>;
  setPaused(paused: boolean): void;
  /** What may stop the session's processes, now and later. */
  setTensorBreakpoints(breakpoints: readonly TensorBreakpoint[]): void;
  /**
   * Why a process stops in the debugger now, once; undefined where it was none of the breakpoints.
   * @param pid - of the process; null where it is not known: then the only one that is connected counts
   * @param sure - whether it is the process itself, and none that started it
   */
  takeTensorStop(pid: number | null, sure?: boolean): SessionStop | undefined;
  /** The person asked to stop: a process that falls silent from now on was stopped, it did not vanish. */
  setStopping(): void;
  /** The debugger could not start the program or reach it, and said why. */
  setFailed(): void;
  /**
   * The debug session is over. Runs go to `ended`, or to `disconnected` when their process vanished
   * without a word, after a short time in which what is still on its way is read.
   */
  end(exitCode?: number | null): void;
  /** Sentences for the person. The last ones come after {@link end}, until {@link finished}. */
  onNotice(listener: (message: string) => void): { dispose(): void };
}
