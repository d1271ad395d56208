import type { RunPhase, RunSummary } from '../../extension/protocol/views';
import type { PanelStringKey } from '../../extension/protocol/panelStrings';
import { Dropdown } from '../controls/dropdown';
import { formatCount, formatNumber, formatPercent } from '../format';
import { chooseRun, overview, run, runs } from '../state/panel';
import { numbers } from '../state/viewData';
import { text } from '../strings';
import { chosenSection, SECTIONS } from './sections';

const PHASES: Readonly<Record<RunPhase, PanelStringKey>> = {
  starting: 'phaseStarting',
  running: 'phaseRunning',
  paused: 'phasePaused',
  ended: 'phaseEnded',
  disconnected: 'phaseDisconnected',
};

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

/** The newest step captured; null before the first. */
function newestStep(): number | null {
  const view = overview.value;
  return (view && numbers(view, 'steps').at(-1)) ?? null;
}

function Status({ chosen }: { readonly chosen: RunSummary }) {
  const restored = chosen.sessionType === '';
  const facts: readonly [id: string, fact: string, hint?: string][] = [
    ['step', text('step', formatCount(newestStep()))],
    ['loss', text('loss', formatNumber(chosen.lastLoss))],
    ['overhead', text('overhead', formatPercent(chosen.overheadPercent))],
    [
      'interval',
      chosen.interval > 1 ? text('everyNth', formatCount(chosen.interval)) : text('everyStep'),
    ],
    ['dropped', text('dropped', formatCount(chosen.framesDropped))],
    ...(chosen.stepsSkipped > 0
      ? [['skipped', text('skipped', formatCount(chosen.stepsSkipped))] as [string, string]]
      : []),
  ];
  return (
    <div class="status">
      <span class={`phase ${chosen.phase}`} role="status">
        <span class="dot" aria-hidden="true" />
        {text(PHASES[chosen.phase])}
      </span>
      {restored && (
        <span class="fact" title={text('restoredHint')}>
          {text('restored')}
        </span>
      )}
      {chosen.layers > 0 &&
        facts.map(([id, fact]) => (
          <span key={id} class="fact" data-fact={id}>
            {fact}
          </span>
        ))}
    </div>
  );
}

function Tabs() {
  if (SECTIONS.length < 2) return null;
  return (
    <nav>
      {SECTIONS.map(({ id, title }) => (
        <button
          key={id}
          type="button"
          aria-current={id === chosenSection.value ? 'page' : undefined}
          onClick={() => {
            chosenSection.value = id;
          }}
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
      {chosen && <Status chosen={chosen} />}
    </header>
  );
}
