import type { RunSummary } from '../../../extension/protocol/views';
import { formatCount, formatNumber, formatPercent, formatTick } from '../../format';
import { overview } from '../../state/panel';
import { numbers } from '../../state/viewData';
import { text } from '../../strings';
import { DeepFact } from './deepFact';
import { intervalWords } from './intervalWords';
import { Modes } from './modes';
import { Phase } from './phase';

/** The newest step captured; null before the first. */
function newestStep(): number | null {
  const view = overview.value;
  return (view && numbers(view, 'steps').at(-1)) ?? null;
}

/** Steps a second in two digits: it is never steadier than that. */
const rateWords = (perSecond: number): string =>
  text('stepsPerSecond', formatTick(Number(perSecond.toPrecision(2))));

type Fact = readonly [id: string, words: string, hint?: string];

function notAnalysed(steps: number): readonly Fact[] {
  if (steps === 0) return [];
  return [['notAnalysed', text('notAnalysed', formatCount(steps)), text('notAnalysedHint')]];
}

function factsOf(shown: RunSummary): readonly Fact[] {
  const { stepsPerSecond, stepsSkipped } = shown;
  const running = shown.phase === 'running' && stepsPerSecond !== null;
  return [
    ['step', text('step', formatCount(newestStep()))],
    ['loss', text('loss', formatNumber(shown.lastLoss))],
    ...(running ? [['rate', rateWords(stepsPerSecond)] as const] : []),
    ['overhead', text('overhead', formatPercent(shown.overheadPercent))],
    ['interval', intervalWords(shown.interval)],
    ['dropped', text('dropped', formatCount(shown.framesDropped))],
    ...(stepsSkipped > 0 ? [['skipped', text('skipped', formatCount(stepsSkipped))] as const] : []),
    ...notAnalysed(shown.stepsNotAnalysed),
  ];
}

/** How the run goes and what capture does to it. */
export function Status({ shown }: { readonly shown: RunSummary }) {
  return (
    <div class="status">
      <Phase phase={shown.phase} />
      {shown.sessionType === '' && (
        <span class="fact" title={text('restoredHint')}>
          {text('restored')}
        </span>
      )}
      {shown.layers > 0 && (
        <>
          {factsOf(shown).map(([id, words, hint]) => (
            <span key={id} class="fact" data-fact={id} title={hint}>
              {words}
            </span>
          ))}
          <DeepFact />
          <Modes />
        </>
      )}
    </div>
  );
}
