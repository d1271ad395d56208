/** `npm test`: sets everything up and runs every suite; `npm test -- unit dap` runs a choice. */
import { endOnSignal } from './setup/endOnSignal';
import { describeError } from './setup/report';
import { createNeeds } from './testing/needs';
import { add, couldNotRun, type SuiteResult } from './testing/result';
import { SUITES } from './testing/suites';

const seconds = (ms: number) => `${(ms / 1000).toFixed(0)} s`;

interface Row {
  readonly name: string;
  readonly result: SuiteResult;
  readonly ms: number;
}

async function runSuites(names: readonly string[]): Promise<readonly Row[]> {
  const needs = createNeeds();
  const rows: Row[] = [];
  for (const name of names) {
    console.log(`\n== ${name} ==`);
    const begun = Date.now();
    const suite = SUITES[name];
    const result =
      suite === undefined
        ? couldNotRun(`there is no such suite; there are: ${Object.keys(SUITES).join(', ')}`)
        : await suite(needs).catch((error: unknown) => couldNotRun(describeError(error)));
    rows.push({ name, result, ms: Date.now() - begun });
  }
  return rows;
}

function print(rows: readonly Row[]): void {
  const width = Math.max(...rows.map((row) => row.name.length));
  console.log('\nsuite'.padEnd(width + 1), '  passed  failed    time');
  for (const { name, result, ms } of rows) {
    const cells = [String(result.passed).padStart(8), String(result.failed).padStart(8)];
    console.log(`${name.padEnd(width)} ${cells.join('')}${seconds(ms).padStart(8)}`);
  }
  const list = (title: string, of: (result: SuiteResult) => readonly string[]) => {
    const lines = rows.flatMap(({ name, result }) => of(result).map((one) => `  ${name}: ${one}`));
    if (lines.length > 0) console.log(`\n${title}\n${lines.join('\n')}`);
  };
  list('Failed:', (result) => result.failures);
  list('Could not run:', (result) => result.notRun);
}

endOnSignal();
const chosen = process.argv.slice(2);
const rows = await runSuites(chosen.length > 0 ? chosen : Object.keys(SUITES));
print(rows);
const total = rows.map((row) => row.result).reduce(add);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
