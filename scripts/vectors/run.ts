import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { casesOf } from './forms/form';
import { ENGINES, runEngine, type Engine } from './engines/engines';
import type { VectorCases } from './cases';
import type { FileOutcomes } from './report';
import { MalformedVectors, Values } from './values';

async function read(folder: string, file: string): Promise<VectorCases> {
  const text = await readFile(path.join(folder, file), 'utf8');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new MalformedVectors(`${file} is not valid JSON.`);
  }
  return casesOf(new Values(file, body));
}

/**
 * Runs every `.json` file of a folder through the engines.
 *
 * @throws an Error with one sentence when a file is malformed or an engine can not run.
 */
export async function runVectors(
  folder: string,
  engines: readonly Engine[] = ENGINES,
): Promise<readonly FileOutcomes[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  if (names.length === 0) throw new MalformedVectors(`${folder} holds no vector file.`);
  const files = [];
  for (const file of names) files.push({ file, cases: await read(folder, file) });
  const all: FileOutcomes[] = [];
  for (const { file, cases } of files) {
    const outcomes = { python: [], tfjs: [], core: [] } as Record<
      Engine,
      FileOutcomes['outcomes'][Engine]
    >;
    for (const engine of engines) outcomes[engine] = await runEngine(engine, cases);
    all.push({ file, outcomes });
  }
  return all;
}
