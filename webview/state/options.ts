import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { recall } from './vscodeApi';

/** How charts are drawn, by the option's name; remembered with the panel's state. */
export const options = signal<Readonly<Record<string, string>>>(recall().options);

export interface Option<T extends string> {
  readonly current: ReadonlySignal<T>;
  readonly choices: readonly T[];
  choose(value: T): void;
}

/** An option that is one of `choices`: the first of them unless the person chose another. */
export function option<T extends string>(name: string, choices: readonly [T, ...T[]]): Option<T> {
  const current = computed(
    () => choices.find((choice) => choice === options.value[name]) ?? choices[0],
  );
  const choose = (value: T) => {
    const others = Object.entries(options.peek()).filter(([known]) => known !== name);
    options.value = Object.fromEntries(
      value === choices[0] ? others : [...others, [name, value] as const],
    );
  };
  return { current, choices, choose };
}
