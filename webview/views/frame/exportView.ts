import type { ToPanel } from '../../../extension/protocol/panelMessages';
import { toReport } from '../../charts/export/report';
import { formatCount } from '../../format';
import { run, section, selectedRow } from '../../state/panel';
import { stepChoice } from '../../state/runs';
import { post } from '../../state/vscodeApi';
import { wholeRun } from '../../state/wholeRun';
import { text } from '../../strings';
import { sections } from './sections';

/** All that the panel shows, as one HTML file that the person is asked to save. */
function exportView(): void {
  const shown = run.value;
  if (!shown) return;
  const title = sections.find(({ id }) => id === section.value)?.title;
  const name = section.value === 'layer' ? (selectedRow.value?.info.name ?? '') : '';
  const step = stepChoice.value === 'live' ? wholeRun.value[1] : stepChoice.value;
  const words = [shown.program, ...(title ? [text(title)] : []), ...(name === '' ? [] : [name])];
  const html = toReport({
    language: document.documentElement.lang,
    title: words.join(' · '),
    facts: [
      text('reportStep', formatCount(step)),
      `${shown.framework ?? ''} ${shown.frameworkVersion}`.trim(),
      new Date().toLocaleString(document.documentElement.lang),
    ],
    table: text('reportTable'),
    rows: (some, all) => text('reportRows', formatCount(some), formatCount(all)),
  });
  const bytes = new TextEncoder().encode(html).buffer as ArrayBuffer;
  post({ type: 'save', name: words.join('-'), as: 'html', bytes });
}

/** Does so whenever the command is given. */
export function listenForExport(): void {
  window.addEventListener('message', (event: MessageEvent<ToPanel>) => {
    if (event.data.type === 'export') exportView();
  });
}
