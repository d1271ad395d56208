import { failure, overview, rows, run, section } from '../../state/panel';
import { runs } from '../../state/runs';
import { text } from '../../strings';
import { EmptyState } from './emptyState';
import { sections } from './sections';
import { Skeleton } from './skeleton';
import { Timeline } from './timeline';
import { TopStrip } from './topStrip';

function Notice({ children, failed = false }: { children: string; failed?: boolean }) {
  return (
    <p class={failed ? 'notice failed' : 'notice'} role={failed ? 'alert' : 'status'}>
      <span class={`codicon codicon-${failed ? 'error' : 'info'}`} aria-hidden="true" />
      <span>{children}</span>
    </p>
  );
}

/** The whole panel. */
export function App() {
  const shown = run.value;
  const View = sections.find(({ id }) => id === section.value)?.View;
  // Until the layer list has come there is nothing to say about it.
  const known = runs.value !== null && (shown === null || overview.value !== null);
  const hasLayers = shown !== null && rows.value.length > 0;
  return (
    <div class="app">
      <TopStrip />
      {hasLayers && <Timeline />}
      {failure.value && <Notice failed>{text('failed', failure.value)}</Notice>}
      {hasLayers && shown.notice && <Notice>{shown.notice}</Notice>}
      {!known && <Skeleton />}
      {known && hasLayers && View && <View />}
      {known && !hasLayers && (
        <main class="main">
          <EmptyState run={shown} />
        </main>
      )}
    </div>
  );
}
