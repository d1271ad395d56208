import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inRoot } from '../../scripts/setup/paths';
import { PanelPage } from '../harness/panelPage';
import { openNormscope, type NormscopeSession } from '../harness/normscopeSession';
import { waitFor } from '../harness/waitFor';

const TAPS = ['pre', 'post', 'gradPost', 'gradPre'] as const;
const MEASURES = ['mean', 'std', 'min', 'max', 'norm'] as const;
const COUNTS = ['elements', 'samples'] as const;

type Figures = Readonly<Record<(typeof MEASURES)[number] | (typeof COUNTS)[number], number>>;
type Measured = Readonly<Record<(typeof TAPS)[number], Figures>> & { readonly loss: number };

/** The panel writes three significant digits. */
const RELATIVE = 0.0051;
/** Means that are nothing but rounding, such as that of a normalized tensor. */
const ABSOLUTE = 1e-7;

describe('the figures in the panel', { timeout: 240_000 }, () => {
  let session: NormscopeSession;
  let scratch: string;
  let panel: PanelPage;
  let measured: Measured;
  let firstRun: { steps: number; framesReceived: number; stepsSkipped: number };

  beforeAll(async () => {
    scratch = await mkdtemp(path.join(tmpdir(), 'normscope-measured-'));
    session = await openNormscope(scratch, {
      // The program measures its last step, so no step may be left out.
      'normscope.capture.budgetPercent': 0,
    });
    const { normscope } = session;
    const since = Date.now();
    const file = path.join(scratch, 'measured.json');
    await session.host.run(
      (vscode, { program, target }) =>
        vscode.debug.startDebugging(undefined, {
          type: 'normscope',
          request: 'launch',
          name: 'measured',
          program,
          console: 'internalConsole',
          env: { MEASURED: target },
        }),
      { program: inRoot('test', 'fixtures', 'programs', 'measured.py'), target: file },
    );
    const { run } = await normscope.waitForRun(
      'the end',
      since,
      (one) => one.run.phase === 'ended',
    );
    firstRun = run;
    measured = JSON.parse(await readFile(file, 'utf8')) as Measured;
    await normscope.command('normscope.openPanel');
    panel = await PanelPage.find(session.page);
    await panel.layersShown();
    await panel.choose(0);
    await waitFor('figures', async () => Number.isFinite(await panel.figure('std', 'gradPre')));
    await session.screenshot(inRoot('test', 'artifacts', 'ui', 'measured.png'));
  }, 300_000);
  afterAll(async () => {
    await session?.close();
    await rm(scratch, { recursive: true, force: true });
  });

  it('come from every step when there is no budget', () => {
    expect(firstRun.steps).toBe(25);
    expect(firstRun.stepsSkipped).toBe(0);
  });

  for (const tap of TAPS) {
    it(`equal what the program measured itself at ${tap}`, async () => {
      for (const figure of MEASURES) {
        const shown = await panel.figure(figure, tap);
        const own = measured[tap][figure];
        const tolerance = Math.max(ABSOLUTE, RELATIVE * Math.abs(own));
        expect(Math.abs(shown - own), `${figure}: ${shown}, not ${own}`).toBeLessThan(tolerance);
      }
      for (const figure of COUNTS) {
        expect(await panel.figure(figure, tap), figure).toBe(measured[tap][figure]);
      }
    });
  }

  it('include the loss of the last step', async () => {
    const shown = await panel.fact('loss');
    expect(Math.abs(shown - measured.loss)).toBeLessThan(RELATIVE * Math.abs(measured.loss));
  });
});
