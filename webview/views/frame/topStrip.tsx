import type { RunSummary } from '../../../extension/protocol/views';
import { Dropdown } from '../../controls/dropdown';
import { chooseSection, run, section } from '../../state/panel';
import { chooseRun, runs } from '../../state/runs';
import { text } from '../../strings';
import { sections } from './sections';
import { Status } from './status';
import { ZoomNotice } from './zoomNotice';

function runLabel(candidate: RunSummary): string {
  const time = new Date(candidate.startedAt);
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  const rank = candidate.worldSize > 1 ? ` · ${text('rank', candidate.rank)}` : '';
  return text('runOption', candidate.program, clock) + rank;
}

function RunChooser({ chosen }: { readonly chosen: RunSummary }) {
  const all = runs.value ?? [];
  if (all.length < 2) return <span class="program">{chosen.program}</span>;
  const newestFirst = [...all].sort((a, b) => b.startedAt - a.startedAt);
  return (
    <Dropdown
      label={text('run')}
      value={chosen.id}
      choices={newestFirst.map((candidate) => ({
        value: candidate.id,
        label: runLabel(candidate),
      }))}
      onChange={(id) => {
        const next = all.find((candidate) => candidate.id === id);
        if (next) chooseRun(next.id);
      }}
    />
  );
}

function Tabs() {
  return (
    <nav>
      {sections.map(({ id, title }) => (
        <button
          key={id}
          type="button"
          aria-current={id === section.value ? 'page' : undefined}
          onClick={() => chooseSection(id)}
        >
          {text(title)}
        </button>
      ))}
    </nav>
  );
}

/** Title, sections, the run and how it goes. */
export function TopStrip() {
  const chosen = run.value;
  return (
    <header class="top">
      <h1>NormScope</h1>
      <Tabs />
      {chosen && <RunChooser chosen={chosen} />}
      <ZoomNotice />
      {chosen && <Status shown={chosen} />}
    </header>
  );
}
