import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Collector } from '../../../extension/core/collector/collector';
import { matchToken, newToken } from '../../../extension/core/collector/tokens';
import type { ReceivedFrame } from '../../../extension/core/frames/receivedFrame';
import { StepRecord } from '../../../extension/core/runStore/stepRecord';
import {
  ADDRESS_VARIABLE,
  CAPTURE_VARIABLE,
  TOKEN_VARIABLE,
  type CaptureSettings,
  type ExtraClass,
} from '../../../extension/protocol/environment';
import type { LayerId } from '../../../extension/protocol/ids';
import { runCommand } from '../../setup/command';
import { capturedStep, type AgentCase, type AgentEngine } from '../cases';
import { FLOAT32_TOLERANCE, judge, type Outcome } from '../comparison';

const TIMEOUT_MS = 10 * 60_000;

/** How a program is started. */
export interface Program {
  readonly command: string;
  /** The file with the jobs is appended. */
  readonly args: readonly string[];
  /** Beside what attaches the agent to the collector. */
  readonly env: Readonly<Record<string, string>>;
}

/** Classes of the programs that no framework knows. */
const EXTRA_CLASSES: readonly ExtraClass[] = ['DetachNorm', 'AdaNorm'].map((pattern) => ({
  pattern,
  family: 'layer',
  featureAxis: -1,
}));

/** A step number, the layer that ran in it and what was captured of it. */
interface Captured {
  readonly record: StepRecord;
  readonly layers: readonly LayerId[];
}

/** Steps by number, as they come in over a socket. */
class Receiver {
  readonly steps = new Map<number, Captured>();
  problem: string | undefined;
  private readonly layers = new Set<LayerId>();

  frame(frame: ReceivedFrame): void {
    if (frame.kind === 'layout') for (const { id } of frame.layers) this.layers.add(id);
    if (frame.kind === 'event') this.problem ??= frame.message;
    if (frame.kind !== 'step') return;
    const record = new StepRecord(frame);
    const fired = [...this.layers].filter((id) => record.tap(id, 'pre'));
    this.steps.set(frame.step, { record, layers: fired });
  }
}

function jobsOf(cases: readonly AgentCase[]) {
  // JSON has neither NaN nor infinities.
  const numbers = (values: readonly number[]) =>
    values.map((value) =>
      Number.isFinite(value) && !Object.is(value, -0) ? value : textOf(value),
    );
  return cases.map(({ layer, dtype, steps }) => ({
    layer,
    dtype,
    steps: steps.map(({ batches }) =>
      batches.map((batch) => ({ ...batch, x: numbers(batch.x), g: numbers(batch.g) })),
    ),
  }));
}

const textOf = (value: number) => (Object.is(value, -0) ? '-0.0' : String(value));

/**
 * Runs the cases in one real program with the agent attached by its environment, and judges what
 * came over the socket. Step n of the program is the n-th of all steps of the cases.
 *
 * @throws an Error with one sentence when the program did not run to its end.
 */
export async function runAgent(
  engine: AgentEngine,
  program: Program,
  cases: readonly AgentCase[],
): Promise<readonly Outcome[]> {
  const receiver = new Receiver();
  const token = { token: newToken() };
  let end = () => {};
  const closed = new Promise<void>((resolve) => (end = resolve));
  const collector = await Collector.start({
    socketRoot: undefined,
    log: () => {},
    admit: (sent) =>
      matchToken(sent, [token]) && {
        frame: (frame) => receiver.frame(frame),
        unreadable: (reason) => void (receiver.problem ??= reason),
        closed: () => end(),
      },
  });
  const folder = await mkdtemp(path.join(tmpdir(), 'normscope-vectors-'));
  try {
    const file = path.join(folder, 'jobs.json');
    await writeFile(file, JSON.stringify(jobsOf(cases)));
    const capture: CaptureSettings = {
      enabled: true,
      budgetPercent: 0,
      extraClasses: EXTRA_CLASSES,
    };
    const env = {
      ...process.env,
      ...program.env,
      [ADDRESS_VARIABLE]: collector.endpoint,
      [TOKEN_VARIABLE]: token.token,
      [CAPTURE_VARIABLE]: JSON.stringify(capture),
    };
    const { code, output } = await runCommand(program.command, [...program.args, file], {
      env,
      timeoutMs: TIMEOUT_MS,
    });
    if (code !== 0) {
      const lines = output.trim().split('\n');
      const said = lines.findLast((line) => /Error\b/.test(line)) ?? lines.at(-1) ?? '';
      throw new Error(`The ${engine} program ended with code ${code}: ${said.trim()}`);
    }
    // What it sent before its end may still be on its way; a process that never connected sends nothing.
    const patience = setTimeout(() => end(), 10_000);
    await closed;
    clearTimeout(patience);
  } finally {
    await collector.dispose();
    await rm(folder, { recursive: true, force: true });
  }
  return outcomes(engine, cases, receiver);
}

function outcomes(
  engine: AgentEngine,
  cases: readonly AgentCase[],
  { steps, problem }: Receiver,
): readonly Outcome[] {
  let number = 0;
  return cases.map(({ name, steps: wanted }) => {
    const missing: string[] = [];
    const comparisons = wanted.flatMap((step) => {
      const captured = steps.get(number++);
      const [layer, ...others] = captured?.layers ?? [];
      if (!captured || layer === undefined || others.length > 0) {
        const why = problem === undefined ? '' : ` The agent says: ${problem}`;
        const what = !captured
          ? 'step was not captured'
          : `step has ${captured.layers.length} layers`;
        missing.push(`${name}: its ${what}.${why}`);
        return [];
      }
      return step.compare(capturedStep(captured.record, layer), engine);
    });
    const outcome = judge(name, comparisons, FLOAT32_TOLERANCE);
    if (missing.length === 0) return outcome;
    return { name, worst: Number.POSITIVE_INFINITY, failures: [...missing, ...outcome.failures] };
  });
}
