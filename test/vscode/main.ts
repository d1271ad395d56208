import { readdirSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';

const TIMEOUT_MS = 240_000;

/** Called by VS Code in its extension host; throws when a test fails. */
export async function run(): Promise<void> {
  const output = process.env['NORMSCOPE_TEST_REPORT'];
  /** Runs only the tests whose title has this in it. */
  const grep = process.env['NORMSCOPE_TEST_GREP'];
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: TIMEOUT_MS,
    slow: TIMEOUT_MS,
    reporter: 'json',
    reporterOptions: { output },
    ...(grep === undefined ? {} : { grep }),
  });
  for (const name of readdirSync(__dirname)) {
    if (name.endsWith('.test.cjs')) mocha.addFile(path.join(__dirname, name));
  }
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('pass', (test) => console.log(`[test]   passed: ${test.fullTitle()}`));
    runner.on('fail', (test, error: Error) =>
      console.log(`[test]   FAILED: ${test.fullTitle()}\n${error.stack ?? error.message}`),
    );
  });
  if (failures > 0) throw new Error(`${failures} tests failed.`);
}
