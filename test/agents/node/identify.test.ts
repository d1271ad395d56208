import { describe, expect, it } from 'vitest';
import { parseFrame, userFrame } from '../../../extension/agents/node/locations';
import { featureAxes, normalizedAxes, normKind } from '../../../extension/agents/node/normLayers';
import { connectOptions } from '../../../extension/agents/node/endpoint';
import type { Family } from '../../../extension/protocol/layers';
import { readSettings } from '../../../extension/agents/node/settings';

describe('the user line', () => {
  it.each([
    ['    at main (/home/u/train.js:12:5)', '/home/u/train.js', 12],
    ['    at /home/u/train.js:12:5', '/home/u/train.js', 12],
    ['    at async main (file:///home/u/a%20b/tr%C3%A4in.mjs:7:1)', '/home/u/a b/träin.mjs', 7],
    ['    at new Net (/home/u/a (copy)/net.js:3:9)', '/home/u/a (copy)/net.js', 3],
    ['    at Object.<anonymous> (C:\\Users\\u\\train.js:4:2)', 'C:\\Users\\u\\train.js', 4],
  ])('is read from %j', (text, file, line) => {
    expect(parseFrame(text)).toEqual({ file, line });
  });

  const frame = (file: string | undefined) => ({
    getFileName: () => file as string,
    getLineNumber: () => 1,
    getColumnNumber: () => 1,
  });
  const library = [
    frame('/ext/agent.cjs'),
    frame('/p/node_modules/@tensorflow/tfjs-layers/dist/x.js'),
    frame('C:\\p\\node_modules\\x.js'),
    frame('node:internal/modules/cjs/loader'),
    frame(undefined),
  ];

  it('is the innermost one outside of libraries, Node and the agent', () => {
    const user = frame('/p/src/model.js');
    const frames = [...library, user, frame('/p/src/train.js')];
    expect(userFrame(frames, '/ext/agent.cjs')).toBe(user);
  });

  it('is not there when all frames are theirs', () => {
    expect(userFrame(library, '/ext/agent.cjs')).toBeUndefined();
  });
});

describe('norm layers', () => {
  class Layer {}
  const named = (name: string, base: new () => object = Layer): object => {
    const type = class extends base {};
    Object.defineProperty(type, 'name', { value: name });
    return new type();
  };

  const extra = (
    pattern: string,
    family: Family | null = null,
    featureAxis: number | null = null,
  ) => ({
    pattern,
    family,
    featureAxis,
  });

  it.each([
    ['BatchNormalization', 'batch'],
    ['MyLayerNorm', 'layer'],
    ['RMSNorm', 'rms'],
    ['GroupNormalization', 'group'],
    ['InstanceNorm2d', 'instance'],
    ['ScaleNorm', 'other'],
  ])('are known by the class name %s', (name, family) => {
    expect(normKind(named(name), [])).toEqual({
      className: name,
      family,
      featureAxis: null,
    });
  });

  it.each(['Dense', 'Normal', 'Enormous', 'Activation'])('are not seen in %s', (name) => {
    expect(normKind(named(name), [])).toBeNull();
  });

  it('are known by the class they extend', () => {
    const base = named('BatchNormalization').constructor as new () => object;
    expect(normKind(named('Special', base), [])).toEqual({
      className: 'Special',
      family: 'batch',
      featureAxis: null,
    });
  });

  it('are known by the extra classes, with globs', () => {
    expect(normKind(named('Whitening'), [extra('White*')])?.family).toBe('other');
    expect(normKind(named('Whitening'), [extra('Whit?')])).toBeNull();
    expect(normKind(named('Whitening'), [extra('.*')])).toBeNull();
  });

  it('have the family and feature axis that the extra classes give them', () => {
    const extras = [extra('Whit*', 'group', 1), extra('Batch*', 'instance')];
    expect(normKind(named('Whitening'), extras)).toMatchObject({ family: 'group', featureAxis: 1 });
    expect(normKind(named('BatchNorm'), extras)).toMatchObject({ family: 'instance' });
    expect(normKind(named('RMSNorm'), [extra('RMS*', null, -2)])).toMatchObject({
      family: 'rms',
      featureAxis: -2,
    });
    expect(featureAxes({ name: '', axis: -1, constructor: null }, 4, 1)).toEqual([1]);
  });

  it('have their axes counted from the end, and refused out of range', () => {
    const layer = { name: '', constructor: null };
    expect(featureAxes({ ...layer }, 4)).toEqual([3]);
    expect(featureAxes({ ...layer, axis: 1 }, 4)).toEqual([1]);
    expect(featureAxes({ ...layer, axis: [-1, 1] }, 3)).toEqual([1, 2]);
    expect(featureAxes({ ...layer, axis: 5 }, 3)).toBeNull();
  });

  it('normalize over what their family says', () => {
    expect(normalizedAxes('batch', [1], 4)).toEqual([0, 2, 3]);
    expect(normalizedAxes('layer', [2, 3], 4)).toEqual([2, 3]);
    expect(normalizedAxes('instance', [3], 4)).toEqual([1, 2]);
  });
});

describe('the environment', () => {
  const token = 'a'.repeat(64);
  const base = { NORMSCOPE_ADDRESS: 'unix:/tmp/s', NORMSCOPE_TOKEN: token };

  it('switches the agent on only when it is whole', () => {
    expect(readSettings({})).toBeNull();
    expect(readSettings({ ...base, NORMSCOPE_TOKEN: 'short' })).toBeNull();
    expect(readSettings({ ...base, NORMSCOPE_CAPTURE: '{"enabled":false}' })).toBeNull();
    expect(readSettings(base)?.capture.budgetPercent).toBe(1);
  });

  it('keeps defaults for settings that make no sense', () => {
    for (const text of ['nonsense', '[]', '{"budgetPercent":"x","extraClasses":[1]}']) {
      const capture = readSettings({ ...base, NORMSCOPE_CAPTURE: text })?.capture;
      expect(capture).toEqual({ enabled: true, budgetPercent: 1, extraClasses: [] });
    }
  });

  it('takes extra classes as bare patterns and as objects', () => {
    const extraClasses = [
      'White*',
      { pattern: 'Mine', family: 'rms', featureAxis: -2 },
      { pattern: 'Odd', family: 'no such', featureAxis: 1.5 },
      { family: 'rms' },
      '',
    ];
    const text = JSON.stringify({ extraClasses });
    expect(readSettings({ ...base, NORMSCOPE_CAPTURE: text })?.capture.extraClasses).toEqual([
      { pattern: 'White*', family: null, featureAxis: null },
      { pattern: 'Mine', family: 'rms', featureAxis: -2 },
      { pattern: 'Odd', family: null, featureAxis: null },
    ]);
  });

  it.each([
    ['unix:/tmp/a b', { path: '/tmp/a b' }],
    ['pipe:\\\\.\\pipe\\x', { path: '\\\\.\\pipe\\x' }],
    ['tcp:127.0.0.1:80', { host: '127.0.0.1', port: 80, noDelay: true }],
    ['tcp:::1:80', { host: '::1', port: 80, noDelay: true }],
    ['tcp:127.0.0.1:0', null],
    ['http://x', null],
  ])('gives the endpoint %s', (text, options) => {
    expect(connectOptions(text)).toEqual(options);
  });
});
