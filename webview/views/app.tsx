import { failure, overview, rows, run, runs } from '../state/panel';
import { strings, text } from '../strings';
import { Connecting, EmptyState } from './emptyState';
import { LayerList } from './layerList';
import { chosenSection, SECTIONS } from './sections';
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
  if (!strings.value) return null;
  const shown = run.value;
  const section = SECTIONS.find(({ id }) => id === chosenSection.value) ?? SECTIONS[0];
  // Until the layer list has come there is nothing to say about it.
  const known = runs.value !== null && (shown === null || overview.value !== null);
  const hasLayers = shown !== null && rows.value.length > 0;
  return (
    <div class="app">
      <TopStrip />
      {hasLayers && <Timeline />}
      {failure.value && <Notice failed>{text('failed', failure.value)}</Notice>}
      {hasLayers && shown.notice && <Notice>{shown.notice}</Notice>}
      {hasLayers ? (
        <div class="body">
          <LayerList />
          <section.View />
        </div>
      ) : (
        <main class="main">{known ? <EmptyState run={shown} /> : <Connecting />}</main>
      )}
    </div>
  );
}
