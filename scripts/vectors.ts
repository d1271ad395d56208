/**
 * `npm run vectors -- DIR [--json FILE]`: runs every vector file of a folder through the Python
 * agent, the TF.js agent and the analysis, and prints the worst relative error of each.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { ENGINES } from './vectors/engines/engines';
import { reportOf, tableOf } from './vectors/report';
import { runVectors } from './vectors/run';

/** Exit code when the vectors could not be run at all. */
const NOT_RUN = 2;

function parsed() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'string' }, engine: { type: 'string', multiple: true } },
  });
  const [folder, ...rest] = positionals;
  if (folder === undefined || rest.length > 0) throw new Error('Give one folder of vector files.');
  const wanted = values.engine ?? ENGINES;
  const engines = ENGINES.filter((engine) => wanted.includes(engine));
  if (engines.length !== wanted.length) {
    throw new Error(`An engine is one of ${ENGINES.join(', ')}.`);
  }
  return { folder, json: values.json, engines };
}

try {
  const { folder, json, engines } = parsed();
  const all = await runVectors(folder, engines);
  const report = reportOf(all);
  console.log(tableOf(all));
  for (const { file, outcomes } of all) {
    for (const engine of ENGINES) {
      for (const { failures } of outcomes[engine]) {
        for (const failure of failures) console.log(`${file}, ${engine}: ${failure}`);
      }
    }
  }
  console.log(`${report.cases} cases, ${report.failed} failed.`);
  if (json !== undefined) await writeFile(json, `${JSON.stringify(report, null, 2)}\n`);
  process.exitCode = report.failed > 0 ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = NOT_RUN;
}
