/** Anchor that a Markdown heading has in VS Code's preview. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .replace(/\s+/g, '-');

/** Anchors of a Markdown text's headings by their line, counted from 0. */
export function headings(markdown: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  markdown.split(/\r?\n/).forEach((line, i) => {
    const [, heading] = /^#{1,6} (.+)$/.exec(line) ?? [];
    if (heading !== undefined) found.set(anchorOf(heading), i);
  });
  return found;
}

/** Line of a heading, counted from 0; the first line where there is no such heading. */
export const headingLine = (markdown: string, anchor: string): number =>
  headings(markdown).get(anchor) ?? 0;
