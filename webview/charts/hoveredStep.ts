import { signal } from '@preact/signals';

/** The step under the pointer, in whichever chart over steps it is. */
export const hoveredStep = signal<number | null>(null);
