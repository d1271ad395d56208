/**
 * `npm run bench -- editor [--json FILE]`: how long the person waits for tensors while the program
 * is paused, through the real debugpy.
 *
 * - `hoverP95Ms`: of hovers over what a frame usually holds.
 * - `hugeTensorMs`: the locals of a frame with tensors of 10⁹ elements, one of them a file's, and a
 *   model of 10⁵ parameters, then the rows of the largest: the slower of the two.
 * - `evaluates20Ms`, `evaluates20PlainMs`: 20 watches at once, with us and with debugpy alone.
 * - `breakpointMs`: from the operation that makes a NaN to the stop at a tensor breakpoint.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ourAdapter, pausedProgram, plainAdapter, type PausedFrame } from './harness/pausedProgram';
import { tensorStopTimes } from './harness/tensorStops';

const ROUNDS = 7;
const HOVERS = ['batch', 'image', 'weight', 'tokens', 'array', 'model', 'small[3]', 'weight.grad'];
const HOVER_ROUNDS = 20;

const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);
const quantile = (values: readonly number[], share: number) =>
  sorted(values)[Math.min(values.length - 1, Math.floor(share * values.length))] ?? Number.NaN;
const median = (values: readonly number[]) => quantile(values, 0.5);

async function timed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

async function repeated(rounds: number, action: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await timed(action));
  return times;
}

async function hovers({ client, frameId }: PausedFrame): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < HOVER_ROUNDS; round++) {
    for (const expression of HOVERS) {
      times.push(
        await timed(() => client.ask('evaluate', { expression, frameId, context: 'hover' })),
      );
    }
  }
  return times;
}

const twentyAtOnce = ({ client, frameId }: PausedFrame) =>
  repeated(ROUNDS, () =>
    Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        client.ask('evaluate', { expression: `small[${n}]`, frameId, context: 'watch' }),
      ),
    ),
  );

type Rows = readonly { readonly name: string; readonly variablesReference: number }[];

async function huge({ client, frameId }: PausedFrame): Promise<number> {
  const { scopes } = await client.ask('scopes', { frameId });
  const [scope] = scopes as Rows;
  const rowsOf = async (variablesReference: number | undefined) =>
    (await client.ask('variables', { variablesReference })).variables as Rows;
  let rows: Rows = [];
  const opening = await repeated(ROUNDS, async () => {
    rows = await rowsOf(scope?.variablesReference);
  });
  const locals = median(opening);
  const below: Record<string, number> = {};
  for (const name of ['expanded', 'mapped', 'model']) {
    const row = rows.find((one) => one.name === name);
    below[name] = median(await repeated(ROUNDS, () => rowsOf(row?.variablesReference)));
  }
  console.log({ first: opening[0], locals, ...below });
  return Math.max(locals, ...Object.values(below));
}

const { values } = parseArgs({ options: { json: { type: 'string' } } });
const folder = await mkdtemp(path.join(tmpdir(), 'normscope-bench-'));
const [ours, plain] = [ourAdapter(), plainAdapter()];
try {
  console.log('Hovers and watches ...');
  const program = await pausedProgram(ours, folder, ['usual', 'huge']);
  const usual = await program.frame();
  const hoverTimes = await hovers(usual);
  const evaluates20Ms = median(await twentyAtOnce(usual));
  await program.go();
  console.log('Tensors of 10⁹ elements ...');
  const hugeTensorMs = await huge(await program.frame());
  ours.dispose();
  console.log('Watches with debugpy alone ...');
  const alone = await pausedProgram(plain, folder, ['usual']);
  const evaluates20PlainMs = median(await twentyAtOnce(await alone.frame()));
  console.log('Stops at a tensor breakpoint ...');
  const stopTimes = await tensorStopTimes(folder, 2 * ROUNDS);
  const result = {
    hoverP95Ms: quantile(hoverTimes, 0.95),
    hugeTensorMs,
    evaluates20Ms,
    evaluates20PlainMs,
    breakpointMs: median(stopTimes),
  };
  console.log(result);
  if (values.json) await writeFile(values.json, `${JSON.stringify(result, null, 2)}\n`);
} finally {
  ours.dispose();
  plain.dispose();
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);
