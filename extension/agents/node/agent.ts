import { PROTOCOL_VERSION, type Hello } from '../../protocol/frames';
import { MAX_TEXT } from '../../protocol/limits';
import { Breakpoints } from './breakpoints';
import { Capture } from './capture';
import { connectOptions } from './endpoint';
import { FrameSink } from './frameSink';
import { FrameworkHook } from './frameworkHook';
import { Guard } from './guard';
import { drainAtEnd } from './processEnd';
import { scanModules, watchModules } from './moduleHook';
import { parseCommand, type AgentSettings } from './settings';
import { TensorDescriptions } from './tensors/describe';
import { readTextOptions } from './tensors/options';
import { Transport } from './transport';

/** Puts the hooks in place. Nothing is sent, and nothing else done, before a program trains. */
export function startAgent(settings: AgentSettings): void {
  const options = connectOptions(settings.address);
  if (!options) return;
  let framework: FrameworkHook | undefined = undefined;
  let searching = false;

  const hello = (): Hello => ({
    kind: 'hello',
    protocol: PROTOCOL_VERSION,
    agent: 'node',
    framework: 'tfjs',
    frameworkVersion: framework?.version ?? '',
    backend: framework?.backend ?? '',
    runtimeVersion: process.version,
    pid: process.pid,
    program: (process.argv[1] ?? '').slice(0, MAX_TEXT),
    startedAt: Date.now(),
    rank: 0,
    worldSize: 1,
  });
  const connect = () => {
    drainAtEnd(sink, () => capture.finish(guard.errors));
    return new Transport(options, settings.token, {
      onCommand: (body) => guard.run('obeying a command', () => obey(body)),
      onClosed: () => {
        breakpoints.close();
        capture.configure({ ...settings.capture, enabled: false });
      },
    });
  };
  const sink = new FrameSink(connect, hello);
  const guard = new Guard((what, reason) =>
    sink.tell(
      'hook-failed',
      `NormScope failed while ${what} (${reason}); training goes on, but some figures are missing.`,
    ),
  );
  const breakpoints = new Breakpoints({
    send: (question) => sink.question(question),
    stopOver: () => sink.stopOver(),
    get canWait() {
      return sink.canWait;
    },
    wait: (done, limitMs) => sink.wait(done, limitMs),
    tell: (message) => sink.tell('breakpoint-unanswered', message),
  });
  const capture = new Capture(settings.capture, sink, breakpoints);
  const obey = (body: unknown) => {
    const command = parseCommand(body);
    if (command?.kind === 'configure') capture.configure(command.capture);
    if (command?.kind === 'focus') capture.setFocus(command.layers);
    if (command) breakpoints.obey(command);
  };

  const descriptions = new TensorDescriptions(readTextOptions(process.env));
  const hook = new FrameworkHook(capture, sink, guard, descriptions, () => {
    searching = false;
    scanModules((exported) => hook.inspect(exported));
  });
  framework = hook;
  watchModules({
    onModule: (exported) => void guard.run('hooking a module', () => hook.inspect(exported)),
    onEngine: (engine) => {
      searching = true;
      guard.run('hooking the engine', () => hook.hookEngine(engine));
    },
    searching: () => searching && !hook.complete,
  });
}
