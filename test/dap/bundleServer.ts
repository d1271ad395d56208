/** Bundles the interposer's test server once, so that each session starts plain JavaScript. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    interposerServer: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'normscope-dap-'));
  const outfile = path.join(folder, 'interposerServer.mjs');
  await build({
    entryPoints: [path.join(import.meta.dirname, 'interposerServer.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    logLevel: 'warning',
  });
  project.provide('interposerServer', outfile);
  return () => rm(folder, { recursive: true, force: true });
}
