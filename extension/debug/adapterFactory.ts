import { existsSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { CaptureSession } from '../core/captureHub';
import type { RunStore } from '../core/runStore/runStore';
import { captureOff } from './captureOff';
import { captureOverrides } from './captureOverrides';
import { isChildSession, programName, wantsCapture } from './debugConfiguration';
import { connectTarget } from './interposer/startTarget';
import { Interposer } from './interposer/interposer';
import type { NormLayers } from './interposer/normLayersScope';
import type { UpstreamTarget } from './interposer/upstream';
import { InterposerAdapter } from './interposerAdapter';
import { interpreterAdvice } from './interpreterAdvice';
import { normLayerRows } from './normLayerRows';
import type { PendingCaptures } from './pendingCaptures';
import { chooseInterpreter } from './pythonInterpreter';
import type { SessionTracker } from './sessionTracker';
import type { TensorStops } from './tensorStopWords';
import { tensorBreakpointsOf } from './tensorBreakpointsOf';
import { tensorTextsSetting } from './tensorTextsSetting';
import { terminalEnvironment } from './terminalEnvironment';
import { TrackedSession } from './trackedSession';

export interface AdapterFactoryOptions {
  readonly captures: PendingCaptures;
  readonly tracker: SessionTracker;
  readonly stops: TensorStops;
  /** Folder of the Python agent. */
  readonly agentDir: string;
  readonly log: (line: string) => void;
  readonly store: RunStore;
}

interface Upstream {
  readonly target: UpstreamTarget;
  /** What the person should know but that does not keep from debugging. */
  readonly warning?: string | undefined;
}

/** Makes a debug adapter of the interposer for each session of our type. */
export class AdapterFactory implements vscode.DebugAdapterDescriptorFactory {
  constructor(private readonly options: AdapterFactoryOptions) {}

  /** @throws Error with the sentence that VS Code shows as the reason why the launch failed. */
  async createDebugAdapterDescriptor(
    session: vscode.DebugSession,
  ): Promise<vscode.DebugAdapterDescriptor> {
    const upstream = await this.upstream(session.workspaceFolder, session.configuration);
    const adapter = isChildSession(session.configuration)
      ? this.childAdapter(session, upstream.target)
      : this.rootAdapter(session, upstream);
    return new vscode.DebugAdapterInlineImplementation(adapter);
  }

  /**
   * Readies an adapter for a session that is to begin with this configuration.
   * @throws Error with a sentence that says why there can be none.
   */
  async prepare(
    folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): Promise<(session: vscode.DebugSession) => vscode.DebugAdapter> {
    const upstream = await this.upstream(folder, configuration);
    return (session) => this.rootAdapter(session, upstream);
  }

  private async upstream(
    workspaceFolder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): Promise<Upstream> {
    const connect = connectTarget(configuration);
    if (connect) return { target: connect };
    if (!vscode.workspace.isTrusted) {
      throw new Error(
        vscode.l10n.t('This workspace is not trusted: trust it to run its programs.'),
      );
    }
    const python = await chooseInterpreter(workspaceFolder, configuration);
    const advice = await interpreterAdvice(python, configuration);
    if (advice.problem !== undefined) throw new Error(advice.problem);
    const cwd: unknown = configuration.cwd ?? workspaceFolder?.uri.fsPath;
    const target = {
      kind: 'spawn' as const,
      python: python ?? [],
      cwd: typeof cwd === 'string' ? cwd : undefined,
    };
    return { target, warning: wantsCapture(configuration) ? advice.warning : undefined };
  }

  private childAdapter(session: vscode.DebugSession, upstream: UpstreamTarget): InterposerAdapter {
    const tracked = this.options.tracker.of(session);
    const interposer = new Interposer({
      upstream,
      tensors: this.tensorTexts(),
      normLayers: this.layersOf(tracked?.capture),
      tensorBreakpoints: this.breakpointsOf(tracked?.capture),
      onNotice: (sentence) => tracked?.warn(sentence),
      log: this.options.log,
      translate: vscode.l10n.t,
    });
    return new InterposerAdapter(interposer, {
      onSent: (message) => tracked?.observe(session.id, message),
    });
  }

  private rootAdapter(session: vscode.DebugSession, upstream: Upstream): InterposerAdapter {
    const { tracker, agentDir, log } = this.options;
    const capture = this.openCapture(session);
    const interposer = new Interposer({
      upstream: upstream.target,
      capture: capture && { agentDir, environment: capture.environment },
      tensors: this.tensorTexts(),
      normLayers: this.layersOf(capture),
      tensorBreakpoints: this.breakpointsOf(capture),
      baseEnvironment: terminalEnvironment(session),
      onNotice: (sentence) => {
        if (tracked) tracked.warn(sentence);
        else void vscode.window.showWarningMessage(sentence);
      },
      log,
      translate: vscode.l10n.t,
    });
    const tracked =
      capture &&
      new TrackedSession(capture, session.id, {
        print: (line) => interposer.print(line),
        show: (sentence) => void vscode.window.showWarningMessage(sentence),
      });
    if (tracked) tracker.add(session, tracked);
    const { warning } = upstream;
    let greet: (() => void) | undefined;
    if (this.isOff(session)) greet = () => interposer.print(captureOff());
    else if (warning !== undefined) greet = () => tracked?.tell(warning);
    return new InterposerAdapter(interposer, {
      onReceived: (message) => tracked?.asked(session.id, message),
      onSent: (message) => {
        tracked?.observe(session.id, message);
        // The debug console takes text once the adapter has answered.
        const first = greet;
        greet = undefined;
        first?.();
      },
      onDispose: () => tracked && tracker.end(session, tracked),
    });
  }

  /** Nothing where the extension lacks the agent. */
  private tensorTexts() {
    const { agentDir } = this.options;
    const isThere = existsSync(path.join(agentDir, 'pydevd_plugins'));
    return isThere ? tensorTextsSetting(agentDir) : undefined;
  }

  private layersOf(capture: CaptureSession | undefined): NormLayers | undefined {
    const { store } = this.options;
    return capture && { rows: () => normLayerRows(store, capture.runs, vscode.l10n.t) };
  }

  private breakpointsOf(capture: CaptureSession | undefined) {
    return capture && tensorBreakpointsOf(capture, this.options.stops);
  }

  /** Whether capture is asked for and the settings turn it off. */
  private isOff(session: vscode.DebugSession): boolean {
    return wantsCapture(session.configuration) && !this.options.captures.enabled;
  }

  private openCapture(session: vscode.DebugSession): CaptureSession | undefined {
    const { captures, agentDir } = this.options;
    if (!wantsCapture(session.configuration) || this.isOff(session)) return undefined;
    if (!existsSync(path.join(agentDir, 'normscope'))) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          'The NormScope agent for Python is missing: install the extension again; debugging goes on without capture.',
        ),
      );
      return undefined;
    }
    const program = programName(session.configuration);
    const capture = captures.open({
      sessionType: session.type,
      program,
      capture: captureOverrides(session.configuration.normscope),
    });
    return capture && captures.claim(capture.token);
  }
}
