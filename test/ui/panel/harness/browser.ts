import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/**
 * Starts the browser that `NORMSCOPE_TEST_BROWSER` names, else one from the usual places.
 * @throws when there is none; the message says what to set.
 */
export async function launchBrowser(): Promise<Browser> {
  const named = process.env.NORMSCOPE_TEST_BROWSER;
  const executablePath = named ?? USUAL_PLACES.find((place) => existsSync(place));
  if (!executablePath) {
    throw new Error('No Chromium was found. Set NORMSCOPE_TEST_BROWSER to the path of one.');
  }
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
