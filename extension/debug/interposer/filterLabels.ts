import type { TensorFilter } from '../../protocol/tensorBreakpoints';
import type { Translate } from './sentences';

/** A filter's name in the Breakpoints view. */
export function filterLabel(filter: TensorFilter, t: Translate): string {
  switch (filter) {
    case 'nonfinite':
      return t('Tensors: NaN or infinite values');
    case 'dead-feature':
      return t('Tensors: dead features');
    case 'drift':
      return t('Tensors: drift');
    case 'saturated':
      return t('Tensors: saturated output');
    case 'gradient':
      return t('Tensors: vanishing or exploding gradient');
    case 'bn-train-eval-gap':
      return t('Tensors: train and eval differ');
    case 'rule':
      return t('Tensors: any rule');
  }
}

/** What a filter stops at, and when. */
export function filterHint(filter: TensorFilter, t: Translate): string {
  switch (filter) {
    case 'nonfinite':
      return t(
        'Stops at the norm layer that first sees NaN or infinite values, forward or backward. Every tensor of a norm layer is looked at as it comes, which on a GPU waits for it.',
      );
    case 'dead-feature':
      return t(
        'Stops when features before a norm layer hold one value only; above: a share of them.',
      );
    case 'drift':
      return t('Stops when the input of a norm layer drifts; above: in standard deviations.');
    case 'saturated':
      return t('Stops when outputs lie where tanh is flat; above: a share of them.');
    case 'gradient':
      return t('Stops when gradients vanish or explode; above or below: the norm of dL/dx.');
    case 'bn-train-eval-gap':
      return t(
        'Stops when a BatchNorm would give another output in eval mode; above: in deviations of the output.',
      );
    case 'rule':
      return t('Stops when any rule speaks, or those named after rules:.');
  }
}
