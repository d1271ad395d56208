import { isDeepStrictEqual } from 'node:util';
import type { Breakpoints } from '../protocol/commands';
import type { CaptureSettings } from '../protocol/environment';
import type { AgentQuestion } from '../protocol/frames';
import type { LayerId } from '../protocol/ids';
import type { TensorStop } from '../protocol/tensorBreakpoints';
import { BreakpointJudge } from './breakpoints/judge';
import { breakpointsFor, type JudgedBreakpoint } from './breakpoints/layerBreakpoints';
import type { AgentConnection, AgentPeer } from './collector/agentConnection';
import type { ReceivedFrame } from './frames/receivedFrame';
import type { HubServices } from './hubServices';
import { LimitedLog } from './limitedLog';
import { endNotice, type RunEnd } from './runStore/endNotice';
import type { Run } from './runStore/run';
import type { TraceWriter } from './trace/traceWriter';

/** What a link needs of its session. */
export interface LinkOwner {
  readonly paused: boolean;
  readonly stopping: boolean;
  readonly breakpoints: readonly JudgedBreakpoint[];
  captureSettings(): CaptureSettings;
  /** The run that a newly connected process fills. */
  runFor(program: string): Run;
  notice(message: string): void;
  /** The process runs in a step: it does not stop any more for what was found in earlier ones. */
  asks(run: Run, step: number): void;
  /** The process is about to stop in the debugger. */
  stopped(run: Run, stop: TensorStop): void;
  /** It has, or it will not. */
  stopOver(run: Run): void;
  linkClosed(): void;
}

type Armed = Omit<Breakpoints, 'kind'>;

/** Carries the frames of one process into its run and its trace. */
export class RunLink implements AgentPeer {
  /** Undefined until the process has said which one it is. */
  run: Run | undefined;
  private trace: TraceWriter | undefined;
  private open = true;
  private readonly processLog: LimitedLog;
  private readonly judge = new BreakpointJudge();
  private set: readonly JudgedBreakpoint[] = [];
  private armed: Armed | undefined;

  constructor(
    private readonly services: HubServices,
    private readonly connection: AgentConnection,
    private readonly owner: LinkOwner,
  ) {
    this.processLog = new LimitedLog(services.log);
    this.configure();
    this.setBreakpoints(owner.breakpoints);
  }

  get connected(): boolean {
    return this.open;
  }

  get quietFor(): number {
    return this.connection.quietFor;
  }

  frame(frame: ReceivedFrame, parts: readonly Uint8Array[]): void {
    const { store, traces } = this.services;
    if (frame.kind === 'hello') {
      this.run = this.owner.runFor(frame.program);
      this.run.analysesEvery = this.armed?.steps ?? false;
      this.trace = traces?.write(this.run.origin.id);
      store.update(this.run, { phase: this.owner.paused ? 'paused' : 'running' });
    }
    if (!this.run) return;
    if (frame.kind === 'question') {
      this.decide(this.run, frame);
      return;
    }
    if (frame.kind === 'stop-over') {
      this.owner.stopOver(this.run);
      return;
    }
    store.accept(this.run, frame);
    this.trace?.append(frame.kind, parts);
    if (frame.kind === 'layout') this.arm();
    if (frame.kind === 'log') {
      this.processLog.write(frame.level, `${this.run.program}: ${frame.message}`);
    }
    if (frame.kind === 'event') this.owner.notice(frame.message);
  }

  unreadable(reason: string): void {
    this.services.log('error', `A training process sent something that can not be read. ${reason}`);
    this.finish({ how: 'unreadable', reason });
  }

  closed(): void {
    this.open = false;
    this.processLog.flush();
    if (this.run && !this.run.saidBye)
      this.finish({ how: this.owner.stopping ? 'stopped' : 'vanished' });
    this.owner.linkClosed();
  }

  configure(): void {
    if (this.open)
      this.connection.send({ kind: 'configure', capture: this.owner.captureSettings() });
  }

  focus(layers: readonly LayerId[]): void {
    if (this.open) this.connection.send({ kind: 'focus', layers });
  }

  /** Tells the process what may stop it. */
  setBreakpoints(breakpoints: readonly JudgedBreakpoint[]): void {
    this.judge.set(breakpoints);
    this.set = breakpoints;
    // A process that got no answer in time has switched itself off: it is told all of it again.
    this.armed = undefined;
    this.arm();
  }

  /** Tells the process what it is to look at, where that has changed. */
  private arm(): void {
    const names = this.run?.layers().map(({ info }) => info.name) ?? [];
    const filters = breakpointsFor(this.set, new Set(names)).map(({ filter }) => filter);
    const armed = {
      steps: filters.some((filter) => filter !== 'nonfinite'),
      nonFinite: filters.includes('nonfinite'),
    };
    if (this.run) this.run.analysesEvery = armed.steps;
    if (isDeepStrictEqual(armed, this.armed)) return;
    this.armed = armed;
    if (this.open) this.connection.send({ kind: 'breakpoints', ...armed });
  }

  private decide(run: Run, asked: AgentQuestion): void {
    this.owner.asks(run, asked.step);
    const isStep = asked.about === 'step';
    const stop = isStep ? this.judge.step(run, asked.step) : this.judge.nonFinite(asked);
    if (stop) this.owner.stopped(run, stop);
    const { question } = asked;
    this.connection.send({ kind: 'verdict', question, stop: stop !== undefined });
  }

  /** Ends the run, once; the trace is closed. */
  finish(end: RunEnd): void {
    const { run, trace } = this;
    if (run && !run.over) {
      const notice = endNotice(run, end);
      const orderly = end.how !== 'vanished' && end.how !== 'unreadable';
      // Who stopped it knows; the panel says it.
      const known = end.how === 'stopped' || notice === run.notice;
      if (notice !== null && !known) this.owner.notice(notice);
      if (run.stepsOutOfOrder > 0) {
        const left = `${run.stepsOutOfOrder} steps came out of order and were left out.`;
        this.services.log('warning', `${run.program}: ${left}`);
      }
      this.services.store.update(run, { phase: orderly ? 'ended' : 'disconnected', notice });
    }
    if (trace) void this.services.traces?.finish(trace);
    this.trace = undefined;
  }

  disconnect(): void {
    this.connection.destroy();
  }
}
