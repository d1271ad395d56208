import { setUpBrowser } from '../setup/browser';
import { buildExtension } from '../setup/build';
import { cacheDir, inCache, root } from '../setup/paths';
import { setUpPython, type PythonEnvironment } from '../setup/pythonEnvironment';
import { setUpTfjsExample, type TfjsSetup } from '../setup/tfjsNative';
import { toTerminal as report } from '../setup/report';
import { setUpVscodeServer, type ServerFiles } from '../setup/vscodeServer';

/** Does a stage of the set-up at most once a run; a failed stage fails everyone who needs it. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

export interface Needs {
  python(): Promise<PythonEnvironment>;
  /** TF.js of the example and, where it can be built, its native binding. */
  tfjs(): Promise<TfjsSetup>;
  server(): Promise<ServerFiles>;
  browser(): Promise<string>;
  build(): Promise<void>;
}

/** What the suites ask for; each stage runs when the first suite needs it. */
export function createNeeds(): Needs {
  const python = once(() => setUpPython(report));
  return {
    python,
    tfjs: once(async () => {
      const environment = await python();
      return setUpTfjsExample({ root, cacheDir, python: environment.python, report });
    }),
    server: once(() => setUpVscodeServer(inCache('vscode'), report)),
    browser: once(() => setUpBrowser(report)),
    build: once(() => buildExtension(report)),
  };
}
