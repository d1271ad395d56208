import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import {
  CaptureHub,
  type CaptureSession,
  type HubOptions,
} from '../../../extension/core/captureHub';
import { DEFAULT_CAPTURE } from '../../../extension/protocol/environment';
import type { RunSummary } from '../../../extension/protocol/views';
import { connectAgent, until } from '../../fixtures/agentSocket';

/** A hub in a folder of its own, and what tests do to it. */
export class HubBench {
  folder = '';
  readonly log: string[] = [];
  private current: CaptureHub | undefined;
  private readonly sockets: Socket[] = [];

  get hub(): CaptureHub {
    if (!this.current) throw new Error('The hub was not started.');
    return this.current;
  }

  /** Starts a hub in the folder; an earlier one must have been disposed of. */
  async start(change: Partial<HubOptions> = {}): Promise<void> {
    this.current = await CaptureHub.start({
      socketRoot: this.folder,
      traceDir: join(this.folder, 'traces'),
      capture: DEFAULT_CAPTURE,
      log: (_, message) => void this.log.push(message),
      ...change,
    });
  }

  async setUp(): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'ns-'));
    this.log.length = 0;
    await this.start();
  }

  async tearDown(): Promise<void> {
    for (const socket of this.sockets.splice(0)) socket.destroy();
    await this.hub.dispose();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** A session that collects its notices. */
  open(program = '/home/ada/train.py'): CaptureSession & { readonly notices: string[] } {
    const session = this.hub.openSession({ sessionType: 'normscope', program });
    const notices: string[] = [];
    session.onNotice((message) => notices.push(message));
    return Object.assign(session, { notices });
  }

  /** A process of the session that has sent its token. */
  async agent(session: CaptureSession): Promise<Socket> {
    const socket = await connectAgent(session.environment);
    this.sockets.push(socket);
    return socket;
  }

  summary(session: CaptureSession, at = 0): RunSummary {
    const found = this.hub.store.runs().find((entry) => entry.id === session.runs[at]);
    if (!found) throw new Error('The session has no such run.');
    return found;
  }

  /** Waits until the session's run is in a phase. */
  phase(session: CaptureSession, wanted: RunSummary['phase'], at = 0): Promise<void> {
    return until(() => this.summary(session, at).phase === wanted, `the run is ${wanted}`);
  }
}

/** A fresh hub for each test of a file. */
export function useHub(): HubBench {
  const bench = new HubBench();
  beforeEach(() => bench.setUp());
  afterEach(() => bench.tearDown());
  return bench;
}
