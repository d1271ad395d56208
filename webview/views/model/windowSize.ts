import { signal, type ReadonlySignal } from '@preact/signals';

interface Size {
  readonly width: number;
  readonly height: number;
}

const now = (): Size => ({ width: window.innerWidth, height: window.innerHeight });
const current = signal(now());
window.addEventListener('resize', () => {
  current.value = now();
});

/** Size of the panel in CSS pixels. */
export const windowSize: ReadonlySignal<Size> = current;
