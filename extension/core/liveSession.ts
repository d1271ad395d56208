import { isDeepStrictEqual } from 'node:util';
import {
  ADDRESS_VARIABLE,
  CAPTURE_VARIABLE,
  TOKEN_VARIABLE,
  type CaptureSettings,
} from '../protocol/environment';
import type { LayerId, RunId } from '../protocol/ids';
import type { TensorBreakpoint, TensorStop } from '../protocol/tensorBreakpoints';
import type { JudgedBreakpoint } from './breakpoints/layerBreakpoints';
import type { CaptureSession, SessionOrigin, SessionStop } from './captureSession';
import type { AgentConnection, AgentPeer } from './collector/agentConnection';
import { newToken } from './collector/tokens';
import type { HubServices } from './hubServices';
import { endNotice } from './runStore/endNotice';
import type { Run } from './runStore/run';
import { notificationText } from './plainText';
import { RunLink, type LinkOwner } from './runLink';
import { traceStem } from './trace/traceNames';

/** How long a process may take to connect after its debug session is over. */
const CONNECT_GRACE_MS = 600;
/** How long a connected process may be silent then: its last words come as it exits. */
const SILENCE_MS = 2_500;
const POLL_MS = 100;
/** How long a process that goes on sending after its debug session is listened to. */
const LONGEST_GRACE_MS = 10_000;
const MAX_NOTICES = 100;

/** A debug session while its token is valid. */
export class LiveSession implements CaptureSession, LinkOwner {
  readonly token = newToken();
  readonly environment: Readonly<Record<string, string>>;
  paused = false;
  stopping = false;
  private failed = false;
  /** What the session's own debug adapter was asked to stop at. */
  private ownBreakpoints: readonly TensorBreakpoint[] = [];
  readonly finished: Promise<void>;
  private resolveFinished: () => void = () => {};
  /** Of processes that are connected; what the store keeps of the others is the store's alone. */
  private links: RunLink[] = [];
  private hadProcess = false;
  private readonly listeners = new Set<(message: string) => void>();
  private readonly told = new Set<string>();
  /** Waits for the first process. */
  private waiting: Run | undefined;
  private readonly firstRun: RunId;
  private runIds: readonly RunId[];
  /** Of processes that are about to stop, by process id. */
  private readonly stops = new Map<number, SessionStop>();
  private exitCode: number | null = null;
  private timer: NodeJS.Timeout | undefined;
  private ending: number | undefined;
  private over = false;

  /** @param onOver - called once, when the token is not valid any more */
  constructor(
    private readonly services: HubServices,
    private readonly origin: SessionOrigin,
    private readonly onOver: (session: LiveSession) => void,
  ) {
    this.environment = {
      [ADDRESS_VARIABLE]: services.endpoint,
      [TOKEN_VARIABLE]: this.token,
      [CAPTURE_VARIABLE]: JSON.stringify(this.captureSettings()),
    };
    this.finished = new Promise((resolve) => (this.resolveFinished = resolve));
    this.waiting = this.newRun(origin.program);
    this.firstRun = this.waiting.origin.id;
    this.runIds = [this.firstRun];
  }

  get breakpoints(): readonly JudgedBreakpoint[] {
    // After the end nobody would let a process go on.
    if (this.ending !== undefined) return [];
    return [...this.ownBreakpoints, ...this.services.layerBreakpoints()];
  }

  get runs(): readonly RunId[] {
    return this.runIds;
  }

  attach(connection: AgentConnection): AgentPeer {
    const link = new RunLink(this.services, connection, this);
    this.links.push(link);
    this.hadProcess = true;
    return link;
  }

  runFor(program: string): Run {
    const { waiting } = this;
    this.waiting = undefined;
    if (waiting) return waiting;
    const run = this.newRun(program);
    const kept = this.runIds.filter((id) => this.services.store.get(id));
    this.runIds = [...kept, run.origin.id];
    return run;
  }

  setPaused(paused: boolean): void {
    this.paused = paused;
    for (const { run } of this.links) {
      if (run?.phase !== 'running' && run?.phase !== 'paused') continue;
      this.services.store.update(run, { phase: paused ? 'paused' : 'running' });
    }
  }

  setStopping(): void {
    this.stopping = true;
  }

  setFailed(): void {
    this.failed = true;
  }

  captureSettings(): CaptureSettings {
    return { ...this.services.capture(), ...this.origin.capture };
  }

  onNotice(listener: (message: string) => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /** @param text - may be a process's own; it is made harmless for a notification here */
  notice(text: string): void {
    const message = notificationText(text);
    if (this.told.has(message) || this.told.size >= MAX_NOTICES) return;
    this.told.add(message);
    for (const listener of this.listeners) {
      try {
        listener(message);
      } catch {
        // A listener's error must not reach the socket that the frames come from.
      }
    }
  }

  setTensorBreakpoints(breakpoints: readonly TensorBreakpoint[]): void {
    // Each session of a child process sets the same ones again.
    if (isDeepStrictEqual(breakpoints, this.ownBreakpoints)) return;
    this.ownBreakpoints = breakpoints;
    this.stops.clear();
    this.tellBreakpoints();
  }

  layerBreakpointsChanged(): void {
    this.tellBreakpoints();
  }

  asks(run: Run, step: number): void {
    const stop = this.stops.get(run.pid);
    if (stop && stop.step < step) this.stops.delete(run.pid);
  }

  stopped(run: Run, stop: TensorStop): void {
    this.stops.set(run.pid, { ...stop, run: run.origin.id });
  }

  stopOver(run: Run): void {
    this.stops.delete(run.pid);
  }

  takeTensorStop(pid: number | null, sure = false): SessionStop | undefined {
    const known = pid !== null && (sure || this.stops.has(pid));
    // The process may be another one than was started, as behind a launcher of a virtual environment.
    const [only] = this.links.length === 1 ? this.stops.keys() : [];
    const from = known ? pid : only;
    if (from === undefined) return undefined;
    const stop = this.stops.get(from);
    this.stops.delete(from);
    return stop;
  }

  configure(): void {
    for (const link of this.links) link.configure();
  }

  focus(run: RunId, layers: readonly LayerId[]): void {
    this.links.find((link) => link.run?.origin.id === run)?.focus(layers);
  }

  end(exitCode: number | null = null): void {
    if (this.ending !== undefined) return;
    this.exitCode = exitCode;
    this.ending = performance.now();
    this.stops.clear();
    this.tellBreakpoints();
    this.settle();
  }

  linkClosed(): void {
    this.finishAfterBye();
    this.links = this.links.filter((link) => link.connected);
    if (this.ending !== undefined) this.settle();
  }

  /** Ends everything now. */
  close(): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.timer);
    for (const link of this.links) {
      link.finish(link.run?.saidBye ? this.orderly() : { how: 'released' });
      link.disconnect();
    }
    this.finishFirst();
    this.waiting = undefined;
    this.onOver(this);
    this.resolveFinished();
  }

  /** Ends the run that no process filled; adds the exit code, which is the first process's. */
  private finishFirst(): void {
    const first = this.services.store.get(this.firstRun);
    if (!first || (first !== this.waiting && !(first.saidBye && this.exitCode))) return;
    const known = !first.connected && (this.failed ? 'failed' : this.stopping && 'stopped');
    const notice = endNotice(first, known ? { how: known } : this.orderly());
    if (notice !== null && notice !== first.notice && !known) this.notice(notice);
    this.services.store.update(first, { phase: 'ended', notice });
  }

  private tellBreakpoints(): void {
    const { breakpoints } = this;
    for (const link of this.links) link.setBreakpoints(breakpoints);
  }

  private orderly() {
    return { how: 'ended', exitCode: this.exitCode } as const;
  }

  /** A process that said goodbye has ended, whatever the debug session does. */
  private finishAfterBye(): void {
    for (const link of this.links) {
      if (!link.connected && link.run?.saidBye) link.finish(this.orderly());
    }
  }

  /** Closes when nothing is on its way any more, or after the time for it. */
  private settle(): void {
    if (this.over || this.ending === undefined) return;
    clearTimeout(this.timer);
    const sinceEnd = performance.now() - this.ending;
    const allClosed = this.hadProcess && this.links.length === 0;
    if (allClosed || sinceEnd >= LONGEST_GRACE_MS) {
      this.close();
    } else if (this.isQuiet(sinceEnd)) {
      // After a long pause of this process, what has arrived meanwhile is read first.
      setImmediate(() => (this.isQuiet(sinceEnd) ? this.close() : this.settle()));
    } else {
      this.timer = setTimeout(() => this.settle(), POLL_MS);
    }
  }

  private isQuiet(sinceEnd: number): boolean {
    const wait = this.links.length > 0 ? SILENCE_MS : CONNECT_GRACE_MS;
    return sinceEnd >= wait && this.links.every((link) => link.quietFor >= SILENCE_MS);
  }

  private newRun(program: string): Run {
    const startedAt = Date.now();
    return this.services.store.create({
      id: traceStem(startedAt, program),
      program,
      sessionType: this.origin.sessionType,
      startedAt,
    });
  }
}
