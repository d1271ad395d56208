import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isRecord } from './interposer/messages';

/** What an interpreter is and has, found without importing anything large. */
export interface InterpreterFacts {
  readonly executable: string;
  readonly version: readonly [major: number, minor: number, micro: number];
  /** Null where the package is missing; empty where its version is not known. */
  readonly debugpy: string | null;
  readonly torch: string | null;
}

/** `unusable`: it can not be run. `unknown`: it gave no answer in time, which proves nothing. */
export type InterpreterAnswer = InterpreterFacts | 'unusable' | 'unknown';

const TIMEOUT_MS = 15_000;
const MAX_OUTPUT = 256 * 1024;

// The working folder comes off sys.path first: a module there must not be run by a check.
const PROBE = `
import sys
sys.path[:] = [entry for entry in sys.path if entry]
import importlib.util, json
def version(name):
    if importlib.util.find_spec(name) is None:
        return None
    try:
        from importlib import metadata
        return metadata.version(name)
    except Exception:
        return ""
print("\\n" + json.dumps({"executable": sys.executable, "version": list(sys.version_info[:3]),
    "debugpy": version("debugpy"), "torch": version("torch")}))
`;

const nullableText = (value: unknown) => (typeof value === 'string' ? value : null);

/** Reads the probe's last line: start-up hooks may have printed before it. */
function parseFacts(output: string): InterpreterFacts | undefined {
  try {
    const facts: unknown = JSON.parse(output.trim().split('\n').at(-1) ?? '');
    if (!isRecord(facts) || typeof facts.executable !== 'string') return undefined;
    const [major = 0, minor = 0, micro = 0] = Array.isArray(facts.version)
      ? facts.version.map(Number)
      : [];
    return {
      executable: facts.executable,
      version: [major, minor, micro],
      debugpy: nullableText(facts.debugpy),
      torch: nullableText(facts.torch),
    };
  } catch {
    return undefined;
  }
}

function probe(
  python: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string | undefined,
): Promise<InterpreterAnswer> {
  const [command = '', ...args] = python;
  return new Promise((resolve) => {
    const options = { env, cwd, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT, windowsHide: true };
    const child = execFile(command, [...args, '-c', PROBE], options, (error, stdout) => {
      if (error) resolve(error.killed ? 'unknown' : 'unusable');
      else resolve(parseFacts(stdout) ?? 'unusable');
    });
    child.stdin?.end();
  });
}

async function modified(file: string): Promise<string> {
  try {
    return String((await stat(file)).mtimeMs);
  } catch {
    return '';
  }
}

const known = new Map<string, InterpreterFacts>();

export interface CheckOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Matters where the interpreter is a shim that looks for a version file. */
  readonly cwd?: string | undefined;
}

/**
 * Asks an interpreter what it has. An answer is kept until the interpreter's file changes; one
 * that lacks something is not, since the person may install it meanwhile.
 */
export async function checkInterpreter(
  python: readonly string[],
  { env = process.env, cwd }: CheckOptions = {},
): Promise<InterpreterAnswer> {
  const changed = await modified(python[0] ?? '');
  const key = JSON.stringify([python, changed, env.PYTHONPATH ?? '', cwd ?? '']);
  const earlier = known.get(key);
  if (earlier) return earlier;
  const folder = cwd !== undefined && existsSync(cwd) ? cwd : undefined;
  const answer = await probe(python, env, folder);
  if (typeof answer === 'object' && answer.debugpy !== null && answer.torch !== null) {
    known.set(key, answer);
  }
  return answer;
}
