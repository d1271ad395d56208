import type { Frame, Locator, Page } from 'playwright-core';
import { panelFrame } from './panelFrame';
import { waitFor } from './waitFor';

/** A number as the panel writes it; NaN for one that is not known. */
export function parseNumber(text: string): number {
  const plain = text.trim().replaceAll('\u2212', '-').replaceAll(',', '');
  if (plain === '∞') return Infinity;
  if (plain === '-∞') return -Infinity;
  return /^-?\d/.test(plain) ? Number(plain) : NaN;
}

/** What a person reads and does in the panel. */
export class PanelPage {
  private constructor(readonly frame: Frame) {}

  static async find(page: Page): Promise<PanelPage> {
    return new PanelPage(await panelFrame(page));
  }

  private get rows(): Locator {
    return this.frame.locator('.row[role="option"]');
  }

  /** Goes to the section of the layers, and waits until at least one is listed. */
  async layersShown(timeoutMs = 60_000): Promise<void> {
    await this.frame.getByRole('button', { name: 'Layer', exact: true }).click();
    await this.rows.first().waitFor({ timeout: timeoutMs });
  }

  countLayers(): Promise<number> {
    return this.rows.count();
  }

  /** Chooses a layer by a click on its place in the list, counted from 0; returns its name. */
  async choose(index: number): Promise<string> {
    const row = this.rows.nth(index);
    const name = (await row.locator('.name').innerText()).replaceAll(/\s/g, '');
    await row.click();
    await waitFor(`the layer ${name}`, async () => (await this.chosen()) === name);
    return name;
  }

  /** Name of the layer that is shown. */
  chosen(): Promise<string> {
    return this.frame.locator('.layer-head h2').innerText();
  }

  /** A figure of the shown layer at the shown step. */
  async figure(figure: string, tap: string): Promise<number> {
    const cell = this.frame.locator(`tr[data-figure="${figure}"] td[data-tap="${tap}"]`);
    return parseNumber(await cell.innerText());
  }

  /** The number in a fact of the top strip, such as `step` or `loss`. */
  async fact(id: string): Promise<number> {
    const text = await this.frame.locator(`[data-fact="${id}"]`).innerText();
    const [number = ''] = /[\u2212-]?[\d][\d.,]*(e[\u2212-]?\d+)?/.exec(text) ?? [];
    return parseNumber(number);
  }

  phase(): Promise<string> {
    return this.frame.locator('.phase').innerText();
  }

  /** How many canvases have something on them: more than one colour among their pixels. */
  drawnCanvases(): Promise<number> {
    return this.frame.evaluate(() => {
      const drawn = [...document.querySelectorAll('canvas')].filter((canvas) => {
        const context = canvas.getContext('2d');
        if (!context || canvas.width === 0 || canvas.height === 0) return false;
        const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
        const pixels = new Uint32Array(data.buffer);
        return pixels.some((pixel) => pixel !== pixels[0]);
      });
      return drawn.length;
    });
  }
}
