/** Makes `vscode` the shim that the panel's tests use, for what is imported from now on. */
import { register } from 'node:module';

const shim = new URL('../../ui/panel/harness/vscodeShim.ts', import.meta.url).href;
const hook = `export const resolve = (specifier, context, next) =>
  next(specifier === 'vscode' ? ${JSON.stringify(shim)} : specifier, context);`;

register(`data:text/javascript,${encodeURIComponent(hook)}`);
