import type { DebugConfiguration } from 'vscode';
import type { NormScopeApi } from '../../extension/protocol/api';
import type { LayerInfo } from '../../extension/protocol/layers';
import type { RunSummary } from '../../extension/protocol/views';
import type { RemoteHost } from './remoteHost';
import { waitFor } from './waitFor';

/** Runs of the extension, oldest first, each with its layers. */
export interface RunWithLayers {
  readonly run: RunSummary;
  readonly layers: readonly LayerInfo[];
}

/** What the tests do in an extension host with NormScope in it. */
export class NormscopeHost {
  constructor(private readonly host: RemoteHost) {}

  /** Starts a configuration, or that of the workspace's launch.json by its name. */
  async startDebugging(name: string | DebugConfiguration): Promise<void> {
    const started = await this.host.run(
      (vscode, configuration) =>
        vscode.debug.startDebugging(vscode.workspace.workspaceFolders?.[0], configuration),
      name,
    );
    if (!started) throw new Error(`VS Code refused to start ${JSON.stringify(name)}.`);
  }

  /** Opens a Python program and debugs it with capture. */
  async debugPython(file: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.host.run(async (vscode, shown) => {
      await vscode.window.showTextDocument(vscode.Uri.file(shown));
    }, file);
    await this.startDebugging({
      type: 'normscope',
      request: 'launch',
      name: 'train',
      program: file,
      console: 'internalConsole',
      env,
    });
  }

  /** Opens a file of the workspace and puts a breakpoint on a line, counted from 1. */
  async breakAt(file: string, line: number): Promise<void> {
    await this.host.run(
      async (vscode, at) => {
        const uri = vscode.Uri.file(at.file);
        const position = new vscode.Position(at.line - 1, 0);
        const range = new vscode.Range(position, position);
        await vscode.window.showTextDocument(uri, {
          selection: range,
          // Beside the panel, not over it.
          viewColumn: vscode.ViewColumn.One,
        });
        vscode.debug.addBreakpoints([
          new vscode.SourceBreakpoint(new vscode.Location(uri, position)),
        ]);
      },
      { file, line },
    );
  }

  async clearBreakpoints(): Promise<void> {
    await this.host.run((vscode) => {
      vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    }, null);
  }

  async command(id: string, ...args: unknown[]): Promise<void> {
    await this.host.run(
      async (vscode, call) => {
        await vscode.commands.executeCommand(call.id, ...call.args);
      },
      { id, args },
    );
  }

  /** How many debug events of a kind there have been. */
  async countEvents(kind: string): Promise<number> {
    return this.host.run(
      (_vscode, event, state) => state.events.filter((one) => one.event === event).length,
      kind,
    );
  }

  async waitForEvent(kind: string, after: number, timeoutMs = 180_000): Promise<void> {
    await waitFor(
      `the debug event "${kind}"`,
      async () => (await this.countEvents(kind)) > after,
      timeoutMs,
    );
  }

  /** The last lines that debugged programs and adapters wrote. */
  async output(): Promise<string> {
    const text = await this.host.run(
      (_vscode, _args, state) => state.events.map((one) => one.text ?? '').join(''),
      null,
    );
    return text.slice(-4000);
  }

  async runs(): Promise<readonly RunWithLayers[]> {
    return this.host.run(async (vscode) => {
      const extension = vscode.extensions.getExtension<NormScopeApi>('normscope.normscope');
      if (extension === undefined) throw new Error('NormScope is not there.');
      const api = await extension.activate();
      return api
        .runs()
        .toSorted((a, b) => a.startedAt - b.startedAt)
        .map((run) => ({ run, layers: api.layers(run.id) }));
    }, null);
  }

  /** The newest run that started after `since` (milliseconds since 1970), once `accept` likes it. */
  waitForRun(
    what: string,
    since: number,
    accept: (run: RunWithLayers) => boolean,
    timeoutMs = 180_000,
  ): Promise<RunWithLayers> {
    return waitFor(
      what,
      async () => (await this.runs()).findLast((one) => one.run.startedAt >= since && accept(one)),
      timeoutMs,
    );
  }
}
