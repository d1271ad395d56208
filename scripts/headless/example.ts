import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { NormscopeHost } from '../../test/harness/normscopeHost';
import { panelFrame } from '../../test/harness/panelFrame';
import type { VscodeSession } from '../../test/harness/vscodeSession';
import { SetupError, type Report } from '../setup/report';
import { reportRun, type RunReport } from './summary';

export interface Example {
  /** Name in the file names of its screenshots. */
  readonly key: string;
  /** Name of the configuration in launch.json. */
  readonly configuration: string;
  /** Path in the folder of examples. */
  readonly file: string;
  /** What the line holds where the program is stopped. */
  readonly stopLine: RegExp;
}

/** Sections of the panel beside the one that it opens with, by the names of their tabs. */
const FURTHER_SECTIONS = ['Layer', 'Model'] as const;

/**
 * Screenshots of {@link debugExample}: the editor while paused, the panel while the program runs and
 * at its end, and then its further sections.
 */
export const SCREENSHOTS_PER_EXAMPLE = 3 + FURTHER_SECTIONS.length;

const ENOUGH_STEPS = 5;
const RUN_TIMEOUT_MS = 300_000;
/** How long the panel may take to draw what has arrived. */
const DRAW_MS = 1_500;

async function lineOf(file: string, pattern: RegExp): Promise<number> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  const index = lines.findIndex((line) => pattern.test(line));
  if (index < 0) throw new SetupError(`${file} has no line that matches ${pattern}.`);
  return index + 1;
}

/**
 * Debugs one example to its end in a VS Code: stops it once, goes on with the
 * panel open, takes screenshots.
 */
export async function debugExample(
  example: Example,
  session: VscodeSession,
  normscope: NormscopeHost,
  options: {
    readonly folder: string;
    readonly report: Report;
    readonly screenshot: (name: string) => Promise<void>;
  },
): Promise<RunReport> {
  const { report, screenshot } = options;
  const file = path.join(options.folder, example.file);
  const since = Date.now();
  const [stops, ends] = await Promise.all([
    normscope.countEvents('stopped'),
    normscope.countEvents('terminated'),
  ]);
  await normscope.breakAt(file, await lineOf(file, example.stopLine));
  report(`Debugging "${example.configuration}" ...`);
  await normscope.startDebugging(example.configuration);
  await normscope.waitForEvent('stopped', stops);
  await normscope.command('workbench.view.debug');
  await session.page.locator('.debug-top-stack-frame-line').first().waitFor({ timeout: 20_000 });
  await session.page.waitForTimeout(DRAW_MS);
  await screenshot(`${example.key}-editor`);

  await normscope.clearBreakpoints();
  await normscope.command('workbench.action.closePanel');
  await normscope.command('workbench.action.closeSidebar');
  await normscope.command('normscope.openPanel');
  await normscope.command('workbench.action.debug.continue');
  const panel = await panelFrame(session.page);
  report('It was stopped at a breakpoint and goes on; the panel is open.');
  await normscope.waitForRun('a few steps', since, ({ run }) => run.steps >= ENOUGH_STEPS);
  await session.page.waitForTimeout(DRAW_MS);
  await screenshot(`${example.key}-panel-running`);

  await normscope.waitForEvent('terminated', ends, RUN_TIMEOUT_MS);
  const { run, layers } = await normscope.waitForRun(
    'the end of the run',
    since,
    ({ run: one }) => one.phase === 'ended' || one.phase === 'disconnected',
  );
  await session.page.waitForTimeout(DRAW_MS);
  await screenshot(`${example.key}-panel-end`);
  for (const section of FURTHER_SECTIONS) {
    await panel.getByRole('button', { name: section, exact: true }).click();
    await session.page.waitForTimeout(DRAW_MS);
    await screenshot(`${example.key}-panel-${section.toLowerCase()}`);
  }
  await panel.getByRole('button', { name: 'Overview', exact: true }).click();
  return reportRun(run, layers);
}
