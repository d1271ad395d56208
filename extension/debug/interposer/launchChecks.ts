import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { DelegateFactory } from './delegate';
import { argumentsOf, errorResponse } from './messages';
import type { InterposerOptions } from './options';
import { folderMissing, programMissing, type Translate } from './sentences';

function isFolder(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** What is wrong with the files a launch names; nothing when all are there. */
export function launchProblem(
  args: Readonly<Record<string, unknown>>,
  adapterFolder: string,
  t: Translate,
): string | undefined {
  const cwd = typeof args.cwd === 'string' ? args.cwd : adapterFolder;
  if (!isFolder(cwd)) return folderMissing(cwd, t);
  const { program } = args;
  if (typeof program === 'string' && !existsSync(path.resolve(cwd, program))) {
    return programMissing(program, t);
  }
  return undefined;
}

/** Answers a launch that can not succeed with the reason, which Python would bury in its output. */
export function launchChecks(options: InterposerOptions): DelegateFactory {
  const { upstream } = options;
  const folder = (upstream.kind === 'spawn' ? upstream.cwd : undefined) ?? process.cwd();
  return (link) => ({
    fromClient(message) {
      if (message.type !== 'request' || message.command !== 'launch') return message;
      const problem = launchProblem(argumentsOf(message), folder, link.t);
      if (problem === undefined) return message;
      link.toClient(errorResponse(message, problem));
      return undefined;
    },
  });
}
