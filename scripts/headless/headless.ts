import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { NormscopeHost } from '../../test/harness/normscopeHost';
import { openVscode } from '../../test/harness/vscodeSession';
import { inRoot, root } from '../setup/paths';
import { describeError, type Report } from '../setup/report';
import type { ServerFiles } from '../setup/vscodeServer';
import { debugExample, SCREENSHOTS_PER_EXAMPLE, type Example } from './example';
import { missingIn, type RunReport, type Summary } from './summary';

const EXAMPLES: readonly Example[] = [
  {
    key: 'transformer',
    configuration: 'Transformer (PyTorch)',
    file: path.join('python', 'transformer.py'),
    stopLine: /\.backward\(/,
  },
  {
    key: 'tfjs',
    configuration: 'TF.js (Node)',
    file: path.join('tfjs', 'train.js'),
    stopLine: /model\.fit\(|trainOnBatch\(|\.minimize\(/,
  },
];

const TIMEOUT_MS = 15 * 60_000;

export interface HeadlessOptions {
  readonly python: string;
  readonly files: ServerFiles;
  readonly browser: string;
  readonly out: string;
  readonly report: Report;
}

/**
 * Debugs the examples in a VS Code without a window and writes `summary.json` and screenshots.
 * @returns a sentence for everything that was missing; empty when all went well.
 */
export async function runHeadless(options: HeadlessOptions): Promise<readonly string[]> {
  const { out, report } = options;
  const folder = inRoot('examples');
  const log: string[] = [];
  const failures: string[] = [];
  const runs: RunReport[] = [];
  const screenshots: string[] = [];
  await mkdir(out, { recursive: true });

  report('Opening VS Code without a window ...');
  const session = await openVscode({
    files: options.files,
    browser: options.browser,
    folder,
    developmentPath: root,
    settings: { 'python.defaultInterpreterPath': options.python },
    onLog: (line) => log.push(line),
  });
  const closeOnSignal = () => void session.close().finally(() => process.exit(130));
  process.once('SIGINT', closeOnSignal).once('SIGTERM', closeOnSignal);
  const timer = setTimeout(() => {
    failures.push(`It did not end within ${TIMEOUT_MS / 60_000} minutes.`);
    void session.close();
  }, TIMEOUT_MS);
  const screenshot = async (name: string) => {
    await session.screenshot(path.join(out, `${name}.png`));
    screenshots.push(`${name}.png`);
  };
  let vscode = '';
  try {
    vscode = await session.host.run((api) => api.version, null, 120_000);
    const normscope = new NormscopeHost(session.host);
    for (const example of EXAMPLES) {
      runs.push(await debugExample(example, session, normscope, { folder, report, screenshot }));
    }
  } catch (error) {
    failures.push(describeError(error));
    await screenshot('failure').catch(() => undefined);
    const output = await new NormscopeHost(session.host).output().catch(() => '');
    await writeFile(path.join(out, 'failure.log'), `${log.join('\n')}\n\n${output}`);
  } finally {
    clearTimeout(timer);
    process.off('SIGINT', closeOnSignal).off('SIGTERM', closeOnSignal);
    await session.close();
  }
  const summary: Summary = { vscode, runs, screenshots };
  await writeFile(path.join(out, 'summary.json'), `${JSON.stringify(summary, undefined, 2)}\n`);
  const expected = {
    runs: EXAMPLES.map((example) => example.configuration),
    screenshots: EXAMPLES.length * SCREENSHOTS_PER_EXAMPLE,
  };
  return [...failures, ...missingIn(summary, expected, out)];
}
