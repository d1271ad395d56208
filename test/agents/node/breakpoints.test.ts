import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AgentQuestion } from '../../../extension/protocol/frames';
import { encodeBlob } from '../../../extension/protocol/safetensors';
import { Collector, type CollectorOptions } from './harness/collector';
import { FLAVOURS, Workshop, type RunOptions } from './harness/programs';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/** With an open inspector a program counts as debugged; nobody being there, it does not stop. */
const DEBUGGED = '--inspect=127.0.0.1:0';
const SHAPE = { elements: 24, samples: [2, 3], features: [0, 5] };
const PLANTED = { ...SHAPE, nan: 1, positiveInfinity: 1, negativeInfinity: 0 };

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

const breakpoints = (steps: boolean, nonFinite: boolean) =>
  encodeBlob({ kind: 'breakpoints', steps, nonFinite });

async function run(args: readonly string[], how: CollectorOptions, options: RunOptions = {}) {
  const collector = await Collector.start(how);
  try {
    const given = { nodeOptions: DEBUGGED, collector, args, ...options };
    const { code, stdout } = await workshop.run('plants.cjs', given);
    expect(code).toBe(0);
    const { only } = collector;
    return { only, questions: only.of('question'), stdout };
  } finally {
    await collector.close();
  }
}

const about = <A extends AgentQuestion['about']>(questions: readonly AgentQuestion[], what: A) =>
  questions.filter((q): q is Extract<AgentQuestion, { about: A }> => q.about === what);

const no = () => false;

describe.each(FLAVOURS)('questions on %s', (flavour) => {
  it('tell of a NaN in a forward pass: where, how many, which samples and features', async () => {
    const how = { greeting: breakpoints(false, true), verdict: no };
    const { only, questions } = await run(['forward', '3', '5'], how, { flavour });
    const [first, ...later] = about(questions, 'nonfinite');
    expect(first).toMatchObject({ question: 0, step: 3, name: 'second', tap: 'pre', ...PLANTED });
    const layer = only.of('layout')[0]?.layers.find(({ name }) => name === 'second');
    expect(first?.layer).toBe(layer?.id);
    // What it spreads to is asked about, too: which one is the cause is not for the agent to say.
    expect(later.some(({ tap, name }) => tap === 'post' && name === 'second')).toBe(true);
    expect(questions.map(({ question }) => question)).toEqual(questions.map((_, at) => at));
  });

  it('tell of one that arises in a backward pass', async () => {
    const how = { greeting: breakpoints(false, true), verdict: no };
    const { questions } = await run(['backward', '2', '3'], how, { flavour });
    const [first] = about(questions, 'nonfinite');
    expect(first).toMatchObject({ step: 2, name: 'second', tap: 'gradPost', ...PLANTED });
  });

  it('are asked behind each captured step, whose figures the collector then has', async () => {
    const how = { greeting: breakpoints(true, false), verdict: no };
    const { only, questions } = await run(['never', '0', '4'], how, { flavour });
    expect(about(questions, 'step').map(({ step }) => step)).toEqual([0, 1, 2, 3]);
    const order = only.frames.flatMap((frame) =>
      frame.kind === 'step' || frame.kind === 'question' ? [`${frame.kind} ${frame.step}`] : [],
    );
    expect(order).toEqual([0, 1, 2, 3].flatMap((step) => [`step ${step}`, `question ${step}`]));
  });
});

describe('tensor breakpoints', () => {
  it('are not asked about without any, and without a debugger', async () => {
    expect((await run(['forward', '1', '3'], { verdict: no })).questions).toEqual([]);
    const both = { greeting: breakpoints(true, true), verdict: no };
    const plain = await run(['forward', '1', '3'], both, { nodeOptions: '' });
    expect(plain.questions).toEqual([]);
  });

  it('leave training bit for bit as it is, also where the answer is to stop', async () => {
    const args = ['forward', '3', '5'];
    const { stdout: expected } = await workshop.run('plants.cjs', { args });
    const how = { greeting: breakpoints(true, true), verdict: () => true };
    const { stdout, only, questions } = await run(args, how);
    expect(questions.length).toBeGreaterThan(5);
    expect(stdout).toBe(expected);
    expect(only.of('bye')[0]).toMatchObject({ steps: 5, errors: 0 });
  });

  it('tell that a stop is over, so that nothing is left to be said of it', async () => {
    const verdict = ({ step }: AgentQuestion) => step === 1;
    const how = { greeting: breakpoints(false, true), verdict };
    const { only } = await run(['forward', '1', '6'], how);
    expect(only.of('stop-over')).toHaveLength(1);
    const over = only.frames.findIndex(({ kind }) => kind === 'stop-over');
    const later = only.frames.findIndex((frame) => frame.kind === 'question' && frame.step > 2);
    expect(over).toBeLessThan(later);
  });

  it('look at every step, however little of step time capture may take', async () => {
    const capture = { budgetPercent: 0.001 };
    const how = { greeting: breakpoints(false, true), verdict: no };
    const { questions } = await run(['forward', '37', '40'], how, { capture });
    expect(about(questions, 'nonfinite')[0]?.step).toBe(37);
  });

  it('are switched off at once, in a program that never yields to the event loop', async () => {
    let collector: Collector | undefined = undefined;
    const off = ({ step }: AgentQuestion) => {
      if (step === 1) collector?.send(breakpoints(false, false));
      return false;
    };
    collector = await Collector.start({ greeting: breakpoints(true, false), verdict: off });
    const args = ['never', '0', '6'];
    await workshop.run('plants.cjs', { nodeOptions: DEBUGGED, collector, args });
    expect(collector.only.of('question').map(({ step }) => step)).toEqual([0, 1]);
    await collector.close();
  });

  it('let a program go on, and say so, when nobody answers', async () => {
    const how = { greeting: breakpoints(true, true) };
    const { only, questions } = await run(['never', '0', '4'], how);
    expect(questions).toHaveLength(1);
    expect(only.of('event')).toMatchObject([{ event: 'breakpoint-unanswered' }]);
    expect(only.of('bye')[0]).toMatchObject({ steps: 4, errors: 0 });
  });

  it('let a program go on when the collector goes away in the middle of a question', async () => {
    const collector = await Collector.start({
      greeting: breakpoints(true, true),
      verdict: () => {
        collector.drop();
        return undefined;
      },
    });
    const args = ['never', '0', '4'];
    const result = await workshop.run('plants.cjs', { nodeOptions: DEBUGGED, collector, args });
    expect(result.code).toBe(0);
    expect(collector.only.of('question')).toHaveLength(1);
    await collector.close();
  });
});
