import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { INTERPOSED_ATTRIBUTE } from '../../protocol/ownSessions';
import type { AdapterFactory } from '../adapterFactory';
import { isChildSession, type PythonConfiguration } from '../debugConfiguration';
import type { SessionTracker } from '../sessionTracker';
import { startOfExisting } from './automaticCapture';
import { LoopbackServer } from './loopbackServer';

/** Debug types of VS Code's Python extensions, whose adapter is debugpy's too. */
export const EXISTING_TYPES = ['debugpy', 'python'] as const;

/** Launches whose ports stay open, for their sessions to be restarted. */
const MOST_SERVERS = 16;

interface Prepared {
  readonly server: LoopbackServer;
  adapterFor(session: vscode.DebugSession): vscode.DebugAdapter;
}

/**
 * Puts our adapter in front of debugpy's for sessions of other extensions' Python debuggers that
 * ask for capture. Their type stays, and with it all that other extensions do for it: VS Code is
 * told to connect to a port, where ours answers.
 */
export class ExistingSessions
  implements vscode.DebugConfigurationProvider, vscode.DebugAdapterTrackerFactory
{
  private readonly prepared = new Map<number, Prepared>();

  constructor(
    private readonly factory: AdapterFactory,
    private readonly tracker: SessionTracker,
    private readonly captureEnabled: () => boolean,
  ) {}

  async resolveDebugConfigurationWithSubstitutedVariables(
    folder: vscode.WorkspaceFolder | undefined,
    configuration: PythonConfiguration,
  ): Promise<vscode.DebugConfiguration | undefined> {
    // Who names an adapter wants that one. A child process has its parent's capture.
    const taken = configuration.debugServer !== undefined || isChildSession(configuration);
    if (taken || !vscode.workspace.isTrusted || !this.captureEnabled()) return configuration;
    const start = await startOfExisting(configuration);
    if (start === 'cancelled') return undefined;
    if (start === 'plain') return configuration;
    try {
      const adapterFor = await this.factory.prepare(folder, { normscope: true, ...configuration });
      const key = randomBytes(32).toString('hex');
      const server = await LoopbackServer.listen(INTERPOSED_ATTRIBUTE, key);
      this.keep({ server, adapterFor });
      return { ...configuration, [INTERPOSED_ATTRIBUTE]: key, debugServer: server.port };
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      void vscode.window.showWarningMessage(
        vscode.l10n.t('Debugging goes on without norm capture. {0}', detail),
      );
      return configuration;
    }
  }

  /** Not async, and called before VS Code connects: now the session is known. */
  createDebugAdapterTracker(session: vscode.DebugSession): vscode.DebugAdapterTracker | undefined {
    const port: unknown = session.configuration.debugServer;
    const found = typeof port === 'number' ? this.prepared.get(port) : undefined;
    found?.server.serve(found.adapterFor(session));
    // Our adapter follows its session itself; of another one, only what capture is injected into.
    return found ? undefined : this.follower(session);
  }

  private follower(session: vscode.DebugSession): vscode.DebugAdapterTracker {
    return {
      onWillReceiveMessage: (message) => this.tracker.of(session)?.asked(session.id, message),
      onDidSendMessage: (message) => this.tracker.of(session)?.observe(session.id, message),
    };
  }

  dispose(): void {
    for (const { server } of this.prepared.values()) server.dispose();
    this.prepared.clear();
  }

  private keep(prepared: Prepared): void {
    this.prepared.set(prepared.server.port, prepared);
    for (const [port, { server }] of this.prepared) {
      if (this.prepared.size <= MOST_SERVERS) break;
      this.prepared.delete(port);
      server.dispose();
    }
  }
}
