import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

const GAP = 4;

/** Puts a popup under its button, within the window. */
function place(popup: HTMLElement, button: HTMLElement): void {
  const { left, top, bottom, right } = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popup;
  const most = window.innerWidth - width - GAP;
  const below = bottom + GAP + height <= window.innerHeight;
  popup.style.left = `${Math.max(GAP, Math.min(left + width > most ? right - width : left, most))}px`;
  popup.style.top = `${Math.max(GAP, below ? bottom + GAP : top - GAP - height)}px`;
}

interface PopupProps {
  /** Unlike that of any other element of the page. */
  readonly id: string;
  /** What the button shows. */
  readonly face: ComponentChildren;
  /** What the popup is about; the button's name unless it shows words. */
  readonly label: string;
  readonly words?: boolean;
  readonly kind: 'menu' | 'dialog';
  /** Shown while it is open. `close` gives the focus back to the button. */
  readonly content: (close: () => void) => ComponentChildren;
}

export const Icon = ({ name }: { readonly name: string }) => (
  <span class={`codicon codicon-${name}`} aria-hidden="true" />
);

/**
 * A small button with a popup. The browser keeps it above everything and closes it at Escape and at
 * a press anywhere else.
 */
export function Popup({ id, face, label, words = false, kind, content }: PopupProps) {
  const [open, setOpen] = useState(false);
  const popup: RefObject<HTMLDivElement> = useRef(null);
  const button: RefObject<HTMLButtonElement> = useRef(null);
  useEffect(() => {
    if (!open || !popup.current || !button.current) return undefined;
    place(popup.current, button.current);
    const close = () => popup.current?.hidePopover();
    window.addEventListener('resize', close);
    return () => window.removeEventListener('resize', close);
  }, [open]);
  const close = () => {
    popup.current?.hidePopover();
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={words ? 'word-button' : 'icon-button'}
        title={label}
        aria-label={words ? undefined : label}
        aria-haspopup={kind}
        aria-expanded={open}
        popovertarget={id}
      >
        {face}
      </button>
      <div
        ref={popup}
        id={id}
        popover="auto"
        class={`popup ${kind}`}
        role={kind}
        aria-label={label}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {open && content(close)}
      </div>
    </>
  );
}
