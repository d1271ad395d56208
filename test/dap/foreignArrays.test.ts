/** Arrays of TensorFlow and JAX, which an environment of their own has. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { begin, lineOf, openSession, PROGRAMS } from './session';
import { AGENT, pausedIn, STARTING_MS, type Paused } from './tensorSession';

const PYTHON = process.env.ARRAYS_PYTHON ?? '';
const PROGRAM = path.join(PROGRAMS, 'foreignArrays.py');

async function pausedWith(library: string, marker: string): Promise<Paused> {
  const tensors = { agentDir: AGENT, maxElements: 4096, language: 'en' };
  const session = await openSession({ tensors });
  const line = lineOf(readFileSync(PROGRAM, 'utf8'), marker);
  const breakpoints = { file: PROGRAM, breakpoints: [{ line }] };
  const launch = { program: PROGRAM, args: [library], python: PYTHON };
  await begin(session, 'launch', launch, { breakpoints });
  await session.event('stopped', () => true, STARTING_MS);
  const { threadId = 1 } = await session.nextStop();
  const { body } = await session.stackTraceRequest({ threadId });
  return pausedIn(session, body.stackFrames[0]?.id ?? -1);
}

async function values(paused: Paused, names: readonly string[]) {
  const locals = await paused.locals();
  return Object.fromEntries(names.map((name) => [name, locals.get(name)?.value]));
}

const X = 'μ 0.479 σ 0.288 · 0 … 0.958 █▇▇█▇▇█ · NaN 0';

describe.skipIf(PYTHON === '')('arrays of other frameworks', () => {
  test('pains 11: eager tensors of TensorFlow are read, and open, without harm', async () => {
    const paused = await pausedWith('tensorflow', '# tensorflow here');
    expect(await values(paused, ['x', 'variable', 'flags', 'words', 'empty', 'big'])).toEqual({
      x: `float32[2, 3, 4] cpu:0 tf · ${X}`,
      variable: 'float32[2, 2] cpu:0 tf · 1, NaN, 3, 4',
      flags: 'bool[3] cpu:0 tf · True, False, True',
      words: 'string[2] cpu:0 tf · values not read (not numbers)',
      empty: 'float32[0, 3] cpu:0 tf · empty',
      big: 'float32[1000, 1000, 10] cpu:0 tf · μ 0 σ 0 · 0 … 0 · NaN 0 · dead 10/10 · from 4,090 of 10,000,000',
    });
    expect((await values(paused, ['half'])).half).toMatch(
      /^bfloat16\[2, 3, 4\] cpu:0 tf · μ 0\.479/,
    );
    expect([...(await paused.below('x')).keys()]).toEqual([
      'statistics',
      'slices',
      'features of axis 2',
    ]);
    expect((await paused.below('x', 'slices')).get('[1]')?.value).toMatch(/^float32\[3, 4\]/);
    expect((await paused.below('variable', 'slices', '[1]', 'slices')).get('[0]')?.value).toBe('3');
    expect((await paused.below('nested')).get("'x'")?.value).toMatch(/^float32\[2, 3, 4\]/);
    expect((await paused.evaluate('x * 2', 'repl')).result).toMatch(/^float32\[2, 3, 4\] cpu:0 tf/);
    await paused.session.continueRequest({ threadId: 1 });
    expect(await paused.session.event('exited', () => true, STARTING_MS)).toMatchObject({
      exitCode: 0,
    });
  });

  test('arrays of JAX are, and those whose memory was given back say so', async () => {
    const paused = await pausedWith('jax', '# jax here');
    expect(await values(paused, ['x', 'broken', 'flags', 'empty', 'gone'])).toEqual({
      x: `float32[2, 3, 4] cpu:0 jax · ${X}`,
      broken: 'float32[3] cpu:0 jax · 1, NaN, ∞',
      flags: 'bool[3] cpu:0 jax · True, False, True',
      empty: 'float32[0, 3] cpu:0 jax · empty',
      gone: 'float32[3] jax · values not read (its memory was given back)',
    });
    expect((await paused.below('x', 'slices')).get('[1]')?.value).toMatch(/^float32\[3, 4\]/);
    expect((await paused.below('gone')).has('slices')).toBe(false);
  });

  test('what stands in for an array while JAX traces shows its shape', async () => {
    const paused = await pausedWith('jax', '# while tracing');
    const { t } = await values(paused, ['t']);
    expect(t).toBe(
      'float32[2, 3, 4] jax · no data (it stands in for a tensor while the program is traced)',
    );
    expect([...(await paused.below('t')).keys()]).not.toContain('slices');
  });
});
