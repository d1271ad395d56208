/** Tensors in Variables, watches, hovers and the debug console, in the real debugpy. */
import { beforeAll, describe, expect, test } from 'vitest';
import { pausedAt, pausedIn, STARTING_MS, type Paused } from './tensorSession';

const X = 'float32[8, 64, 4] cpu · μ 2.5 σ 2.65 · 0 … 7 ▅▅▁▁▁▁█ · NaN 0 · dead 1/4';
/** What the program prints where anybody runs code of its tensors or modules. */
const DISTURBED = /repr of|property of/;

function undisturbed({ session }: Paused): void {
  expect(session.output('stdout')).not.toMatch(DISTURBED);
}

/** Tests that only look share one pause. */
let paused: Paused;

beforeAll(async () => {
  let stop = () => Promise.resolve();
  paused = await pausedAt('# in look', {
    parameters: 20_000,
    whenOver: (end) => {
      stop = end;
    },
  });
  return () => stop();
}, STARTING_MS);

describe('a tensor', () => {
  test('has the same text in Variables, hover, watch, console and copied', async () => {
    expect((await paused.locals()).get('x')?.value).toBe(X);
    for (const context of ['hover', 'watch', 'repl', 'clipboard']) {
      expect((await paused.evaluate('x', context)).result, context).toBe(X);
    }
    undisturbed(paused);
  });

  test('pains 23, 25: opens to statistics, slices, features, gradient and what is behind it', async () => {
    const names = async (...path: string[]) => [...(await paused.below(...path)).keys()];
    expect(await names('x')).toEqual(['statistics', 'slices', 'features of axis 2', 'raw object']);
    const statistics = await paused.below('x', 'statistics');
    expect(statistics.get('mean')?.value).toBe('2.5');
    expect(statistics.get('dead features')?.value).toBe('1 of 4');
    expect(statistics.get('mean')?.variablesReference).toBe(0);
    expect((await paused.below('x', 'features of axis 2')).get('[2]')).toMatchObject({
      value: expect.stringMatching(/^float32\[8, 64\] cpu · μ 7 σ 0/),
      evaluateName: 'x[..., 2]',
    });
    expect((await paused.below('weight')).get('gradient')).toMatchObject({
      value: 'float32[3, 2] cpu · 2, 2, 2, 2, 2, 2',
      evaluateName: 'weight.grad',
    });
    expect(await names('weight', 'raw object')).toContain('_version');
  });

  test('reads a sample above the size that the settings give, and says so', async () => {
    const text = (await paused.locals()).get('long')?.value;
    expect(text).toMatch(/^int64\[25000\] cpu · .* · from 3,\d{3} of 25,000$/);
  });

  test('pains 6: is shown in a process that debugpy was attached to', async () => {
    const other = await pausedAt('# in look', { attach: true });
    expect((await other.evaluate('x')).result).toBe(X);
  });

  test('pains 6: is shown where the interpreter ignores its environment', async () => {
    const other = await pausedAt('# in look', { pythonArgs: ['-I'] });
    expect((await other.evaluate('x')).result).toBe(X);
  });

  test('looks as debugpy shows it, and all else works, where the plug-in is not wanted', async () => {
    const plain = await pausedAt('# in look', { tensors: undefined });
    expect((await plain.evaluate('broken')).result).toContain('tensor(');
    const sums = await Promise.all([1, 2, 3, 4].map((n) => plain.evaluate(`${n} + 1`, 'watch')));
    expect(sums.map(({ result }) => result)).toEqual(['2', '3', '4', '5']);
    const ask = { frameId: plain.frameId, names: ['x'] };
    const inline = await plain.session.ask('normscopeInlineTexts', ask);
    expect(inline).toMatchObject({ success: true, body: { texts: {} } });
  });
});

describe('a module', () => {
  test('opens to its attributes, children, parameters and buffers, by names that evaluate', async () => {
    expect((await paused.locals()).get('net')?.value).toBe(
      'Net · 68 parameters · 2 children · training',
    );
    const rows = await paused.below('net');
    expect([...rows.keys()]).toEqual(['training', 'width', 'norm', 'layers', 'seen', 'internals']);
    const name = (await paused.below('net', 'layers')).get('1')?.evaluateName ?? '';
    expect((await paused.evaluate(name)).result).toBe('Linear · 20 parameters · training');
    undisturbed(paused);
  });

  test('of 20,000 parameters opens by ranges', async () => {
    expect((await paused.below('wide')).get('parameters')?.value).toBe('20,000');
    const ranges = await paused.below('wide', 'parameters');
    expect([...ranges.keys()].at(-1)).toBe('10000 … 19999');
    const last = await paused.below('wide', 'parameters', '10000 … 19999', '19900 … 19999');
    expect(last.get('19999')?.value).toBe('float32[1] cpu grad · 1');
  });
});

describe('what users of today’s debuggers suffer from', () => {
  test('pains 1: a storage of a billion bytes does not lock up the debugger', async () => {
    expect((await paused.locals()).get('storage')?.value).toMatch(
      /Storage 1,000,000,000 bytes cpu$/,
    );
  });

  test('pains 2, 3: large tensors and a 6^10 array are shown among other locals', async () => {
    const locals = await paused.locals();
    expect(locals.get('huge')?.value).toBe('float32[1000000000] cpu · μ 0 σ 0 · 0 … 0 · NaN 0');
    expect(locals.get('memory')?.value).toMatch(/^float32\[1000, 1000, 1000\] numpy · μ 3 σ 0 /);
    expect(locals.get('cube')?.value).toMatch(/^uint8\[6, 6, 6, 6, 6, 6, 6, 6, 6, 6\] numpy · μ 0/);
  });

  test('pains 4, 12: hovers that come faster than they are answered all get their answer', async () => {
    const names = ['huge', 'x', 'cube', 'nothing', 'storage', 'net', 'many', 'broken'];
    const hovers = names.flatMap((name) => [name, name, name]);
    const answers = await Promise.all(
      hovers.map((expression) =>
        paused.session.ask('evaluate', { expression, frameId: paused.frameId, context: 'hover' }),
      ),
    );
    expect(answers.map(({ success }) => success)).toEqual(hovers.map((name) => name !== 'nothing'));
  });

  test('pains 5: the shape comes first', async () => {
    const locals = await paused.locals();
    for (const name of ['x', 'weight', 'huge', 'array', 'half', 'long', 'broken']) {
      expect(locals.get(name)?.value, name).toMatch(/^[a-z]+\d+\[[\d, ]+\] /);
    }
  });

  test('pains 7: nothing below a tensor leads back to it without end', async () => {
    const steps = ['x', 'slices', '[0]', 'slices', '[0]', 'slices'];
    const values = await paused.below(...steps);
    expect([...values.keys()]).toEqual(['[0]', '[1]', '[2]', '[3]']);
    expect([...values.values()].map((row) => row.variablesReference)).toEqual([0, 0, 0, 0]);
    for (const depth of [1, 3, 5]) {
      expect((await paused.below(...steps.slice(0, depth))).has('data')).toBe(false);
    }
  });

  test('pains 9: neither repr nor a property of a tensor runs, not even within lists', async () => {
    const locals = await paused.locals();
    expect(locals.get('many')?.value).toBe('[float32[5] cpu, float32[16] cpu Loud]');
    expect(locals.get('named')?.value).toBe(
      "{'x': float32[8, 64, 4] cpu, 'loud': float32[16] cpu Loud}",
    );
    expect(locals.get('module')?.value).toBe("{'list': [Net(…)]}");
    await paused.below('loud');
    await paused.below('loud', 'raw object');
    await paused.below('many');
    for (const context of ['hover', 'watch', 'repl', 'clipboard']) {
      for (const name of ['loud', 'many', 'net']) await paused.evaluate(name, context);
    }
    undisturbed(paused);
  });

  test('pains 13, 26: bfloat16 is read, and no text has colours of a terminal', async () => {
    const locals = await paused.locals();
    expect(locals.get('half')?.value).toBe('bfloat16[8] cpu · μ 1 σ 0 · 1 … 1 · NaN 0');
    for (const { value } of locals.values()) expect(value).not.toContain('\u001b');
  });

  test('pains 20: rows of long texts stay far below debugpy’s 16 MiB wall', async () => {
    const texts = await paused.below('texts');
    const lengths = [...texts.values()].map(({ value }) => value.length);
    expect(lengths.length).toBeGreaterThan(2);
    expect(Math.max(...lengths)).toBeLessThan(5_000);
    const all = await paused.session.ask('evaluate', {
      expression: '"é" * 30_000_000',
      frameId: paused.frameId,
      context: 'clipboard',
    });
    expect(all.body.result).toMatch(/… \(30,000,002\)$/);
    expect((await paused.evaluate('x')).result).toBe(X);
  });

  test('pains 27: expressions are evaluated in the frame that is selected', async () => {
    const inner = await pausedAt('# in forward');
    const { body } = await inner.session.stackTraceRequest({ threadId: 1 });
    const outer = body.stackFrames.find(({ name }) => name === 'look');
    const look = pausedIn(inner.session, outer?.id ?? -1);
    expect((await inner.evaluate('x')).result).toMatch(/^float32\[2, 4\]/);
    expect((await look.evaluate('x')).result).toBe(X);
    const both = await Promise.all([1, 2, 3].map(() => look.evaluate('weight.grad', 'watch')));
    expect(both.map(({ result }) => result)).toEqual(
      both.map(() => 'float32[3, 2] cpu · 2, 2, 2, 2, 2, 2'),
    );
  });

  test('pains 30: slices lead to the values of a tensor with more than three axes', async () => {
    const path = ['cube', ...Array.from({ length: 9 }, () => ['slices', '[5]']).flat(), 'slices'];
    const row = (await paused.below(...path)).get('[3]');
    expect(row).toMatchObject({ value: '0', evaluateName: `cube${'[5]'.repeat(9)}[3]` });
  });
});

describe('evaluates that arrive together', () => {
  test('are answered each with its own result, its rows and its error', async () => {
    const asked = Array.from({ length: 20 }, (_, n) => (n === 7 ? '1 / 0' : `x[${n % 8}]`));
    const answers = await Promise.all(
      asked.map((expression) =>
        paused.session.ask('evaluate', { expression, frameId: paused.frameId, context: 'watch' }),
      ),
    );
    expect(answers.map(({ success }) => success)).toEqual(asked.map((one) => one !== '1 / 0'));
    expect(answers[7]?.message).toBe('ZeroDivisionError: division by zero');
    expect(answers[19]?.body).toMatchObject({
      result: expect.stringMatching(/^float32\[64, 4\] cpu · μ 2.41 /),
      type: 'Tensor',
    });
    const rows = await paused.children(answers[19]?.body.variablesReference);
    expect([...rows.keys()]).toContain('slices');
    expect((await paused.below('x', 'slices')).get('[3]')?.value).toBe(answers[19]?.body.result);
  });

  test('are evaluated in order, so that one sees what the one before it did', async () => {
    await paused.evaluate('named.setdefault("n", [])', 'repl');
    const asked = [0, 1, 2, 3, 4].map((n) => `named["n"].append(${n}) or len(named["n"])`);
    const answers = await Promise.all(asked.map((one) => paused.evaluate(one, 'watch')));
    expect(answers.map(({ result }) => result)).toEqual(['1', '2', '3', '4', '5']);
  });
});

describe('texts for the ends of lines', () => {
  test('come for all names in one answer, of those that are tensors', async () => {
    const names = ['x', 'broken', 'net.norm.weight', 'net', 'look', 'nothing', 'x.T', '1/0'];
    const ask = { frameId: paused.frameId, names };
    const { body } = await paused.session.ask('normscopeInlineTexts', ask);
    expect(body.texts).toEqual({
      x: 'float32[8, 64, 4] μ 2.5 σ 2.65',
      broken: 'float32[8] μ 3.5 σ 1.71 · NaN 1 · Inf 1',
      'net.norm.weight': 'float32[4] 1, 1, 1, 1',
    });
    undisturbed(paused);
  });
});
