import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpBrowser } from '../../scripts/setup/browser';
import { runCommand } from '../../scripts/setup/command';
import { inCache, inRoot, root } from '../../scripts/setup/paths';
import { setUpPython } from '../../scripts/setup/pythonEnvironment';
import { setUpVscodeServer } from '../../scripts/setup/vscodeServer';
import { NormscopeHost } from '../harness/normscopeHost';
import { PanelPage } from '../harness/panelPage';
import { openVscode, type VscodeSession } from '../harness/vscodeSession';

const quiet = () => undefined;

async function succeed(command: string, args: readonly string[]): Promise<void> {
  const { code, output } = await runCommand(command, args, { cwd: root, timeoutMs: 120_000 });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${output}`);
}

describe('the extension installed from its package', { timeout: 240_000 }, () => {
  let session: VscodeSession;
  let scratch: string;

  beforeAll(async () => {
    scratch = await mkdtemp(path.join(tmpdir(), 'normscope-installed-'));
    const { python } = await setUpPython(quiet);
    const vsix = path.join(scratch, 'normscope.vsix');
    const script = inRoot('scripts', 'package.ts');
    await succeed(process.execPath, ['--import', 'tsx', script, '--built', '--out', vsix]);
    // A package is a zip file, which Python can unpack everywhere.
    await succeed(python, ['-m', 'zipfile', '-e', vsix, path.join(scratch, 'unpacked')]);
    const folder = path.join(scratch, 'workspace');
    await mkdir(folder);
    session = await openVscode({
      files: await setUpVscodeServer(inCache('vscode'), quiet),
      browser: await setUpBrowser(quiet),
      folder,
      installed: [path.join(scratch, 'unpacked', 'extension')],
      settings: { 'python.defaultInterpreterPath': python },
    });
  }, 300_000);
  afterAll(async () => {
    await session?.close();
    await rm(scratch, { recursive: true, force: true });
  });

  it('captures a training program and shows its layer', async () => {
    const since = Date.now();
    const started = await session.host.run(
      (vscode, program) =>
        vscode.debug.startDebugging(undefined, {
          type: 'normscope',
          request: 'launch',
          name: 'installed',
          program,
          console: 'internalConsole',
          env: { STEPS: '30' },
        }),
      inRoot('test', 'fixtures', 'programs', 'trains_on.py'),
    );
    expect(started).toBe(true);
    const normscope = new NormscopeHost(session.host);
    const { run, layers } = await normscope.waitForRun(
      'the end',
      since,
      (one) => one.run.phase === 'ended',
    );
    expect(run.steps).toBe(30);
    expect(layers.map((layer) => layer.className)).toEqual(['BatchNorm1d']);
    await normscope.command('normscope.openPanel');
    const panel = await PanelPage.find(session.page);
    await panel.layersShown();
    expect(await panel.countLayers()).toBe(1);
  });
});
