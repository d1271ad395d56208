import * as vscode from 'vscode';
import type { SessionStop } from '../core/captureSession';
import type { AlertWords } from '../core/editor/alertWords';
import { countText, figureText } from '../core/editor/numbers';
import { tapWord } from '../core/editor/tapWord';
import type { Tap } from '../protocol/layers';
import type { NonFiniteFigures, NonFiniteStop, ThresholdStop } from '../protocol/tensorBreakpoints';
import { filterLabel } from './interposer/filterLabels';
import type { StopWords } from './interposer/tensorBreakpoints';

/** What the rest of the extension has to do with stops at tensor breakpoints. */
export interface TensorStops {
  /** What the rule says, of a stop for which one speaks. */
  alertWords(stop: SessionStop & { readonly why: 'rule' }): AlertWords;
  /** A program stops. */
  happened(stop: SessionStop): void;
}

const { t } = vscode.l10n;

/** A stop in words, in the language of VS Code. */
export function tensorStopWords(stop: SessionStop, stops: TensorStops): StopWords {
  const details = [
    t('Layer: {0}', stop.name),
    ...(stop.tap === null ? [] : [t('Where: {0}', tapWord(stop.tap, t))]),
    t('Step: {0}', countText(stop.step)),
  ];
  switch (stop.why) {
    case 'nonfinite':
      return {
        title: t('NaN or infinite values'),
        sentence: nonFiniteSentence(stop),
        details: [...details, ...places(stop.found)].join('\n'),
      };
    case 'rule': {
      const { title, found, advice } = stops.alertWords(stop);
      return { title, sentence: `${stop.name}: ${found} ${advice}`, details: details.join('\n') };
    }
    default:
      return {
        title: filterLabel(stop.filter, t),
        sentence: thresholdSentence(stop),
        details: details.join('\n'),
      };
  }
}

function nonFiniteSentence({ name, tap, step, found }: NonFiniteStop): string {
  const counts = [
    [found.nan, 'NaN'],
    [found.positiveInfinity, '+Inf'],
    [found.negativeInfinity, '−Inf'],
  ] as const;
  const said = counts
    .filter(([count]) => count > 0)
    .map(([count, kind]) => `${countText(count)} ${kind}`);
  return t(
    '{0}: {1} among {2} values of its {3} at step {4}. {5}',
    name,
    said.join(', '),
    countText(found.elements),
    tapWord(tap, t),
    countText(step),
    origin(tap),
  );
}

function origin(tap: Tap): string {
  switch (tap) {
    case 'pre':
      return t('They come from what runs before this layer.');
    case 'post':
      return t('Its input is finite: the layer itself makes them; check γ, β, ε and the dtype.');
    case 'gradPost':
      return t('They come from the backward pass of what runs behind this layer.');
    case 'gradPre':
      return t('The gradient that came to it is finite: its own backward pass makes them.');
  }
}

function places({ samples, features }: NonFiniteFigures): readonly string[] {
  return [
    ...(samples.length ? [t('First samples: {0}', samples.join(', '))] : []),
    ...(features.length ? [t('First features: {0}', features.join(', '))] : []),
  ];
}

function thresholdSentence({ name, value, limit, why, step, filter }: ThresholdStop & SessionStop) {
  const figure = filterLabel(filter, t);
  const values = [name, figure, figureText(value), figureText(limit), countText(step)] as const;
  return why === 'above'
    ? t('{0}: {1} is {2}, above the {3} of the condition, at step {4}.', ...values)
    : t('{0}: {1} is {2}, below the {3} of the condition, at step {4}.', ...values);
}
