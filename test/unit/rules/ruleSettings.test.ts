import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { RULES } from '../../../extension/protocol/alerts';
import {
  DEFAULT_RULES,
  parseRuleSettings,
  RULES_OFF,
  THRESHOLDS,
} from '../../../extension/protocol/ruleSettings';

const read = (name: string) =>
  JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../..', name), 'utf8')) as Record<
    string,
    never
  >;

interface Property {
  readonly default: unknown;
  readonly items?: { readonly enum: readonly string[] };
}

const PREFIX = 'normscope.rules.';
const manifest = read('package.json') as unknown as {
  contributes: { configuration: readonly { properties: Readonly<Record<string, Property>> }[] };
};
const properties = Object.assign(
  {},
  ...manifest.contributes.configuration.map(({ properties: own }) => own),
) as Record<string, Property>;

describe('the settings of the rules', () => {
  it('have in the manifest the names and defaults that the code has', () => {
    const wanted = Object.fromEntries(
      Object.values(THRESHOLDS).map(({ setting, preset }) => [PREFIX + setting, preset as unknown]),
    );
    wanted[PREFIX + RULES_OFF] = [];
    const own = Object.entries(properties).filter(([name]) => name.startsWith(PREFIX));
    expect(Object.fromEntries(own.map(([name, property]) => [name, property.default]))).toEqual(
      wanted,
    );
    expect(properties[PREFIX + RULES_OFF]?.items?.enum).toEqual(RULES);
  });

  it.each(['package.nls.json', 'package.nls.zh-cn.json'])('are all described in %s', (name) => {
    const keys = JSON.stringify(manifest.contributes.configuration).match(
      /%configuration\.rules\.[\w.-]+%/g,
    );
    const texts = read(name);
    expect(keys?.length).toBeGreaterThan(30);
    expect(keys?.filter((key) => !(key.slice(1, -1) in texts))).toEqual([]);
  });

  it('are in percent where the rule compares shares', () => {
    const values: Record<string, unknown> = { paddingPercent: 20, driftDeviations: 2 };
    const { limits } = parseRuleSettings((setting) => values[setting]);
    expect(limits['padding-in-statistics']).toBe(0.2);
    expect(limits.drift).toBe(2);
    expect(limits.headroom).toBe(0.5);
  });

  it.each([0, -1, NaN, Infinity, '7', null, {}, true])(
    'keep the default instead of %j',
    (value) => {
      expect(parseRuleSettings(() => value)).toEqual(DEFAULT_RULES);
    },
  );

  it('turn off rules that there are', () => {
    const off = ['drift', 'made-up', 7, 'nonfinite'];
    expect(parseRuleSettings((setting) => (setting === RULES_OFF ? off : undefined)).off).toEqual([
      'nonfinite',
      'drift',
    ]);
  });
});
