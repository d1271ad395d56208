import { signal } from '@preact/signals';
import type { PanelStringKey } from '../extension/protocol/panelStrings';

/** The host's localised texts; null until it has answered `ready`. */
export const strings = signal<Readonly<Record<string, string>> | null>(null);

/** The text of a key with `{0}`, `{1}` … replaced by `values`. */
export function text(key: PanelStringKey, ...values: readonly (string | number)[]): string {
  const template = strings.value?.[key] ?? key;
  return template.replace(/\{(\d)\}/g, (whole, index: string) => {
    const value = values[Number(index)];
    return value === undefined ? whole : String(value);
  });
}
