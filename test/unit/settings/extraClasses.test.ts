import { describe, expect, it } from 'vitest';
import { parseExtraClasses } from '../../../extension/protocol/extraClasses';

describe('further norm classes', () => {
  it('are names or globs', () => {
    expect(parseExtraClasses(['MyNorm', 'models.*Scale'])).toEqual([
      { pattern: 'MyNorm', family: null, featureAxis: null },
      { pattern: 'models.*Scale', family: null, featureAxis: null },
    ]);
  });

  it('may have a family and a feature axis', () => {
    expect(parseExtraClasses([{ pattern: 'MyScale', family: 'rms', featureAxis: -1 }])).toEqual([
      { pattern: 'MyScale', family: 'rms', featureAxis: -1 },
    ]);
  });

  it('keep what is right of an entry that is wrong in part', () => {
    expect(parseExtraClasses([{ pattern: 'A', family: 'layers', featureAxis: 1.5 }])).toEqual([
      { pattern: 'A', family: null, featureAxis: null },
    ]);
  });

  it.each([null, undefined, 'MyNorm', 7, {}])('are none in %j', (value) => {
    expect(parseExtraClasses(value)).toEqual([]);
  });

  it.each([null, 7, '', 'n'.repeat(5000), [], {}, { family: 'rms' }, { pattern: 3 }])(
    'do not include %j',
    (entry) => {
      expect(parseExtraClasses([entry])).toEqual([]);
    },
  );
});
