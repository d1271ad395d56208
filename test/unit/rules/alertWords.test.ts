import { describe, expect, it, vi } from 'vitest';
import {
  ALERT_SENTENCES,
  sentenceOf,
  type AlertSentence,
} from '../../../extension/protocol/alertSentences';
import { RULES } from '../../../extension/protocol/alerts';
import { TAPS } from '../../../extension/protocol/layers';
import { alertStrings } from '../../../extension/views/alertStrings';

vi.mock('vscode', () => ({ l10n: { t: (message: string) => message } }));

const { titles, sentences, taps } = alertStrings();
const names = Object.keys(ALERT_SENTENCES) as AlertSentence[];

describe('the words of alerts', () => {
  it('are there for every rule, sentence and tap', () => {
    expect(Object.keys(titles).sort()).toEqual([...RULES].sort());
    expect(Object.keys(sentences).sort()).toEqual([...names].sort());
    expect(Object.keys(taps)).toEqual([...TAPS]);
  });

  it.each(names)('of %s have a place for each value, and end as sentences', (name) => {
    const { found, advice } = sentences[name];
    const places = new Set(found.match(/\{\d+\}/g));
    expect([...places].sort()).toEqual(ALERT_SENTENCES[name].map((_, i) => `{${i}}`));
    expect(advice).not.toMatch(/\{/);
    for (const sentence of [found, advice]) expect(sentence).toMatch(/\.$/);
  });

  it('are those of the rule, and of its tap where that makes a difference', () => {
    const told = new Set(
      RULES.flatMap((rule) => [...TAPS, null].map((tap) => sentenceOf({ rule, tap }))),
    );
    expect([...told].sort()).toEqual([...names].sort());
    expect(sentenceOf({ rule: 'nonfinite', tap: 'gradPre' })).toBe('nonfinite:gradPre');
    expect(sentenceOf({ rule: 'dead-feature', tap: 'post' })).toBe('dead-feature:post');
    expect(sentenceOf({ rule: 'headroom', tap: 'post' })).toBe('headroom');
  });
});
