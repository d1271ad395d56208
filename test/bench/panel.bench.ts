/**
 * `npm run bench -- panel [--json FILE] [--steps N]`: how the panel feels on large runs, in
 * Chromium, and what it costs the extension host.
 *
 * How it feels is a median of several rounds: other work on the machine should not decide it. The
 * host's share is CPU time, while no browser runs, for what the panel asked when one did.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import './harness/vscodeAlias';

const { RunStore } = await import('../../extension/core/runStore/runStore');
const { launchBrowser } = await import('../ui/panel/harness/browser');
const { LongRun } = await import('./harness/longRun');
const { feed } = await import('./harness/openedPanel');
const { heap, hostCpu, webviewKiB } = await import('./harness/panelCost');
const { firstPaint, interaction } = await import('./harness/panelFeel');

const { values } = parseArgs({
  options: { json: { type: 'string' }, steps: { type: 'string', default: '10000' } },
});
const browser = await launchBrowser();
try {
  const store = new RunStore();
  const large = new LongRun(store, { id: 'large', layers: 500, stepsPerSecond: 25 });
  console.log(`Making a run of 500 layers and ${values.steps} steps ...`);
  await feed(large, Number(values.steps));
  const paint = await firstPaint(browser, store);
  console.log(
    `  first paint ${paint.firstPaintMs.toFixed(0)} ms, ` +
      `first chart ${paint.firstChartMs.toFixed(0)} ms`,
  );
  const smooth = await interaction(browser, store);
  store.dispose();
  const shares = [await hostCpu(browser, 'overview'), await hostCpu(browser, 'layer')];
  console.log(`  host: ${shares.map((share) => `${(100 * share).toFixed(1)} %`).join(', ')}`);
  const result = {
    ...paint,
    ...smooth,
    hostCpu: Math.max(...shares),
    ...(await heap(browser)),
    webviewKiB: await webviewKiB(),
  };
  console.log(result);
  if (values.json) await writeFile(values.json, `${JSON.stringify(result, null, 2)}\n`);
} finally {
  await browser.close();
}
