import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inRoot } from '../../scripts/setup/paths';

/** A program in a folder of its own. */
export interface ScratchProgram {
  readonly folder: string;
  readonly file: string;
  readonly text: string;
  remove(): Promise<void>;
}

/** Copies one of `test/fixtures/programs`, changed if need be. */
export async function scratchProgram(
  name: string,
  change = (text: string) => text,
): Promise<ScratchProgram> {
  const text = change(await readFile(inRoot('test', 'fixtures', 'programs', name), 'utf8'));
  const folder = await mkdtemp(path.join(tmpdir(), 'normscope-program-'));
  const file = path.join(folder, 'train.py');
  await writeFile(file, text);
  return { folder, file, text, remove: () => rm(folder, { recursive: true, force: true }) };
}
