import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as esbuild from 'esbuild';

const root = path.resolve(import.meta.dirname, '../../../..');

/** The panel's files by name, built from source as `scripts/build.ts` builds them. */
export async function bundlePanel(): Promise<ReadonlyMap<string, Buffer>> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [path.join(root, 'webview/main.tsx')],
    outfile: path.join(root, 'dist/webview/panel.js'),
    write: false,
    bundle: true,
    minify: true,
    platform: 'browser',
    target: 'chrome120',
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
  });
  const files = new Map(
    outputFiles.map((file) => [path.basename(file.path), Buffer.from(file.contents)]),
  );
  const icons = path.join(root, 'node_modules/@vscode/codicons/dist');
  for (const name of ['codicon.css', 'codicon.ttf']) {
    files.set(name, await readFile(path.join(icons, name)));
  }
  return files;
}
