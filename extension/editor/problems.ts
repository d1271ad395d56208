import * as vscode from 'vscode';
import type { EditorModel } from '../core/editor/editorModel';
import { oneLine } from '../core/editor/markdown';
import { countText } from '../core/editor/numbers';
import { RULE_DEFINITIONS } from '../core/editor/ruleDefinitions';
import type { Run } from '../core/runStore/run';
import type { Alert, Severity } from '../protocol/alerts';
import { SEVERITIES } from '../protocol/alerts';
import type { DocumentSites } from './documentSites';
import { commandLink } from './layerTarget';

export const PROBLEM_SOURCE = 'NormScope';

const KINDS: Readonly<Record<Severity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
};

/** Alerts of one rule at the layers that one line makes, worst first. */
export interface Problem {
  readonly run: Run;
  readonly alerts: readonly [Alert, ...Alert[]];
  readonly file: string;
  /** As the process saw the file; counted from 1. */
  readonly line: number;
}

function problemsOf(run: Run, alerts: readonly Alert[]): readonly Problem[] {
  const found = new Map<string, Problem & { alerts: [Alert, ...Alert[]] }>();
  for (const alert of alerts) {
    const at = run.layer(alert.layer)?.info.constructedAt;
    if (!at) continue;
    const key = `${alert.rule} ${at.line} ${at.file}`;
    const known = found.get(key);
    if (known) known.alerts.push(alert);
    else found.set(key, { run, alerts: [alert], file: at.file, line: at.line });
  }
  return [...found.values()];
}

function messageOf(model: EditorModel, { run, alerts }: Problem): string {
  const [alert] = alerts;
  const { title, found, advice } = model.inWords(run, alert);
  const name = run.layer(alert.layer)?.info.name ?? '';
  const others = new Set(alerts.map(({ layer }) => layer)).size - 1;
  const place =
    others > 0
      ? vscode.l10n.t('{0} and {1} more', oneLine(name), countText(others))
      : oneLine(name);
  return `${title} (${place}): ${oneLine(found)} ${advice}`;
}

const linkOf = ({ alerts: [{ rule }] }: Problem): vscode.Uri =>
  vscode.Uri.parse(commandLink('normscope.showDefinition', RULE_DEFINITIONS[rule]));

/** Active alerts of the current run in Problems, each on the line that makes its layer. */
export class Problems implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('normscope');
  private readonly subscription: { dispose(): void };
  private readonly shown = new Map<string, string>();
  private known = new Map<string, readonly Problem[]>();

  constructor(
    private readonly sites: DocumentSites,
    private readonly isOn: () => boolean,
  ) {
    this.subscription = sites.model.onDidChange(() => this.refresh());
  }

  refresh(): void {
    const { model } = this.sites;
    const run = this.isOn() ? model.current.get() : undefined;
    this.known = new Map();
    for (const problem of run ? problemsOf(run, model.activeAlerts(run)) : []) {
      const file = model.locations.key(problem.file);
      this.known.set(file, [...(this.known.get(file) ?? []), problem]);
    }
    for (const file of [...this.shown.keys()]) {
      if (this.known.has(file)) continue;
      this.collection.delete(vscode.Uri.file(file));
      this.shown.delete(file);
    }
    for (const [file, problems] of this.known) this.show(file, problems);
  }

  /** What a diagnostic of ours is about; undefined where it is over. */
  of(document: vscode.TextDocument, diagnostic: vscode.Diagnostic): Problem | undefined {
    const problems = this.known.get(this.sites.model.locations.key(document.uri.fsPath)) ?? [];
    return problems.find(
      (problem) =>
        problem.alerts[0].rule === ruleOf(diagnostic) &&
        this.placeOf(document, problem) === diagnostic.range.start.line,
    );
  }

  dispose(): void {
    this.subscription.dispose();
    this.collection.dispose();
  }

  private show(file: string, problems: readonly Problem[]): void {
    const uri = vscode.Uri.file(file);
    const document = vscode.workspace.textDocuments.find(
      (one) => one.uri.scheme === 'file' && one.uri.fsPath === uri.fsPath,
    );
    const diagnostics = problems.flatMap((problem) => {
      const place = document ? this.placeOf(document, problem) : problem.line - 1;
      return place === undefined ? [] : this.diagnostic(problem, place, document);
    });
    const summary = JSON.stringify(
      diagnostics.map(({ range, message, severity }) => [range, message, severity]),
    );
    if (this.shown.get(file) === summary) return;
    this.shown.set(file, summary);
    this.collection.set(uri, diagnostics);
  }

  /** Line in a document, counted from 0; undefined where it is gone. */
  private placeOf(document: vscode.TextDocument, { run, line }: Problem): number | undefined {
    const placed = this.sites.of(document);
    if (placed?.run !== run) return line - 1 < document.lineCount ? line - 1 : undefined;
    return placed.sites.find((site) => site.line === line && site.role === 'construction')?.place;
  }

  private diagnostic(
    problem: Problem,
    place: number,
    document: vscode.TextDocument | undefined,
  ): vscode.Diagnostic {
    const line = document?.lineAt(place);
    const range = line
      ? new vscode.Range(place, line.firstNonWhitespaceCharacterIndex, place, line.text.length)
      : new vscode.Range(place, 0, place, 1000);
    const worst = SEVERITIES.find((one) => problem.alerts.some(({ severity }) => severity === one));
    const diagnostic = new vscode.Diagnostic(
      range,
      messageOf(this.sites.model, problem),
      KINDS[worst ?? 'warning'],
    );
    diagnostic.source = PROBLEM_SOURCE;
    diagnostic.code = { value: problem.alerts[0].rule, target: linkOf(problem) };
    return diagnostic;
  }
}

/** The rule of a diagnostic of ours; undefined for any other diagnostic. */
export function ruleOf({ source, code }: vscode.Diagnostic): string | undefined {
  if (source !== PROBLEM_SOURCE || typeof code !== 'object') return undefined;
  return String(code.value);
}
