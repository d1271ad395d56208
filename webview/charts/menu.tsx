import { useEffect, useRef } from 'preact/hooks';
import { Icon, Popup } from './popup';

export interface MenuItem {
  readonly label: string;
  readonly icon: string;
  readonly choose: () => void;
}

/** Index of the entry to go to for a key; undefined for a key that moves nothing. */
export function nextItem(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count;
    case 'ArrowUp':
      return (at - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

interface ItemsProps {
  readonly items: readonly MenuItem[];
  readonly close: () => void;
}

function Items({ items, close }: ItemsProps) {
  const list = useRef<HTMLUListElement>(null);
  const buttons = () => [...(list.current?.querySelectorAll('button') ?? [])];
  useEffect(() => buttons()[0]?.focus({ preventScroll: true }), []);
  return (
    <ul
      ref={list}
      role="none"
      onKeyDown={(event) => {
        const all = buttons();
        const at = all.findIndex((button) => button === document.activeElement);
        const next = nextItem(event.key, at, all.length);
        if (event.key === 'Tab') close();
        if (next === undefined) return;
        event.preventDefault();
        all[next]?.focus();
      }}
    >
      {items.map(({ label, icon, choose }) => (
        <li key={label} role="none">
          <button
            type="button"
            role="menuitem"
            tabIndex={-1}
            onClick={() => {
              close();
              choose();
            }}
          >
            <Icon name={icon} />
            {label}
          </button>
        </li>
      ))}
    </ul>
  );
}

interface MenuProps {
  readonly id: string;
  readonly label: string;
  readonly items: readonly MenuItem[];
}

/** A button that opens a menu: arrows move, Enter chooses, Escape closes. */
export function Menu({ id, label, items }: MenuProps) {
  return (
    <Popup
      id={id}
      face={<Icon name="ellipsis" />}
      label={label}
      kind="menu"
      content={(close) => <Items items={items} close={close} />}
    />
  );
}
