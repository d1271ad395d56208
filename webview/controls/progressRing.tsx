import './elements';

/** Something is under way; the text next to it says what. */
export function ProgressRing() {
  return <vscode-progress-ring class="progress-ring" aria-hidden="true" />;
}
