import type { RunSummary } from '../../../extension/protocol/views';
import { Button } from '../../controls/button';
import { ProgressRing } from '../../controls/progressRing';
import { post } from '../../state/vscodeApi';
import { text } from '../../strings';

interface Words {
  readonly title: string;
  readonly body: string;
  readonly busy?: boolean;
  readonly offer?: boolean;
}

function wordsFor(run: RunSummary | null): Words {
  if (!run) return { title: text('noRunTitle'), body: text('noRunText'), offer: true };
  const over = run.phase === 'ended' || run.phase === 'disconnected';
  if (over) {
    return {
      title: text('noLayerTitle', run.program),
      body: run.notice ?? text('noLayerText'),
      offer: true,
    };
  }
  if (run.framework === null) {
    return {
      title: text('startingTitle', run.program),
      body: run.notice ?? text('startingText'),
      busy: run.phase !== 'paused',
    };
  }
  const framework = `${run.framework === 'torch' ? 'PyTorch' : 'TensorFlow.js'} ${run.frameworkVersion}`;
  return {
    title: text('waitingTitle', run.program),
    body: run.notice ?? text('waitingText', framework),
    busy: run.phase !== 'paused' && run.notice === null,
  };
}

/** The panel is waiting for an answer; it says so only if that takes long. */
export function Connecting() {
  return (
    <div class="late">
      <Waiting title={text('connecting')} />
    </div>
  );
}

/** Something is under way; in words what. */
export function Waiting({ title, body }: { readonly title: string; readonly body?: string }) {
  return (
    <div class="empty" role="status">
      <ProgressRing />
      <h2>{title}</h2>
      {body && <p>{body}</p>}
    </div>
  );
}

/** What the panel says when there is no layer to show, and what to do next. */
export function EmptyState({ run }: { readonly run: RunSummary | null }) {
  const { title, body, busy = false, offer = false } = wordsFor(run);
  if (busy) return <Waiting title={title} body={body} />;
  return (
    <div class="empty" role="status">
      <h2>{title}</h2>
      {body && <p>{body}</p>}
      {offer && (
        <div class="offers">
          <Button primary onPress={() => post({ type: 'command', command: 'debugCurrentFile' })}>
            {text('debugCurrentFile')}
          </Button>
          <Button onPress={() => post({ type: 'command', command: 'addConfiguration' })}>
            {text('addConfiguration')}
          </Button>
        </div>
      )}
    </div>
  );
}
