import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, CDPSession } from 'playwright-core';
import { RunStore } from '../../../extension/core/runStore/runStore';
import { SECTIONS, type SectionId } from '../../../extension/protocol/panelState';
import type { ViewQuery } from '../../../extension/protocol/views';
import { bundlePanel } from '../../ui/panel/harness/bundle';
import { LongRun } from './longRun';
import { drawn, feed, openOn } from './openedPanel';

const LIVE = { layers: 200, stepsPerSecond: 60 };
/** As long as the store analyses every step whatever it costs, and the same time again. */
const LIVE_STEPS = 1_200;
const HOUR = { layers: 24, stepsPerSecond: 10 };
const HOUR_STEPS = 36_000;

const mebibytes = (bytes: number) => bytes / 1024 / 1024;

interface Asked {
  readonly at: number;
  readonly query: ViewQuery;
}

/** Runs steps at the pace they would come in, with something to do at each. */
async function live(run: LongRun, steps: number, each: (elapsed: number) => void): Promise<void> {
  const start = performance.now();
  for (let i = 0; i < steps; i++) {
    run.step();
    each(performance.now() - start);
    const wait = (1_000 * (i + 1)) / LIVE.stepsPerSecond - (performance.now() - start);
    await sleep(Math.max(0, wait));
  }
}

/** Queries that the panel asks in a section while a run goes on, and when. */
async function askedLive(browser: Browser, section: SectionId): Promise<readonly Asked[]> {
  const store = new RunStore();
  const run = new LongRun(store, { id: 'live', ...LIVE });
  const asked: Asked[] = [];
  const start = performance.now();
  await feed(run, 10);
  const panel = await openOn(browser, store, section, {
    query: (query) => {
      asked.push({ at: performance.now() - start, query });
      return store.query(query);
    },
  });
  await drawn(panel.page);
  const from = performance.now() - start;
  await live(run, 5 * LIVE.stepsPerSecond, () => undefined);
  await panel.close();
  store.dispose();
  return asked.filter(({ at }) => at >= from).map(({ at, query }) => ({ at: at - from, query }));
}

/** Share of one core that the store takes while it is fed and asked by a section. */
async function hostShare(browser: Browser, section: SectionId): Promise<number> {
  const asked = await askedLive(browser, section);
  const store = new RunStore();
  const run = new LongRun(store, { id: 'live', ...LIVE });
  // Past the beginning, which is analysed in full.
  await feed(run, LIVE_STEPS);
  let next = 0;
  const cpu = process.cpuUsage();
  const start = performance.now();
  await live(run, 5 * LIVE.stepsPerSecond, (elapsed) => {
    while (next < asked.length && (asked[next]?.at ?? Infinity) <= elapsed) {
      const { query } = asked[next++] as Asked;
      // As the session does: bytes of their own go to the panel.
      new Uint8Array(store.query(query));
    }
  });
  const { user, system } = process.cpuUsage(cpu);
  store.dispose();
  return (user + system) / 1_000 / (performance.now() - start);
}

/** The largest share of one core that the store takes, whichever section is shown. */
export async function hostCpu(browser: Browser) {
  const shares: number[] = [];
  for (const section of SECTIONS) {
    const share = await hostShare(browser, section);
    console.log(`  host while ${section} is shown: ${(100 * share).toFixed(1)} % of a core`);
    shares.push(share);
  }
  return { hostCpu: Math.max(...shares) };
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return mebibytes(usedSize);
}

/** The page's heap after an hour's worth of steps, and by how much it grew in its second half. */
export async function heap(browser: Browser) {
  const store = new RunStore();
  const run = new LongRun(store, { id: 'hour', ...HOUR });
  await feed(run, 100);
  const panel = await openOn(browser, store, 'layer');
  await drawn(panel.page);
  const session = await panel.page.context().newCDPSession(panel.page);
  await session.send('Runtime.enable');
  await feed(run, HOUR_STEPS / 2);
  const half = await heapOf(session);
  await feed(run, HOUR_STEPS / 2);
  const whole = await heapOf(session);
  await panel.close();
  store.dispose();
  return { heapMb: whole, heapGrowthMb: whole - half };
}

/** Size of the panel's own code, minified. */
export async function webviewKiB() {
  const files = await bundlePanel();
  const code = ['panel.js', 'panel.css'].map((name) => files.get(name)?.length ?? 0);
  return { webviewKiB: code.reduce((sum, bytes) => sum + bytes, 0) / 1024 };
}
