/**
 * `npm run bench -- overhead [--json FILE] [--rounds N] [--only JOB]`: what capture costs a
 * training step, beside what people use today; then, as jobs `budget` and `import`, what the agent
 * measures under a budget, and what importing it takes beyond PyTorch.
 *
 * One process a job trains in rounds of all modes in turn, so that whatever else the machine does
 * meets each of them; a ratio is the mean step time of a round over that of its plain round. The
 * collector and the run store work in this process meanwhile, as the extension host would.
 */
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { CaptureHub, type CaptureSession } from '../../extension/core/captureHub';
import { DEFAULT_CAPTURE, type CaptureSettings } from '../../extension/protocol/environment';
import { bundleAgent } from '../../scripts/setup/bundleAgent';
import { cacheDir, inCache, inRoot, root } from '../../scripts/setup/paths';
import { missingModules, pipInstall, setUpPython } from '../../scripts/setup/pythonEnvironment';
import { toTerminal as report } from '../../scripts/setup/report';
import { setUpTfjsExample } from '../../scripts/setup/tfjsNative';
import { measureBudget, measureImport } from './harness/agentCost';
import { ratiosOf, ratioText, type Ratios } from './harness/ratios';
import { TrainingProcess } from './harness/trainingProcess';

interface Mode {
  readonly capture: Partial<CaptureSettings>;
  /** What the program itself does beside training. */
  readonly program: string;
  readonly steps: number;
}

interface Job {
  readonly start: (session: CaptureSession) => Promise<TrainingProcess>;
  readonly modes: Readonly<Record<string, Mode>>;
}

const off = { enabled: false };
/** Time for a command to be heard by the agent, while the program waits for its next round. */
const COMMAND_MS = 300;

function modesFor(steps: number, peers: readonly string[]): Readonly<Record<string, Mode>> {
  const ours: Record<string, Mode> = {
    plain: { capture: off, program: 'plain', steps },
    everyStep: { capture: { budgetPercent: 0 }, program: 'plain', steps },
    default: { capture: {}, program: 'plain', steps: 3 * steps },
  };
  const theirs = peers.map((peer) => [
    peer,
    { capture: off, program: peer, steps: Math.ceil(steps / 4) },
  ]);
  return { ...ours, ...(Object.fromEntries(theirs) as Record<string, Mode>) };
}

async function installed(python: string, names: readonly string[]): Promise<readonly string[]> {
  const wanted = await missingModules(python, names);
  for (const name of wanted) {
    report(`Installing ${name} by pip ...`);
    await pipInstall(python, [name], report);
  }
  const missing = await missingModules(python, names);
  for (const name of missing) report(`${name} could not be installed and is left out.`);
  return names.filter((name) => !missing.includes(name));
}

async function pythonJobs(): Promise<Record<string, Job>> {
  const { python } = await setUpPython(report);
  const found = await installed(python, ['wandb', 'tensorboard', 'torchvision']);
  const peers = [
    ...(found.includes('wandb') ? ['wandbWatch'] : []),
    ...(found.includes('tensorboard') ? ['tensorboard'] : []),
  ];
  const program = inRoot('test', 'bench', 'programs', 'overhead.py');
  const job = (name: string, steps: number): Job => ({
    modes: modesFor(steps, peers),
    start: ({ environment }) =>
      TrainingProcess.start(python, [program, name], {
        ...process.env,
        ...environment,
        PYTHONPATH: inRoot('extension', 'agents', 'python'),
      }),
  });
  const resnet = found.includes('torchvision') ? { resnet18: job('resnet18', 12) } : {};
  return { transformer: job('transformer', 8), ...resnet };
}

async function tfjsJob(): Promise<Record<string, Job>> {
  const { python } = await setUpPython(report);
  const { native, reason } = await setUpTfjsExample({ root, cacheDir, python, report });
  if (!native) {
    report(`TF.js is left out: ${reason ?? 'its native binding is missing'}.`);
    return {};
  }
  const agent = inCache('bench', 'agent.cjs');
  await bundleAgent(agent);
  const program = inCache('bench', 'overhead.cjs');
  await build({
    entryPoints: [inRoot('test', 'bench', 'programs', 'overhead.cjs')],
    outfile: program,
    platform: 'node',
    banner: {
      js: `module.paths.unshift(${JSON.stringify(inRoot('examples', 'tfjs', 'node_modules'))});`,
    },
  });
  return {
    tfjs: {
      modes: modesFor(60, []),
      start: ({ environment }) =>
        TrainingProcess.start(process.execPath, [program], {
          ...process.env,
          ...environment,
          TF_CPP_MIN_LOG_LEVEL: '3',
          NODE_OPTIONS: `--require ${JSON.stringify(agent)}`,
        }),
    },
  };
}

async function measure(name: string, job: Job, rounds: number): Promise<Record<string, Ratios>> {
  const hub = await CaptureHub.start({ traceDir: null, capture: DEFAULT_CAPTURE });
  const session = hub.openSession({ sessionType: 'bench', program: name });
  const training = await job.start(session);
  const times: Record<string, (readonly number[])[]> = {};
  const run = async ({ capture, program, steps }: Mode) => {
    hub.setCapture({ ...DEFAULT_CAPTURE, ...capture });
    await sleep(COMMAND_MS);
    return training.round(program, steps);
  };
  try {
    // Fresh memory, caches and the budget's first captured steps are no part of the measurement.
    await run({ capture: {}, program: 'plain', steps: 20 });
    for (let round = 0; round < rounds; round += 1) {
      // A turned order each time: whoever is behind a slow mode is not always the same.
      const modes = Object.entries(job.modes);
      const first = round % modes.length;
      for (const [mode, settings] of [...modes.slice(first), ...modes.slice(0, first)]) {
        (times[mode] ??= []).push(await run(settings));
      }
    }
  } finally {
    await training.end();
    await hub.dispose();
  }
  const { plain = [], ...others } = times;
  const ratios = Object.entries(others).map(
    ([mode, measured]) => [mode, ratiosOf(measured, plain)] as const,
  );
  const step = plain.flat().sort((a, b) => a - b)[Math.floor(plain.flat().length / 2)] ?? NaN;
  console.log(`${name}: a plain step takes ${(1000 * step).toFixed(1)} ms (median)`);
  for (const [mode, ratio] of ratios) console.log(`  ${mode.padEnd(12)} ${ratioText(ratio)}`);
  return Object.fromEntries(ratios);
}

const { values } = parseArgs({
  options: {
    json: { type: 'string' },
    rounds: { type: 'string', default: '8' },
    only: { type: 'string' },
  },
});
const wanted = (name: string) => values.only === undefined || values.only === name;
const results: Record<string, Record<string, Ratios>> = {};
for (const [name, job] of Object.entries({ ...(await pythonJobs()), ...(await tfjsJob()) })) {
  if (wanted(name)) results[name] = await measure(name, job, Number(values.rounds));
}
const { python } = await setUpPython(report);
if (wanted('budget')) results.budget = await measureBudget(python);
if (wanted('import')) results.import = { milliseconds: await measureImport(python) };
if (values.json) await writeFile(values.json, `${JSON.stringify(results, null, 2)}\n`);
