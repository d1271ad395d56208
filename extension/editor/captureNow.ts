import * as vscode from 'vscode';
import { DeepRequest, type DeepAnswer } from '../core/deepRequest';
import { countText } from '../core/editor/numbers';
import { notificationText } from '../core/plainText';
import type { LayerTrack } from '../core/runStore/layerTrack';
import type { Run } from '../core/runStore/run';
import type { RunStore } from '../core/runStore/runStore';
import type { LayerId, RunId } from '../protocol/ids';
import type { FoundLayers } from './layerTarget';

export interface CaptureNowOptions {
  readonly store: RunStore;
  /** Tells a run's process which layers are to be captured deeply, beside those that others look at. */
  tellFocus(run: RunId, layers: readonly LayerId[]): void;
  showInPanel(run: Run, layer: LayerTrack): void;
}

const { t } = vscode.l10n;

const nameOf = ({ info }: LayerTrack) => notificationText(info.name || info.className);

/** Has layers captured deeply once, at the next captured steps, and says when it is done. */
export class CaptureNow {
  private running: DeepRequest | undefined;

  constructor(private readonly options: CaptureNowOptions) {}

  /** A request that is still under way gives way. */
  async capture(found: FoundLayers): Promise<void> {
    const { run, layers } = found;
    if (run.over) {
      void vscode.window.showInformationMessage(
        t('This run is over: debug the script again with norm capture, then capture.'),
      );
      return;
    }
    this.running?.cancel();
    const answer = await this.ask(found);
    // What the person does with the message is no part of the command.
    void this.tell(run, layers, answer);
  }

  private ask({ run, layers }: FoundLayers): Thenable<DeepAnswer> {
    const [only] = layers.length === 1 ? layers : [];
    const title = only
      ? t('Capturing {0} in depth', nameOf(only))
      : t('Capturing {0} layers in depth', countText(layers.length));
    const location = vscode.ProgressLocation.Notification;
    return vscode.window.withProgress(
      { location, title, cancellable: true },
      (progress, canceled) => {
        if (run.phase === 'paused')
          progress.report({ message: t('waiting for the program to go on') });
        const request = new DeepRequest({
          store: this.options.store,
          run,
          layers: layers.map(({ info }) => info.id),
          tell: (id, wanted) => this.options.tellFocus(id, wanted),
          onProgress: (captured) =>
            progress.report({
              message: t('{0} of {1}', countText(captured), countText(layers.length)),
              increment: 100 / layers.length,
            }),
        });
        this.running = request;
        canceled.onCancellationRequested(() => request.cancel());
        return request.answer.finally(() => {
          if (this.running === request) this.running = undefined;
        });
      },
    );
  }

  private async tell(
    run: Run,
    layers: readonly LayerTrack[],
    { captured, missing, cancelled }: DeepAnswer,
  ): Promise<void> {
    const first = layers.find(({ info }) => captured.has(info.id));
    if (cancelled && !first) return;
    if (!first) {
      void vscode.window.showInformationMessage(nothing(run));
      return;
    }
    const show = t('Show in Panel');
    const said = sentence(first, [...captured.values()], cancelled ? 0 : missing.length);
    const chosen = await vscode.window.showInformationMessage(said, show);
    if (chosen === show) this.options.showInPanel(run, first);
  }
}

const nothing = (run: Run): string =>
  run.over
    ? t('The run ended before anything was captured in depth: debug the script again.')
    : t(
        'Nothing was captured in depth: the layers did not run in a training step, or are of a kind that is not captured so.',
      );

/** @param steps - of the captures, one a layer */
function sentence(first: LayerTrack, steps: readonly number[], missing: number): string {
  const [from, to] = [Math.min(...steps), Math.max(...steps)].map(countText);
  const done =
    steps.length === 1
      ? t('{0} was captured in depth at step {1}.', nameOf(first), from ?? '')
      : t(
          '{0} layers were captured in depth, at steps {1} to {2}.',
          countText(steps.length),
          from ?? '',
          to ?? '',
        );
  if (missing === 0) return done;
  return `${done} ${t('Not captured: {0}; they did not run, or are of a kind that is not captured so.', countText(missing))}`;
}
