import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { normscope } from './support/normscope';

interface Manifest {
  readonly contributes: { readonly debuggers?: readonly { readonly type: string }[] };
}

describe('the extension', () => {
  it('activates and offers its API', async () => {
    const api = await normscope();
    assert.equal(api.version, 1);
    assert.ok(Array.isArray(api.runs()));
  });

  it('contributes the debug type "normscope"', () => {
    const manifest = vscode.extensions.getExtension('normscope.normscope')?.packageJSON as Manifest;
    const types = manifest.contributes.debuggers?.map((debugger_) => debugger_.type);
    assert.ok(types?.includes('normscope'));
  });

  it('registers every command that its manifest names', async () => {
    await normscope();
    const manifest = vscode.extensions.getExtension('normscope.normscope')?.packageJSON as {
      contributes: { commands: { command: string }[] };
    };
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = manifest.contributes.commands.filter((one) => !registered.has(one.command));
    assert.deepEqual(missing, []);
  });
});
