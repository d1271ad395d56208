import type { LayerView, TapFigures } from '../../../extension/protocol/views';
import type { tapOf } from '../../charts/figure';
import { type Side } from '../../charts/figure';

export const SIDES: readonly Side[] = ['before', 'after'];
export const SIDE_TITLES = { before: 'titleBefore', after: 'titleAfter' } as const;
export const GRADIENT_TITLES = { before: 'gradBefore', after: 'gradAfter' } as const;

/** The tap whose gradient is on a side. */
export const gradientTapOf = (side: Side) => (side === 'before' ? 'gradPre' : 'gradPost');

export const figuresOf = (
  { figures }: LayerView,
  tap: ReturnType<typeof tapOf | typeof gradientTapOf>,
): TapFigures | undefined => figures.find((each) => each.tap === tap);
