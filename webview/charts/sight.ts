import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** What a drawing needs to know of its element. */
export interface Sight {
  /** Whether it is in sight, or nearly: what is not is not drawn. */
  readonly near: boolean;
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
}

const NOWHERE: Sight = { near: false, width: 0, height: 0 };

/** So near to what is in sight an element is drawn already, in CSS pixels. */
const MARGIN = 160;

/** `scrollMargin` grows what scrolls within the page, `rootMargin` the page itself. */
const OBSERVED: IntersectionObserverInit & { readonly scrollMargin: string } = {
  rootMargin: `${MARGIN}px`,
  scrollMargin: `${MARGIN}px`,
};

function isNear(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top < window.innerHeight + MARGIN && bottom > -MARGIN;
}

/**
 * Size of an element, and whether it is in sight. Known before the first frame with the element is
 * shown, and without asking the page to lay out anything on its own account.
 */
export function useSight(ref: RefObject<Element>): Sight {
  const [sight, setSight] = useState(NOWHERE);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const note = (change: Partial<Sight>) =>
      setSight((known) => {
        const next = { ...known, ...change };
        const same =
          next.near === known.near && next.width === known.width && next.height === known.height;
        return same ? known : next;
      });
    const sizes = new ResizeObserver(([entry]) => {
      if (!entry) return;
      const { width, height } = entry.contentRect;
      note({ width: Math.round(width), height: Math.round(height), near: isNear(element) });
    });
    const crossings = new IntersectionObserver((entries) => {
      note({ near: entries.at(-1)?.isIntersecting ?? true });
    }, OBSERVED);
    sizes.observe(element);
    crossings.observe(element);
    return () => {
      sizes.disconnect();
      crossings.disconnect();
    };
  }, []);
  return sight;
}
