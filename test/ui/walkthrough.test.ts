import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from './panel/harness/browser';

const FOLDER = path.resolve(import.meta.dirname, '../../media/walkthrough');
const PICTURES = readdirSync(FOLDER).filter((name) => name.endsWith('.svg'));

/** As VS Code shows the picture of a walkthrough step: no style sheet and no inline style applies. */
const page = (picture: string) =>
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:">
   <body>${picture}</body>`;

describe('the pictures of the walkthrough', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it.each(PICTURES)('%s has its colours where styles are forbidden', async (name) => {
    const shown = await browser.newPage();
    const violations: string[] = [];
    shown.on('console', (message) => violations.push(message.text()));
    await shown.setContent(page(readFileSync(path.join(FOLDER, name), 'utf8')));
    const black = await shown.locator('svg rect, svg text, svg circle').evaluateAll((shapes) =>
      shapes.flatMap((shape) => {
        const { fill } = getComputedStyle(shape);
        return fill === 'rgb(0, 0, 0)' ? [shape.outerHTML] : [];
      }),
    );
    expect(black).toEqual([]);
    expect(violations).toEqual([]);
    await shown.close();
  });
});
