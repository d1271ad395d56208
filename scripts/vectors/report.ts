import type { Outcome } from './comparison';
import { ENGINES, type Engine } from './engines/engines';

/** Outcomes of one file by engine; an engine of which it asks nothing has none. */
export interface FileOutcomes {
  readonly file: string;
  readonly outcomes: Readonly<Record<Engine, readonly Outcome[]>>;
}

export interface VectorReport {
  /** Worst relative error by file and engine; an engine that does not apply is left out. */
  readonly files: Readonly<Record<string, Readonly<Partial<Record<Engine, number>>>>>;
  readonly cases: number;
  readonly failed: number;
}

const worstOf = (outcomes: readonly Outcome[]) =>
  outcomes.reduce((worst, outcome) => Math.max(worst, outcome.worst), 0);

export function reportOf(all: readonly FileOutcomes[]): VectorReport {
  const outcomes = all.flatMap((file) => ENGINES.flatMap((engine) => file.outcomes[engine]));
  return {
    files: Object.fromEntries(
      all.map(({ file, outcomes: of }) => [
        file,
        Object.fromEntries(
          ENGINES.flatMap((engine) =>
            // JSON has no infinity.
            of[engine].length > 0
              ? [[engine, Math.min(Number.MAX_VALUE, worstOf(of[engine]))]]
              : [],
          ),
        ),
      ]),
    ),
    cases: outcomes.length,
    failed: outcomes.filter(({ failures }) => failures.length > 0).length,
  };
}

/** Worst relative errors as a table; `-` where an engine does not apply. */
export function tableOf(all: readonly FileOutcomes[]): string {
  const rows = [
    ['file', ...ENGINES],
    ...all.map(({ file, outcomes }) => [
      file,
      ...ENGINES.map((engine) =>
        outcomes[engine].length > 0 ? worstOf(outcomes[engine]).toExponential(1) : '-',
      ),
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
