import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inRoot } from '../../scripts/setup/paths';
import type { NormscopeHost } from '../harness/normscopeHost';
import { openNormscope, type NormscopeSession } from '../harness/normscopeSession';

const PROGRAM = inRoot('test', 'dap', 'programs', 'breaksNorms.py');

describe('a tensor breakpoint in VS Code', { timeout: 240_000 }, () => {
  let session: NormscopeSession;
  let normscope: NormscopeHost;

  beforeAll(async () => {
    session = await openNormscope(path.dirname(PROGRAM), { 'normscope.capture.budgetPercent': 0 });
    ({ normscope } = session);
  }, 300_000);
  afterAll(() => session?.close());

  const launch = () =>
    session.host.run((vscode, program) => {
      const configuration = {
        type: 'normscope',
        request: 'launch',
        name: 'Broken norms',
        program,
        args: ['forward', '4'],
      };
      return vscode.debug.startDebugging(undefined, configuration);
    }, PROGRAM);

  it('is a check box beside the debugger’s own, once its debugger was used', async () => {
    const ends = await normscope.countEvents('terminated');
    expect(await launch()).toBe(true);
    await normscope.waitForEvent('terminated', ends);
    await normscope.command('workbench.view.debug');
    const row = session.page.getByText('Tensors: NaN or infinite values');
    await row.waitFor({ timeout: 30_000 });
    for (const label of ['Tensors: drift', 'Tensors: any rule', 'Raised Exceptions']) {
      expect(await session.page.getByText(label).count(), label).toBeGreaterThan(0);
    }
  });

  it('stops behind the layer and says there what it saw', async () => {
    const row = session.page.locator('.breakpoint.exception', {
      hasText: 'Tensors: NaN or infinite values',
    });
    const box = row.getByRole('checkbox');
    await box.click();
    await session.picture('tensor-breakpoint-chosen');
    expect(await box.getAttribute('aria-checked')).toBe('true');
    const stops = await normscope.countEvents('stopped');
    expect(await launch()).toBe(true);
    await normscope.waitForEvent('stopped', stops);
    const widget = session.page.locator('.exception-widget');
    await widget.waitFor({ timeout: 90_000 });
    await session.picture('tensor-breakpoint');
    const text = await widget.innerText();
    expect(text).toContain('NaN or infinite values');
    expect(text).toContain('1.norm: 1 +Inf among 48 values of its input at step 4.');
    expect(text).toContain('First samples: 3');
    await normscope.command('workbench.action.debug.stop');
  });
});
