import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Option } from '../../state/options';
import { option } from '../../state/options';

export type GroupState = 'open' | 'closed';

/** Whether a group of charts is open, remembered by its id. */
export const groupState = (id: string, usual: GroupState = 'open'): Option<GroupState> =>
  option<GroupState>(`group.${id}`, usual === 'open' ? ['open', 'closed'] : ['closed', 'open']);

/** What is out of sight is drawn anew this often, in milliseconds. */
const OUT_OF_SIGHT = 600;

/**
 * Children that are drawn with each render while they are in sight, and now and then while they are
 * not: a section has more charts than a frame has time for. They come one group after another.
 */
function Paced({ children }: { readonly children: ComponentChildren }) {
  const element = useRef<HTMLDivElement>(null);
  const [begun, begin] = useState(false);
  const [inSight, setInSight] = useState(true);
  const [, again] = useState(0);
  const kept = useRef({ children, at: 0 });
  const now = performance.now();
  if (inSight || now - kept.current.at > OUT_OF_SIGHT) kept.current = { children, at: now };

  useEffect(() => {
    const handle = requestIdleCallback(() => begin(true), { timeout: 100 });
    return () => cancelIdleCallback(handle);
  }, []);
  useLayoutEffect(() => {
    if (!element.current) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => setInSight(entry?.isIntersecting ?? true),
      { rootMargin: '200px' },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (kept.current.children === children) return undefined;
    const handle = setTimeout(() => again((count) => count + 1), OUT_OF_SIGHT);
    return () => clearTimeout(handle);
  });
  return <div ref={element}>{begun && kept.current.children}</div>;
}

interface GroupProps {
  readonly id: string;
  readonly title: string;
  /** What the group as a whole says, in a few words. */
  readonly note?: string | undefined;
  readonly state: Option<GroupState>;
  /** Choices that hold for all charts of the group. */
  readonly controls?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Charts under a small heading that opens and closes them. */
export function Group({ id, title, note, state, controls, children }: GroupProps) {
  const open = state.current.value === 'open';
  return (
    <section class="group" aria-labelledby={`${id}-title`}>
      <div class="group-head">
        <h3 id={`${id}-title`}>
          <button
            type="button"
            aria-expanded={open}
            onClick={() => state.choose(open ? 'closed' : 'open')}
          >
            <span class={`codicon codicon-chevron-${open ? 'down' : 'right'}`} aria-hidden="true" />
            {title}
          </button>
        </h3>
        {note && <span class="caption">{note}</span>}
        {open && controls && <div class="group-controls">{controls}</div>}
      </div>
      {open && <Paced>{children}</Paced>}
    </section>
  );
}
