/** What one suite came to. */
export interface SuiteResult {
  readonly passed: number;
  readonly failed: number;
  /** What could not run, each with its reason; each counts as failed, and is in `failed`. */
  readonly notRun: readonly string[];
  /** Names of the tests that failed. */
  readonly failures: readonly string[];
}

/** A suite that could not run at all. */
export const couldNotRun = (reason: string): SuiteResult => ({
  passed: 0,
  failed: 1,
  notRun: [reason],
  failures: [],
});

/** The result of checks that pass or fail as a whole. */
export function checks(outcomes: Readonly<Record<string, boolean>>): SuiteResult {
  const failures = Object.keys(outcomes).filter((name) => !outcomes[name]);
  const passed = Object.keys(outcomes).length - failures.length;
  return { passed, failed: failures.length, notRun: [], failures };
}

export const add = (a: SuiteResult, b: SuiteResult): SuiteResult => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  notRun: [...a.notRun, ...b.notRun],
  failures: [...a.failures, ...b.failures],
});

/**
 * Holds a report against the exit code: a runner that crashed, or that failed outside any test,
 * must not count as passed because its report looks well; nor must one that ran nothing.
 */
export function withExitCode(result: SuiteResult, code: number | null): SuiteResult {
  if (result.passed + result.failed === 0) return couldNotRun('the suite ran no test');
  if (code === 0 || result.failed > 0) return result;
  return add(result, couldNotRun(`the suite ended with code ${code} outside its tests`));
}
