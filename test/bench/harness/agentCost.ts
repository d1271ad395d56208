import { setTimeout as sleep } from 'node:timers/promises';
import { CaptureHub } from '../../../extension/core/captureHub';
import { DEFAULT_CAPTURE } from '../../../extension/protocol/environment';
import { runCommand } from '../../../scripts/setup/command';
import { inRoot } from '../../../scripts/setup/paths';
import { rangeOf, type Ratios } from './ratios';
import { TrainingProcess } from './trainingProcess';

const AGENT = inRoot('extension', 'agents', 'python');
const PROGRAM = inRoot('test', 'bench', 'programs', 'overhead.py');
const BUDGETS = [0.5, 1, 5];
/** As often as this the overhead is asked for, after so many steps each, once the budget holds. */
const LOOKS = 12;
const STEPS_PER_LOOK = 200;
const STEPS_BEFORE = 1_000;
const IMPORTS = 9;

const IMPORT = `
import sys, torch
from time import perf_counter
sys.path.insert(0, sys.argv[1])
began = perf_counter()
import normscope.agent
print(1000 * (perf_counter() - began))
`;

/** The overhead that the agent reports in its steps, in percent, under each budget in percent. */
export async function measureBudget(python: string): Promise<Record<string, Ratios>> {
  const found: Record<string, Ratios> = {};
  for (const budgetPercent of BUDGETS) {
    const range = rangeOf(await overheads(python, budgetPercent));
    found[budgetPercent] = range;
    console.log(`budget ${budgetPercent} %: ${percents(range)} measured`);
  }
  return found;
}

async function overheads(python: string, budgetPercent: number): Promise<readonly number[]> {
  const capture = { ...DEFAULT_CAPTURE, budgetPercent };
  const hub = await CaptureHub.start({ traceDir: null, capture });
  const session = hub.openSession({ sessionType: 'bench', program: 'budget' });
  const training = await TrainingProcess.start(python, [PROGRAM, 'small'], {
    ...process.env,
    ...session.environment,
    PYTHONPATH: AGENT,
  });
  const seen: number[] = [];
  try {
    await training.round('plain', STEPS_BEFORE);
    for (let look = 0; look < LOOKS; look += 1) {
      await training.round('plain', STEPS_PER_LOOK);
      await sleep(100);
      seen.push(hub.store.runs()[0]?.overheadPercent ?? NaN);
    }
  } finally {
    await training.end();
    await hub.dispose();
  }
  return seen;
}

/** What importing the agent takes where PyTorch is imported, in milliseconds. */
export async function measureImport(python: string): Promise<Ratios> {
  const times: number[] = [];
  for (let i = 0; i <= IMPORTS; i += 1) {
    const { output } = await runCommand(python, ['-c', IMPORT, AGENT]);
    // The first one may have to compile it.
    if (i > 0) times.push(Number(output));
  }
  const { min, median, max } = rangeOf(times);
  const [least, middle, most] = [min, median, max].map((each) => each.toFixed(1));
  console.log(`importing the agent: ${middle} ms (${least} … ${most})`);
  return { min, median, max };
}

const percents = ({ min, median, max }: Ratios) =>
  `${median.toFixed(2)} % (${min.toFixed(2)} … ${max.toFixed(2)})`;
