import type { Frame, Page } from 'playwright-core';
import { waitFor } from './waitFor';

async function isPanel(frame: Frame): Promise<boolean> {
  try {
    return (await frame.locator('script[src*="panel.js"]').count()) > 0;
  } catch {
    // The frame went away while it was asked.
    return false;
  }
}

async function find(page: Page): Promise<Frame | undefined> {
  for (const frame of page.frames()) {
    if (frame !== page.mainFrame() && (await isPanel(frame))) return frame;
  }
  return undefined;
}

/** The frame of the panel, inside the two frames that VS Code puts around a webview. */
export const panelFrame = (page: Page, timeoutMs = 60_000) =>
  waitFor('the panel', () => find(page), timeoutMs);

/** Whether the panel is on the page now. */
export const hasPanel = async (page: Page) => (await find(page)) !== undefined;
