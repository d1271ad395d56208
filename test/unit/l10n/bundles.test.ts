import { describe, expect, it } from 'vitest';
import { readBundle, translatedStrings, translatedStringsOf } from './translatedStrings';

const ENGLISH = 'bundle.l10n.json';
const CHINESE = 'bundle.l10n.zh-cn.json';

const used = translatedStrings();
const messages = new Set(used.flatMap(({ message }) => (message === null ? [] : [message])));
const placeholders = (text: string) => [...new Set(text.match(/\{\d+\}/g) ?? [])].sort();

describe('the search for translated strings', () => {
  it('finds what is passed to l10n.t, t, translate and any parameter of type Translate', () => {
    const code = `
      vscode.l10n.t('one {0}', x);
      l10n.t("two");
      this.t(\`three\`);
      options.translate('four ' + 'and more');
      const say = (words: Translate) => words('five');
      t(sentence);
      format('six');
    `;
    expect(translatedStringsOf('a.ts', code).map(({ message }) => message)).toEqual([
      'one {0}',
      'two',
      'three',
      'four and more',
      'five',
      null,
    ]);
  });

  it('finds those of the panel and those of the interposer', () => {
    expect(messages).toContain('Mean drift');
    expect(messages).toContain('The debug session is over.');
    expect(messages.size).toBeGreaterThan(120);
  });
});

describe('every translated string', () => {
  it('is a literal, so that a bundle can hold it', () => {
    expect(used.filter(({ message }) => message === null).map(({ at }) => at)).toEqual([]);
  });

  it('numbers its values from {0} without a gap', () => {
    const gaps = [...messages].filter((message) =>
      placeholders(message).some((placeholder, i) => placeholder !== `{${i}}`),
    );
    expect(gaps).toEqual([]);
  });
});

describe.each([ENGLISH, CHINESE])('%s', (name) => {
  const bundle = readBundle(name);

  it('has every string that the extension shows', () => {
    const missing = used.filter(({ message }) => message !== null && !bundle.has(message));
    expect(missing.map(({ at, message }) => `${at} ${message}`)).toEqual([]);
  });

  it('has no string that the extension no longer shows', () => {
    expect([...bundle.keys()].filter((key) => !messages.has(key))).toEqual([]);
  });

  it('keeps the placeholders of every string', () => {
    const changed = [...bundle].filter(
      ([key, value]) => placeholders(key).join() !== placeholders(value).join(),
    );
    expect(changed).toEqual([]);
  });

  it('keeps the dots between readings, at which the panel breaks a caption', () => {
    const dots = (text: string) => text.split(' · ').length;
    expect([...bundle].filter(([key, value]) => dots(key) !== dots(value))).toEqual([]);
  });
});

describe('the English bundle', () => {
  it('says what the code says', () => {
    expect([...readBundle(ENGLISH)].filter(([key, value]) => key !== value)).toEqual([]);
  });
});

describe('the Chinese bundle', () => {
  it('leaves no sentence in English', () => {
    const chinese = /\p{Script=Han}/u;
    const sentences = [...readBundle(CHINESE)].filter(
      ([key, value]) => /[a-z]{2,} [a-z]{2,}/i.test(key) && !chinese.test(value),
    );
    expect(sentences).toEqual([]);
  });
});
