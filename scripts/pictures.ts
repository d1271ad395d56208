/**
 * `npm run pictures`: draws the sections of the panel on a run of the Transformer example in each
 * theme, into `media/panel`, for the README.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { panelFrame } from '../test/harness/panelFrame';
import { openNormscope, type NormscopeSession } from '../test/harness/normscopeSession';
import { buildExtension } from './setup/build';
import { inRoot } from './setup/paths';
import { describeError, toTerminal as report } from './setup/report';

const THEMES = [
  ['dark', 'Default Dark Modern'],
  ['light', 'Default Light Modern'],
  ['high-contrast', 'Default High Contrast'],
] as const;

/** Tall enough for a whole section. */
const SECTIONS = [
  ['Overview', 900],
  ['Layer', 4_000],
  ['Model', 1_000],
] as const;

const WIDTH = 1_280;
const LAYER = 'blocks.1.norm2';
/** How long the panel may take to draw what has arrived. */
const DRAW_MS = 2_500;
const RUN_TIMEOUT_MS = 300_000;

async function finishedRun({ normscope, page }: NormscopeSession): Promise<Frame> {
  const since = Date.now();
  await normscope.command('workbench.action.closeSidebar');
  await normscope.command('normscope.openPanel');
  const panel = await panelFrame(page);
  const ends = await normscope.countEvents('terminated');
  await normscope.startDebugging('Transformer (PyTorch)');
  await normscope.waitForEvent('terminated', ends, RUN_TIMEOUT_MS);
  await normscope.waitForRun('the end', since, ({ run }) => run.phase === 'ended');
  await normscope.command('workbench.action.closePanel');
  await normscope.command('workbench.action.closeSidebar');
  return panel;
}

async function draw(session: NormscopeSession, panel: Frame): Promise<void> {
  const { page, host } = session;
  const folder = inRoot('media', 'panel');
  await mkdir(folder, { recursive: true });
  for (const [section, height] of SECTIONS) {
    await page.setViewportSize({ width: WIDTH, height });
    await panel.getByRole('button', { name: section, exact: true }).click();
    if (section === 'Layer') await panel.getByRole('option', { name: LAYER }).first().click();
    for (const [theme, label] of THEMES) {
      await host.run(
        (vscode, name) =>
          vscode.workspace.getConfiguration('workbench').update('colorTheme', name, 1),
        label,
      );
      await page.waitForTimeout(DRAW_MS);
      const frame = await panel.frameElement();
      const file = path.join(folder, `${section.toLowerCase()}-${theme}.png`);
      await frame.screenshot({ path: file });
      report(`Drawn: ${file}`);
    }
  }
}

async function pictures(): Promise<void> {
  await buildExtension(report);
  const session = await openNormscope(inRoot('examples'), { 'normscope.capture.budgetPercent': 0 });
  try {
    await draw(session, await finishedRun(session));
  } finally {
    await session.close();
  }
}

try {
  await pictures();
  process.exit(0);
} catch (error) {
  console.error(describeError(error));
  process.exit(1);
}
