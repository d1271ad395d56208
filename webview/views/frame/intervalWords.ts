import { formatCount } from '../../format';
import { text } from '../../strings';

/** Every how manyeth step is captured. */
export const intervalWords = (interval: number): string =>
  interval > 1 ? text('everyNth', formatCount(interval)) : text('everyStep');
