import { useEffect, useRef, useState } from 'preact/hooks';
import { post } from '../state/vscodeApi';
import { text } from '../strings';
import type { ChartTable } from './chartTable';
import { toCsv } from './export/csv';
import { toPng, toSvg, type Poster } from './export/poster';
import { Menu } from './menu';

/** How long the panel says that something was copied, in milliseconds. */
const SAID_FOR = 2_500;

/** Copies the picture; where the browser does not let it, the person may save it as a file. */
async function copyPng(poster: Poster): Promise<boolean> {
  const png = toPng(poster);
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
    return true;
  } catch {
    const bytes = await (await png).arrayBuffer();
    post({ type: 'save', name: poster.title, as: 'png', bytes });
    return false;
  }
}

interface ChartMenuProps {
  readonly id: string;
  readonly title: string;
  /** The chart as it is now. */
  readonly poster: () => Poster;
  readonly table: () => ChartTable;
  readonly tableShown: boolean;
  readonly showTable: (shown: boolean) => void;
}

/** What a person can take from a chart. */
export function ChartMenu({ id, title, poster, table, tableShown, showTable }: ChartMenuProps) {
  const [said, say] = useState('');
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const announce = (words: string) => {
    say(words);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => say(''), SAID_FOR);
  };
  const refuse = (error: unknown) =>
    announce(text('notCopied', error instanceof Error ? error.message : String(error)));
  const copyText = (kind: string, content: () => string) => {
    try {
      post({ type: 'copy', text: content() });
      announce(text('copied', kind));
    } catch (error) {
      refuse(error);
    }
  };
  const picture = async () => {
    if (await copyPng(poster())) announce(text('copied', 'PNG'));
  };
  return (
    <>
      <span class="said" role="status">
        {said}
      </span>
      <Menu
        id={`${id}-menu`}
        label={text('chartMenu', title)}
        items={[
          {
            label: text('copyPng'),
            icon: 'file-media',
            choose: () => void picture().catch(refuse),
          },
          {
            label: text('copySvg'),
            icon: 'symbol-misc',
            choose: () => copyText('SVG', () => toSvg(poster())),
          },
          {
            label: text('copyCsv'),
            icon: 'copy',
            choose: () => copyText('CSV', () => toCsv(table())),
          },
          {
            label: text(tableShown ? 'hideTable' : 'showTable'),
            icon: 'table',
            choose: () => showTable(!tableShown),
          },
        ]}
      />
    </>
  );
}
