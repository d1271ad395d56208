import { l10n } from 'vscode';
import type { AlertStrings } from '../protocol/alertSentences';

/** The texts of alerts in the language of VS Code. */
export const alertStrings = (): AlertStrings => ({
  titles: titles(),
  taps: {
    pre: l10n.t('input'),
    post: l10n.t('output'),
    gradPost: l10n.t('dL/dy'),
    gradPre: l10n.t('dL/dx'),
  },
  sentences: { ...nonFinite(), ...values(), ...gradients(), ...batchNorms(), ...numerics() },
});

const titles = (): AlertStrings['titles'] => ({
  nonfinite: l10n.t('NaN or infinite values'),
  exploding: l10n.t('Exploding values'),
  'vanishing-gradient': l10n.t('Vanishing gradient'),
  'gradient-imbalance': l10n.t('Gradient imbalance'),
  'dead-feature': l10n.t('Dead features'),
  'eps-dominated': l10n.t('ε outweighs the variance'),
  saturated: l10n.t('Saturated output'),
  drift: l10n.t('Drifting input'),
  'bn-train-eval-gap': l10n.t('Eval output differs'),
  'bn-small-batch': l10n.t('Small batch'),
  'bn-batch-of-one': l10n.t('Batch of one'),
  'bn-eval-while-training': l10n.t('Eval mode while training'),
  'bn-axis-mistake': l10n.t('Wrong channel axis'),
  'padding-in-statistics': l10n.t('Padding in the statistics'),
  'gain-collapse': l10n.t('Collapsed gain'),
  headroom: l10n.t('Close to overflow'),
  'fast-variance-cancellation': l10n.t('Variance lost to rounding'),
  'rank-spread': l10n.t('Ranks differ'),
});

const nonFinite = () => ({
  'nonfinite:pre': {
    found: l10n.t(
      'NaN or infinite values in the input since step {1}: {0}; no earlier norm layer has any. Norm layers affected: {2}.',
    ),
    advice: l10n.t(
      'Look at what runs between the norm layer before and this one: a division, logarithm or root near zero, an overflow in half precision, or weights that are no longer finite.',
    ),
  },
  'nonfinite:post': {
    found: l10n.t(
      'NaN or infinite values in the output since step {1}: {0}, while the input is finite; this layer makes them. Norm layers affected: {2}.',
    ),
    advice: l10n.t(
      'Check its γ and β and, in eval mode, its running statistics; check ε where an input row or feature is constant, and the range of its dtype.',
    ),
  },
  'nonfinite:gradPost': {
    found: l10n.t(
      'NaN or infinite values in the gradient that comes back to this layer since step {1}: {0}; all norm layers behind it have finite ones. Norm layers affected: {2}.',
    ),
    advice: l10n.t(
      'Look at the backward pass of what runs between this layer and the next norm layer or the loss: a root or norm at zero, a logarithm, a loss over no elements.',
    ),
  },
  'nonfinite:gradPre': {
    found: l10n.t(
      'NaN or infinite values in the gradient that leaves this layer since step {1}: {0}, while the one that comes in is finite. Norm layers affected: {2}.',
    ),
    advice: l10n.t(
      'The layer divides the gradient by √(σ²+ε): look for a variance near zero, raise ε, or compute the layer in float32.',
    ),
  },
});

const values = () => ({
  exploding: {
    found: l10n.t(
      'The size of its {0} is {1} times the usual one since step {2}; the limit is {3}.',
    ),
    advice: l10n.t(
      'Lower the learning rate or warm it up, clip gradients, and look at the batch of this step.',
    ),
  },
  'dead-feature:pre': {
    found: l10n.t(
      'Constant features of the input: {0} ({1} %), at step {2} for the tenth captured step in a row; the first is feature {3}.',
    ),
    advice: l10n.t(
      'Look at the layer before: a ReLU that no sample activates, weights that are zero, or a column of the data that never changes.',
    ),
  },
  'dead-feature:post': {
    found: l10n.t(
      'Constant features of the output although their γ is not zero: {0} ({1} %), at step {2} for the tenth captured step in a row; the first is feature {3}.',
    ),
    advice: l10n.t(
      'If the layer applies an activation, look at β: it may hold these features where the activation is flat.',
    ),
  },
  saturated: {
    found: l10n.t(
      '{0} % of the output lie beyond ±2.09 since step {1}, where a tanh is flat; the limit is {2} %, and a normal distribution has 3.7 % there.',
    ),
    advice: l10n.t(
      'If a tanh or sigmoid follows, reduce γ (start it lower, or decay it) or β. Before a linear layer this does no harm.',
    ),
  },
  drift: {
    found: l10n.t(
      'Since step {1} the feature means of the input move by more than {2} standard deviations from one captured step to the next: by {0} at step {3}, the last of them.',
    ),
    advice: l10n.t(
      'Lower the learning rate, or check whether the batches are drawn in an order, one kind of data after another.',
    ),
  },
  'gain-collapse': {
    found: l10n.t(
      'γ of {0} features ({1} %) is below one hundredth of what it was at its largest since step {2}; the first is feature {3}.',
    ),
    advice: l10n.t(
      'Leave γ out of weight decay; features that are to stay this small may be pruned.',
    ),
  },
});

const gradients = () => ({
  'vanishing-gradient': {
    found: l10n.t(
      'The gradient that comes back to this layer has size {0} since step {1}; the limit is {2}. Norm layers affected: {3}.',
    ),
    advice: l10n.t(
      'Look at what follows this layer: a saturated or dead activation, a branch that the loss does not depend on, an underflow in half precision.',
    ),
  },
  'gradient-imbalance': {
    found: l10n.t(
      'The gradient here is {0} times smaller than at {3} since step {1}; the limit is {2}.',
    ),
    advice: l10n.t(
      'Check the initialization and the residual connections between the two layers; deep models without a warm-up of the learning rate show this too.',
    ),
  },
});

const batchNorms = () => ({
  'bn-train-eval-gap': {
    found: l10n.t(
      'In eval mode the same batch would come out differently by {0} standard deviations of the output since step {1}; the limit is {2}.',
    ),
    advice: l10n.t(
      'The running statistics do not follow the batches: raise the weight of the new batch, train longer at a low learning rate, or take the statistics anew before evaluating.',
    ),
  },
  'bn-small-batch': {
    found: l10n.t(
      'It takes its statistics from {0} samples a call since step {1}; below {2} they are mostly noise.',
    ),
    advice: l10n.t(
      'Use a larger batch, SyncBatchNorm over several processes, or GroupNorm. Accumulating gradients does not help.',
    ),
  },
  'bn-batch-of-one': {
    found: l10n.t('It got a batch of a single sample in step {0}.'),
    advice: l10n.t(
      'Drop the last batch where it is incomplete; one such batch is enough to spoil the running statistics.',
    ),
  },
  'bn-eval-while-training': {
    found: l10n.t(
      'It normalizes with its running statistics in training steps since step {0}, as in eval mode.',
    ),
    advice: l10n.t(
      'Call model.train() after every evaluation (TensorFlow.js: pass training: true). If the layer is frozen on purpose, turn this rule off.',
    ),
  },
  'bn-axis-mistake': {
    found: l10n.t(
      'It takes axis 1, of length {0}, for the channels of an input whose last axis, of length {1}, looks like the features.',
    ),
    advice: l10n.t(
      'Transpose the last two axes before the layer and back after it: BatchNorm1d wants batch, channels, length.',
    ),
  },
  'padding-in-statistics': {
    found: l10n.t(
      '{0} % of the rows that its statistics are taken from are padding since step {1}; the limit is {2} %.',
    ),
    advice: l10n.t(
      'Leave padding out before the layer, put sequences of similar length into a batch, or use LayerNorm, which treats each row alone.',
    ),
  },
  'rank-spread': {
    found: l10n.t(
      'Its input means on two ranks are {0} standard deviations apart since step {1}; the limit is {2}.',
    ),
    advice: l10n.t(
      'Shuffle the data before it is split over the processes, or use SyncBatchNorm; otherwise the running statistics of each rank are of its own data.',
    ),
  },
});

const numerics = () => ({
  'eps-dominated': {
    found: l10n.t(
      '{0} % of the variances that it divides by are below ε since step {1}; the limit is {2} %.',
    ),
    advice: l10n.t(
      'The layer scales these values up instead of normalizing them: lower ε, or find out why its input is so small.',
    ),
  },
  headroom: {
    found: l10n.t(
      'The largest value of its {0} is {1} % of the largest that the dtype holds since step {2}.',
    ),
    advice: l10n.t(
      'Use bfloat16 or float32 here, or scale the values down before they become infinite.',
    ),
  },
  'fast-variance-cancellation': {
    found: l10n.t(
      'A mean of the input is {0} standard deviations away from zero since step {1}; from {2} on a variance that is computed as E[x²] − E[x]² is wrong in float32.',
    ),
    advice: l10n.t(
      'Subtract the mean before squaring (use_fast_variance=False in Flax), or take the offset out of the input.',
    ),
  },
});
