import * as vscode from 'vscode';
import { layerNormInstead, transposedCall, type LineEdit } from '../core/editor/batchNormFix';
import { RULE_DEFINITIONS } from '../core/editor/ruleDefinitions';
import type { LayerTrack } from '../core/runStore/layerTrack';
import type { DocumentSites } from './documentSites';
import { targetOf } from './layerTarget';
import { type Problem, type Problems, ruleOf } from './problems';

const { QuickFix } = vscode.CodeActionKind;

/** What can be done about a problem: see it, change the code, or have no more of it. */
export class ProblemActions implements vscode.CodeActionProvider {
  static readonly kinds = [QuickFix];

  constructor(
    private readonly problems: Problems,
    private readonly sites: DocumentSites,
  ) {}

  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const offered = new Set<string>();
    return diagnostics.flatMap((diagnostic) => {
      const problem =
        ruleOf(diagnostic) === undefined ? undefined : this.problems.of(document, diagnostic);
      if (!problem) return [];
      return [
        ...this.edits(document, diagnostic, problem),
        ...this.commands(problem).flatMap((command) => {
          // Several problems of one line may offer the same.
          const same = JSON.stringify([command.command, command.arguments]);
          if (offered.has(same)) return [];
          offered.add(same);
          const action = new vscode.CodeAction(command.title, QuickFix);
          action.command = command;
          action.diagnostics = [diagnostic];
          return [action];
        }),
      ];
    });
  }

  private edits(
    document: vscode.TextDocument,
    diagnostic: vscode.Diagnostic,
    { run, alerts: [alert] }: Problem,
  ): vscode.CodeAction[] {
    const track = run.layer(alert.layer);
    if (alert.rule !== 'bn-axis-mistake' || !track) return [];
    const made = diagnostic.range.start.line;
    const instead = layerNormInstead(document.lineAt(made).text, alert);
    const actions: vscode.CodeAction[] = [];
    if (instead) {
      const title = vscode.l10n.t('Use LayerNorm over the last axis instead…');
      actions.push(suggestion(title, document, [[made, instead]], diagnostic));
    }
    const called = this.callOf(document, track);
    const transposed =
      called === undefined
        ? undefined
        : transposedCall(
            document.lineAt(called).text,
            track.info.name.split('.').findLast((part) => !/^\d+$/.test(part)) ?? '',
          );
    // With axes of unlike lengths the layer's own size would be wrong too.
    if (called !== undefined && transposed && alert.value === alert.limit) {
      const title = vscode.l10n.t('Transpose the last two axes around the call…');
      actions.push(suggestion(title, document, [[called, transposed]], diagnostic));
    }
    return actions;
  }

  /** The line that calls a layer, where it is in the same document. */
  private callOf(document: vscode.TextDocument, track: LayerTrack): number | undefined {
    const sites = this.sites.of(document)?.sites ?? [];
    return sites.find(({ role, layers }) => role === 'call' && layers.includes(track))?.place;
  }

  private commands({ run, alerts }: Problem): vscode.Command[] {
    const layers = alerts.flatMap(({ layer }) => run.layer(layer) ?? []);
    const [alert] = alerts;
    const { title } = this.sites.model.inWords(run, alert);
    return [
      {
        title: vscode.l10n.t('Show in Panel'),
        command: 'normscope.showInPanel',
        arguments: [targetOf(run, layers)],
      },
      {
        title: vscode.l10n.t('Show how “{0}” is measured', title),
        command: 'normscope.showDefinition',
        arguments: [RULE_DEFINITIONS[alert.rule]],
      },
      {
        title: vscode.l10n.t('Switch off the rule “{0}”', title),
        command: 'normscope.switchRuleOff',
        arguments: [alert.rule],
      },
    ];
  }
}

/** An edit that VS Code shows before it is made. */
function suggestion(
  title: string,
  document: vscode.TextDocument,
  edits: readonly (readonly [line: number, edit: LineEdit])[],
  diagnostic: vscode.Diagnostic,
): vscode.CodeAction {
  const action = new vscode.CodeAction(title, QuickFix);
  action.diagnostics = [diagnostic];
  action.edit = new vscode.WorkspaceEdit();
  for (const [line, { start, end, text }] of edits) {
    action.edit.replace(document.uri, new vscode.Range(line, start, line, end), text, {
      label: title,
      needsConfirmation: true,
    });
  }
  return action;
}
