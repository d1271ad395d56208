/**
 * `npm run bench -- panel [--json FILE] [--steps N] [--only paint|feel|host|heap|size]`: how the
 * panel feels on a run of 500 layers and N steps (10,000 unless given) in Chromium, and what it
 * costs the extension host.
 *
 * How it feels is a median of several rounds: other work on the machine should not decide it. The
 * host's share is CPU time, while no browser runs, for what the panel asked when one did.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import './harness/vscodeAlias';

const { launchBrowser } = await import('../ui/panel/harness/browser');
const { heap, hostCpu, webviewKiB } = await import('./harness/panelCost');
const { firstPaint, interaction, largeStore } = await import('./harness/panelFeel');

const { values } = parseArgs({
  options: {
    json: { type: 'string' },
    steps: { type: 'string', default: '10000' },
    only: { type: 'string', multiple: true },
  },
});
const browser = await launchBrowser();
let made: ReturnType<typeof largeStore> | undefined;
const large = () => (made ??= largeStore(Number(values.steps)));
const PARTS: Readonly<Record<string, () => Promise<object>>> = {
  paint: async () => firstPaint(browser, await large()),
  feel: async () => interaction(browser, await large()),
  host: () => hostCpu(browser),
  heap: () => heap(browser),
  size: webviewKiB,
};
const result = {};
try {
  for (const [name, measure] of Object.entries(PARTS)) {
    if (!values.only || values.only.includes(name)) Object.assign(result, await measure());
  }
  (await made)?.dispose();
} finally {
  await browser.close();
}
console.log(result);
if (values.json) await writeFile(values.json, `${JSON.stringify(result, null, 2)}\n`);
