/** Builds dist/: the extension, the panel and the TF.js agent; copies what ships as it is. */
import { cp, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { AGENT_BUNDLE } from './setup/bundleAgent';

const root = path.resolve(import.meta.dirname, '..');
const at = (...parts: string[]) => path.join(root, ...parts);

const shared: esbuild.BuildOptions = {
  bundle: true,
  minify: !process.argv.includes('--watch'),
  sourcemap: process.argv.includes('--watch') ? 'inline' : false,
  logLevel: 'warning',
  legalComments: 'none',
};

const bundles: esbuild.BuildOptions[] = [
  {
    ...shared,
    entryPoints: [at('extension/main.ts')],
    outfile: at('dist/extension.cjs'),
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['vscode'],
  },
  {
    ...shared,
    entryPoints: [at('webview/main.tsx')],
    outfile: at('dist/webview/panel.js'),
    platform: 'browser',
    target: 'chrome120',
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  },
  { ...AGENT_BUNDLE, ...shared, outfile: at('dist/agents/node/agent.cjs') },
];

async function copyAssets(): Promise<void> {
  await cp(at('extension/agents/python'), at('dist/agents/python'), {
    recursive: true,
    filter: (source) => !/__pycache__|_cache|pyproject\.toml$/.test(source),
  });
  await mkdir(at('dist/webview'), { recursive: true });
  for (const file of ['codicon.css', 'codicon.ttf']) {
    await cp(at('node_modules/@vscode/codicons/dist', file), at('dist/webview', file));
  }
}

async function build(): Promise<void> {
  await rm(at('dist'), { recursive: true, force: true });
  await Promise.all(bundles.map((bundle) => esbuild.build(bundle)));
  await copyAssets();
}

async function watch(): Promise<void> {
  await copyAssets();
  for (const bundle of bundles) await (await esbuild.context(bundle)).watch();
}

await (process.argv.includes('--watch') ? watch() : build());
