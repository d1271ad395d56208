/**
 * `npm start`: sets everything up and shows an example being debugged, with the panel open.
 * `npm start -- --headless --out DIR`: the same without a window, to its end, as files in DIR.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runHeadless } from './headless/headless';
import { setUpBrowser } from './setup/browser';
import { buildExtension } from './setup/build';
import { cacheDir, inCache, root } from './setup/paths';
import { setUpPython } from './setup/pythonEnvironment';
import { describeError, SetupError, toTerminal as report } from './setup/report';
import { setUpTfjsExample } from './setup/tfjsNative';
import { setUpVscodeServer } from './setup/vscodeServer';
import { showInWindow } from './window/window';

function readArguments() {
  try {
    const { values } = parseArgs({
      options: { headless: { type: 'boolean', default: false }, out: { type: 'string' } },
    });
    if (values.headless && values.out === undefined) {
      throw new SetupError('With --headless, say where to write: --out DIR.');
    }
    return values;
  } catch (error) {
    throw new SetupError(error instanceof Error ? error.message : String(error));
  }
}

async function start(): Promise<number> {
  const { headless, out } = readArguments();
  const { python } = await setUpPython(report);
  await setUpTfjsExample({ root, cacheDir, python, report });
  await buildExtension(report);
  if (!headless || out === undefined) return showInWindow({ python, report });

  const files = await setUpVscodeServer(inCache('vscode'), report);
  const browser = await setUpBrowser(report);
  const folder = path.resolve(out);
  const missing = await runHeadless({ python, files, browser, out: folder, report });
  for (const sentence of missing) console.error(sentence);
  if (missing.length > 0) return 1;
  report(`Done: ${path.join(folder, 'summary.json')}`);
  return 0;
}

try {
  process.exit(await start());
} catch (error) {
  console.error(describeError(error));
  process.exit(1);
}
