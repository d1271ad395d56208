import { AXES } from '../../extension/protocol/views';
import { option } from './options';

/** Whether before and after are drawn over the same range of values. */
export const sameAxes = option('axes', AXES);
