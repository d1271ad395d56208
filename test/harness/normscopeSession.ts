import path from 'node:path';
import { setUpBrowser } from '../../scripts/setup/browser';
import { inCache, inRoot, root } from '../../scripts/setup/paths';
import { setUpPython } from '../../scripts/setup/pythonEnvironment';
import { setUpVscodeServer } from '../../scripts/setup/vscodeServer';
import { NormscopeHost } from './normscopeHost';
import { openVscode, type VscodeSession } from './vscodeSession';

const ARTIFACTS = inRoot('test', 'artifacts', 'ui');
const quiet = () => undefined;

/** VS Code with the extension of this checkout, and a Python that has PyTorch. */
export interface NormscopeSession extends VscodeSession {
  readonly normscope: NormscopeHost;
  /** Keeps a picture of the page under a name. */
  picture(name: string): Promise<void>;
}

/** Opens a folder in it, with settings besides that of the interpreter. */
export async function openNormscope(
  folder: string,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<NormscopeSession> {
  const { python } = await setUpPython(quiet);
  const session = await openVscode({
    files: await setUpVscodeServer(inCache('vscode'), quiet),
    browser: await setUpBrowser(quiet),
    folder,
    developmentPath: root,
    settings: { 'python.defaultInterpreterPath': python, ...settings },
  });
  return Object.assign(session, {
    normscope: new NormscopeHost(session.host),
    picture: (name: string) => session.screenshot(path.join(ARTIFACTS, `${name}.png`)),
  });
}
