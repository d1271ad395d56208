import type { Page } from 'playwright-core';

/** How smoothly the page was drawn over a while. */
export interface Smoothness {
  readonly fps: number;
  readonly longestFrameMs: number;
}

declare global {
  interface Window {
    frameTimes: number[];
  }
}

/** In the page: notes the time of every frame from now on. */
function watchFrames(): void {
  window.frameTimes = [];
  const note = (time: number) => {
    window.frameTimes.push(time);
    requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
}

/** Starts to watch the frames of a page that is loaded. */
export const startWatching = (page: Page): Promise<void> => page.evaluate(watchFrames);

/** How smoothly the page is drawn while something is done in it. */
export async function smoothnessOf(page: Page, act: () => Promise<void>): Promise<Smoothness> {
  await page.evaluate(() => void (window.frameTimes.length = 0));
  await act();
  const times = await page.evaluate(() => [...window.frameTimes]);
  const gaps = times.slice(1).map((time, i) => time - (times[i] ?? time));
  const total = gaps.reduce((sum, gap) => sum + gap, 0);
  return { fps: (1_000 * gaps.length) / total, longestFrameMs: Math.max(...gaps) };
}
