/**
 * `npm run package`: builds and packs `normscope-<version>.vsix`; says what is in it.
 * `--out FILE` writes it elsewhere, `--built` takes dist/ as it is.
 */
import { cp, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { buildExtension } from './setup/build';
import { inCache, inRoot, root } from './setup/paths';
import { describeError, SetupError, toTerminal as report } from './setup/report';

/** Without these the extension does not work. */
const REQUIRED = [
  'package.json',
  'package.nls.json',
  'dist/extension.cjs',
  'dist/webview/panel.js',
  'dist/agents/node/agent.cjs',
];

/** Built code, texts and pictures; nothing that is only there for development. */
const ALLOWED =
  /^(dist\/.*|media\/.*|l10n\/.*|package\.json|package\.nls(\.[\w-]+)?\.json|README\.md|LICENSE|CHANGELOG\.md)$/;
const NEVER = /(\.tsx?|\.map|\.test\.\w+|\.pyc)$|node_modules|__pycache__|(^|\/)\./;

/** Patterns of .vscodeignore that let something in, without their `!`. */
async function admitted(): Promise<readonly string[]> {
  const lines = (await readFile(inRoot('.vscodeignore'), 'utf8')).split(/\r?\n/);
  return lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
}

/** Caches that tools leave beside the sources begin with a dot. */
const isWanted = (source: string) => !/^(\.|__pycache__)/.test(path.basename(source));

/**
 * Copies what may go into the package to a folder of its own: the packer would otherwise walk
 * through everything else here, which takes minutes.
 */
async function stage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const names = await readdir(root);
  for (const pattern of await admitted()) {
    const [top = ''] = pattern.split('/');
    const parts = top.split('*').map((part) => part.replaceAll('.', '\\.'));
    const matches = new RegExp(`^${parts.join('.*')}$`);
    for (const name of names.filter((one) => matches.test(one))) {
      await cp(inRoot(name), path.join(folder, name), { recursive: true, filter: isWanted });
    }
  }
  await cp(inRoot('.vscodeignore'), path.join(folder, '.vscodeignore'));
}

async function checkedFiles(folder: string): Promise<readonly string[]> {
  const listed = await listFiles({ cwd: folder, packageManager: PackageManager.None });
  const files = listed.map((file) => file.replaceAll('\\', '/'));
  const foreign = files.filter((file) => !ALLOWED.test(file) || NEVER.test(file));
  if (foreign.length > 0) {
    throw new SetupError(`The package would hold what it must not: ${foreign.join(', ')}.`);
  }
  const missing = REQUIRED.filter((file) => !files.includes(file));
  if (missing.length > 0) throw new SetupError(`The package would lack: ${missing.join(', ')}.`);
  return files;
}

const kib = (bytes: number) => `${(bytes / 1024).toFixed(0)} KiB`;

async function packageExtension(): Promise<void> {
  const { values } = parseArgs({
    options: { out: { type: 'string' }, built: { type: 'boolean', default: false } },
  });
  if (!values.built) await buildExtension(report);
  const manifest = JSON.parse(await readFile(inRoot('package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
  };
  const folder = inCache('package');
  await stage(folder);
  const files = await checkedFiles(folder);
  const target =
    values.out === undefined
      ? inRoot(`${manifest.name}-${manifest.version}.vsix`)
      : path.resolve(values.out);
  await createVSIX({
    cwd: folder,
    packagePath: target,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
  });
  for (const file of files)
    console.log(`  ${file}  ${kib((await stat(path.join(folder, file))).size)}`);
  console.log(`${target}: ${files.length} files, ${kib((await stat(target)).size)}`);
}

try {
  await packageExtension();
} catch (error) {
  console.error(describeError(error));
  process.exit(1);
}
