import { statSync } from 'node:fs';
import path from 'node:path';
import type { LayerInfo } from '../../extension/protocol/layers';
import type { RunSummary } from '../../extension/protocol/views';

/** What `npm start -- --headless` writes to `summary.json`. */
export interface Summary {
  readonly vscode: string;
  readonly runs: readonly RunReport[];
  /** File names, relative to the summary. */
  readonly screenshots: readonly string[];
}

export interface RunReport {
  readonly framework: string | null;
  readonly frameworkVersion: string;
  readonly sessionType: string;
  readonly layers: readonly LayerReport[];
  readonly steps: number;
  readonly framesReceived: number;
  readonly framesDropped: number;
  readonly firstLoss: number | null;
  readonly lastLoss: number | null;
}

export interface LayerReport {
  readonly name: string;
  readonly class: string;
  readonly family: string;
  readonly features: number;
  /** Where the layer was constructed, or called where that is not known. */
  readonly file: string | null;
  readonly line: number | null;
}

function reportLayer(layer: LayerInfo): LayerReport {
  const place = layer.constructedAt ?? layer.calledAt;
  return {
    name: layer.name,
    class: layer.className,
    family: layer.family,
    features: layer.features,
    file: place?.file ?? null,
    line: place?.line ?? null,
  };
}

export function reportRun(run: RunSummary, layers: readonly LayerInfo[]): RunReport {
  return {
    framework: run.framework,
    frameworkVersion: run.frameworkVersion,
    sessionType: run.sessionType,
    layers: layers.map(reportLayer),
    steps: run.steps,
    framesReceived: run.framesReceived,
    framesDropped: run.framesDropped,
    firstLoss: run.firstLoss,
    lastLoss: run.lastLoss,
  };
}

/** A PNG of a window is larger than this, in bytes. */
const SMALLEST_SCREENSHOT = 10_000;

function missingInRun(run: RunReport, name: string): string[] {
  const unplaced = run.layers.filter((layer) => layer.file === null);
  const loss = (value: number | null) => value !== null && Number.isFinite(value);
  const checks: [boolean, string][] = [
    [run.framework !== null, 'no framework was recognised'],
    [run.layers.length > 0, 'no norm layer was found'],
    [unplaced.length === 0, `${unplaced.length} layers have no source line`],
    [run.steps > 0, 'no step was counted'],
    [run.framesReceived > 0, 'no frame arrived'],
    [loss(run.firstLoss) && loss(run.lastLoss), 'the loss is missing or not finite'],
  ];
  return checks.filter(([fine]) => !fine).map(([, what]) => `${name}: ${what}.`);
}

/** A sentence for everything that a complete summary would have and this one does not. */
export function missingIn(
  summary: Summary,
  expected: { readonly runs: readonly string[]; readonly screenshots: number },
  folder: string,
): readonly string[] {
  const missing = expected.runs.flatMap((name, index) => {
    const run = summary.runs[index];
    return run === undefined ? [`${name}: it did not run to its end.`] : missingInRun(run, name);
  });
  if (summary.screenshots.length < expected.screenshots) {
    missing.push(
      `${expected.screenshots - summary.screenshots.length} of ${expected.screenshots} screenshots were not taken.`,
    );
  }
  for (const name of summary.screenshots) {
    const size = statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
    if (size < SMALLEST_SCREENSHOT) missing.push(`The screenshot ${name} is empty.`);
  }
  return missing;
}
