import { createContext } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';

/** Answers a key pressed in a chart; true where the key did something. */
export type PlotKeys = (event: KeyboardEvent) => boolean;

interface PlotKeyboard {
  /** The chart within takes keys from now on, described in words; until the function given back is called. */
  take(keys: PlotKeys, words: string): () => void;
}

/** How a chart tells the figure around it that it can be used by keyboard. */
export const PlotKeyboardContext = createContext<PlotKeyboard | null>(null);

/** Lets a person use the chart by keyboard: the figure around it can then be focused. */
export function usePlotKeys(keys: PlotKeys, words: string): void {
  const keyboard = useContext(PlotKeyboardContext);
  const latest = useRef(keys);
  latest.current = keys;
  useLayoutEffect(() => keyboard?.take((event) => latest.current(event), words), [keyboard, words]);
}
