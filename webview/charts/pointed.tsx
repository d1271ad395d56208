import type { ComponentChildren } from 'preact';

/** A place in a chart, and the chart's size, in CSS pixels. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface PointedProps {
  /** Null: the pointer has left. */
  readonly onPoint: (place: Place | null) => void;
  readonly onPress?: (place: Place) => void;
  readonly children: ComponentChildren;
}

function placeOf(event: MouseEvent & { readonly currentTarget: HTMLElement }): Place {
  const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top, width, height };
}

/** Tells where in a drawing the pointer is and where it is pressed; controls do the same by keyboard. */
export function Pointed({ onPoint, onPress, children }: PointedProps) {
  return (
    <div
      class={onPress ? 'pointed pressable' : 'pointed'}
      onPointerMove={(event) => onPoint(placeOf(event))}
      onPointerLeave={() => onPoint(null)}
      {...(onPress && {
        onClick: (event: MouseEvent & { readonly currentTarget: HTMLElement }) =>
          onPress(placeOf(event)),
      })}
    >
      {children}
    </div>
  );
}
