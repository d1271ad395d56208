import type { RunPhase } from '../../../extension/protocol/views';
import { Popup } from '../../charts/popup';
import { text } from '../../strings';

const WORDS = {
  starting: ['phaseStarting', 'phaseStartingHint'],
  running: ['phaseRunning', 'phaseRunningHint'],
  paused: ['phasePaused', 'phasePausedHint'],
  ended: ['phaseEnded', 'phaseEndedHint'],
  disconnected: ['phaseDisconnected', 'phaseDisconnectedHint'],
} as const satisfies Record<RunPhase, readonly [string, string]>;

/** How the process is; what that means and what to do next is a press away. */
export function Phase({ phase }: { readonly phase: RunPhase }) {
  const [word, hint] = WORDS[phase];
  return (
    <span class={`phase ${phase}`} role="status">
      <Popup
        id="phase"
        words
        face={
          <>
            <span class="dot" aria-hidden="true" />
            {text(word)}
          </>
        }
        label={text(hint)}
        kind="dialog"
        content={() => <p>{text(hint)}</p>}
      />
    </span>
  );
}
