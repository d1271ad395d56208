import * as esbuild from 'esbuild';
import { inRoot } from './paths';

/** How the TF.js agent is bundled into the one file that programs load. */
export const AGENT_BUNDLE = {
  entryPoints: [inRoot('extension', 'agents', 'node', 'main.ts')],
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node18',
  format: 'cjs',
  logLevel: 'warning',
} as const satisfies esbuild.BuildOptions;

/** Bundles the TF.js agent into a file. */
export async function bundleAgent(outfile: string): Promise<void> {
  await esbuild.build({ ...AGENT_BUNDLE, outfile });
}
