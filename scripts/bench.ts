/** `npm run bench -- NAME`: runs one benchmark of test/bench. */
import { existsSync, readdirSync } from 'node:fs';
import { inRoot } from './setup/paths';
import { runCommand } from './setup/command';

const folder = inRoot('test', 'bench');
const ENDING = '.bench.ts';

const [name = '', ...rest] = process.argv.slice(2);
const known = existsSync(folder)
  ? readdirSync(folder).flatMap((file) =>
      file.endsWith(ENDING) ? file.slice(0, -ENDING.length) : [],
    )
  : [];
if (!known.includes(name)) {
  const list = known.length > 0 ? `There are: ${known.join(', ')}.` : 'There are none yet.';
  console.error(`There is no benchmark called "${name}". ${list}`);
  process.exit(1);
}
const script = inRoot('test', 'bench', `${name}${ENDING}`);
const { code } = await runCommand(process.execPath, ['--import', 'tsx', script, ...rest], {
  inherit: true,
});
process.exit(code ?? 1);
