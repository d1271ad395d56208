import type { PanelStringKey } from '../extension/protocol/panelStrings';

/** The host's localised texts, which the page was made with. */
const strings = JSON.parse(document.getElementById('root')?.dataset.strings ?? '{}') as Readonly<
  Record<string, string>
>;

/** The text of a key with `{0}`, `{1}` … replaced by `values`. */
export function text(key: PanelStringKey, ...values: readonly (string | number)[]): string {
  const template = strings[key] ?? key;
  return template.replace(/\{(\d)\}/g, (whole, index: string) => {
    const value = values[Number(index)];
    return value === undefined ? whole : String(value);
  });
}
