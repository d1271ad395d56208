import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleAgent } from '../../setup/bundleAgent';
import { inCache, inRoot } from '../../setup/paths';
import { interpreterOf } from '../../setup/pythonEnvironment';
import type { AgentCase, VectorCases } from '../cases';
import { FLOAT64_TOLERANCE, judge, type Outcome } from '../comparison';
import { runAgent } from './agentRun';

export const ENGINES = ['python', 'tfjs', 'core'] as const;
export type Engine = (typeof ENGINES)[number];

const program = (name: string) => inRoot('scripts', 'vectors', 'programs', name);

/** One thread: the tensors are small, and other threads would only wait. */
const ONE_THREAD = { OMP_NUM_THREADS: '1', PYTHONDONTWRITEBYTECODE: '1' };

async function python(cases: readonly AgentCase[]): Promise<readonly Outcome[]> {
  const interpreter = interpreterOf(inCache('python'));
  if (!existsSync(interpreter)) {
    throw new Error('The Python environment is not there: run `npm test` once, which sets it up.');
  }
  const env = { ...ONE_THREAD, PYTHONPATH: inRoot('extension', 'agents', 'python') };
  return runAgent('python', { command: interpreter, args: [program('norms.py')], env }, cases);
}

async function tfjs(cases: readonly AgentCase[]): Promise<readonly Outcome[]> {
  const example = inRoot('examples', 'tfjs');
  if (!existsSync(path.join(example, 'node_modules', '@tensorflow', 'tfjs'))) {
    throw new Error('TensorFlow.js is not there: run `npm test` once, which sets it up.');
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'normscope-agent-'));
  try {
    const agent = path.join(folder, 'agent.cjs');
    await bundleAgent(agent);
    const env = { NODE_OPTIONS: `--require "${agent.replaceAll('\\', '\\\\')}"` };
    const args = [program('norms.cjs'), example];
    return await runAgent('tfjs', { command: process.execPath, args, env }, cases);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Runs the cases of one file in one engine; none when the file asks nothing of it.
 * @throws an Error with one sentence when the engine can not run.
 */
export async function runEngine(
  engine: Engine,
  { core, agents }: VectorCases,
): Promise<readonly Outcome[]> {
  if (engine === 'core') {
    return core.map(({ name, comparisons }) => judge(name, comparisons, FLOAT64_TOLERANCE));
  }
  const own = agents.filter(({ engines }) => engines.includes(engine));
  if (own.length === 0) return [];
  return engine === 'python' ? python(own) : tfjs(own);
}
