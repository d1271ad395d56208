import { readFile } from 'node:fs/promises';
import type { SuiteResult } from './result';

interface Case {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly reason?: string;
}

function fromCases(cases: readonly Case[]): SuiteResult {
  const skipped = cases.filter((one) => one.status === 'skipped');
  const failures = cases.filter((one) => one.status === 'failed').map((one) => one.name);
  return {
    passed: cases.length - skipped.length - failures.length,
    failed: skipped.length + failures.length,
    notRun: skipped.map((one) => `${one.name}: ${one.reason ?? 'skipped without a reason'}`),
    failures,
  };
}

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly meta?: { readonly reason?: string };
    }[];
  }[];
}

/** Reads the report of Vitest's `json` reporter. */
export async function readVitestReport(file: string): Promise<SuiteResult> {
  const report = JSON.parse(await readFile(file, 'utf8')) as VitestReport;
  const cases = report.testResults.flatMap((module): Case[] => {
    // A module that fails to load, or whose hooks throw, has no test to blame.
    const blamed = module.assertionResults.some((test) => test.status === 'failed');
    const unblamed: Case[] =
      module.status === 'failed' && !blamed ? [{ name: module.name, status: 'failed' }] : [];
    const tests = module.assertionResults.map((test): Case => ({
      name: test.fullName.trim(),
      status: test.status === 'passed' || test.status === 'failed' ? test.status : 'skipped',
    }));
    return [...tests, ...unblamed];
  });
  return fromCases(cases);
}

interface MochaReport {
  readonly passes: readonly { readonly fullTitle: string }[];
  readonly failures: readonly { readonly fullTitle: string }[];
  readonly pending: readonly { readonly fullTitle: string }[];
}

/** Reads the report of Mocha's `json` reporter. */
export async function readMochaReport(file: string): Promise<SuiteResult> {
  const report = JSON.parse(await readFile(file, 'utf8')) as MochaReport;
  const as = (status: Case['status'], tests: readonly { readonly fullTitle: string }[]) =>
    tests.map((test): Case => ({ name: test.fullTitle, status }));
  return fromCases([
    ...as('passed', report.passes),
    ...as('failed', report.failures),
    ...as('skipped', report.pending),
  ]);
}

const unescapeXml = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#10;', ' ')
    .replaceAll('&amp;', '&');

const attribute = (text: string, name: string) => {
  const [, value] = new RegExp(`\\b${name}="([^"]*)"`).exec(text) ?? [];
  return value === undefined ? undefined : unescapeXml(value);
};

/** Reads the report that pytest writes with `--junitxml`. */
export async function readPytestReport(file: string): Promise<SuiteResult> {
  const xml = await readFile(file, 'utf8');
  const cases = [...xml.matchAll(/<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)];
  return fromCases(
    cases.map(([, attributes = '', body = '']): Case => {
      const name = `${attribute(attributes, 'classname')}.${attribute(attributes, 'name')}`;
      if (/<(failure|error)\b/.test(body)) return { name, status: 'failed' };
      const [, skipped] = /<skipped\b([^>]*)/.exec(body) ?? [];
      if (skipped === undefined) return { name, status: 'passed' };
      const reason = attribute(skipped, 'message');
      return { name, status: 'skipped', ...(reason === undefined ? {} : { reason }) };
    }),
  );
}
