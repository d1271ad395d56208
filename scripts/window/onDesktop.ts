import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '../setup/command';
import { killTree, processTable } from '../setup/processTree';
import { shown, type WindowOptions } from './shown';

/** Ends a VS Code by its user data, since its command line ends before the window does. */
function endVscode(data: string): void {
  for (const { pid, command } of processTable()) {
    if (pid !== process.pid && command.includes(data)) killTree(pid);
  }
}

/** Opens a VS Code of this machine, with user data of its own, and waits until it is closed. */
export async function showOnDesktop(program: string, options: WindowOptions): Promise<number> {
  const data = await mkdtemp(path.join(tmpdir(), 'normscope-start-'));
  const user = path.join(data, 'User');
  await mkdir(user, { recursive: true });
  const settings = JSON.stringify(shown.settings(options.python), undefined, 2);
  await writeFile(path.join(user, 'settings.json'), settings);
  const clean = async () => {
    endVscode(data);
    await rm(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 300 });
  };
  const onSignal = () => void clean().finally(() => process.exit(130));
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  options.report(`Opening ${program}; close its window or press Ctrl-C to end.`);
  const args = [
    ...['--new-window', '--wait', '--user-data-dir', data],
    ...['--extensions-dir', path.join(data, 'extensions'), '--disable-workspace-trust'],
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ...[shown.extension, shown.demo].map((folder) => `--extensionDevelopmentPath=${folder}`),
    shown.folder,
  ];
  const { code, output } = await runCommand(program, args);
  await clean();
  if (code !== 0) console.error(`VS Code ended with code ${code}: ${output.trim()}`);
  return code ?? 1;
}
