import type { Page } from 'playwright-core';

/** A number as the panel writes it, for comparison; NaN for one that is not known. */
export function readNumber(text: string): number {
  const plain = text.trim().replaceAll('\u2212', '-').replaceAll(',', '');
  if (plain === '∞') return Infinity;
  if (plain === '-∞') return -Infinity;
  return /^-?\d/.test(plain) ? Number(plain) : NaN;
}

/** A figure of the table, as written. */
export function figure(page: Page, name: string, tap: string): Promise<string> {
  return page.locator(`tr[data-figure="${name}"] td[data-tap="${tap}"]`).innerText();
}

export const layerTitle = (page: Page) => page.locator('.layer-head h2');

export const rowOf = (page: Page, name: string) =>
  page.getByRole('option').filter({ has: page.getByText(name.split('.').pop() ?? name) });
