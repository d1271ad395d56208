import type { RuleId } from '../../protocol/alerts';
import { axisMistake } from './axisMistake';
import { batchOfOne, evalWhileTraining, isWarmingUp, smallBatch, trainEvalGap } from './batchNorm';
import {
  fastVarianceCancellation,
  largestOffset,
  largestRowOffset,
  mayCancel,
} from './cancellation';
import { deadFeature } from './deadFeature';
import { drift } from './drift';
import { countBelow, countBinsBelow, epsDominated, type BelowEps } from './epsDominated';
import { exploding } from './exploding';
import type { Finding } from './finding';
import { gainCollapse } from './gainCollapse';
import { headroom } from './headroom';
import type { LayerFacts } from './layerFacts';
import { paddingInStatistics } from './padding';
import { saturated } from './saturated';

/** Takes from a layer's newest step what a rule is about, and asks the rule. */
type LayerRule = (facts: LayerFacts) => Finding | undefined;

const explodingOf: LayerRule = (facts) => {
  const { memory, context, gradientTap } = facts;
  return exploding(
    memory.usualInput.add(facts.rootMeanSquare('pre')),
    memory.usualGradient.add(facts.rootMeanSquare(gradientTap)),
    gradientTap,
    context.limits.exploding,
  );
};

const deadFeatureOf: LayerRule = (facts) => {
  const { info, taps, memory, context } = facts;
  const limit = context.limits['dead-feature'];
  // Of a single value the variance is 0.
  if (!taps.pre || facts.batchSize.values < 2) return undefined;
  memory.constantInputs.add(taps.pre.values('featureVariance'));
  const input = deadFeature('pre', memory.constantInputs, info.features, limit);
  if (!taps.post) return input;
  memory.constantOutputs.add(taps.post.values('featureVariance'), facts.parameter('gamma'));
  return input ?? deadFeature('post', memory.constantOutputs, info.features, limit);
};

function belowEps({ info, taps: { pre } }: LayerFacts, eps: number): BelowEps | undefined {
  switch (info.family) {
    case 'batch':
      return pre && countBelow(pre.values('featureVariance'), eps);
    case 'layer':
      return pre && countBinsBelow(pre.histogram('rowVariance'), eps);
    case 'rms':
      return pre && countBelow(pre.samples('sampleVariance'), eps, pre.samples('sampleMean'));
    case 'group':
    case 'instance':
      return pre && countBelow(pre.samples('sampleVariance'), eps);
    case 'other':
      return undefined;
  }
}

const epsDominatedOf: LayerRule = (facts) => {
  const { eps } = facts.info;
  const sets = eps !== null && eps > 0 ? belowEps(facts, eps) : undefined;
  return sets && epsDominated(sets, facts.context.limits['eps-dominated']);
};

const trainEvalGapOf: LayerRule = (facts) => {
  const { info, memory, context } = facts;
  if (!facts.isBatchNorm || !facts.hasRunning || facts.usesRunning) return undefined;
  if (isWarmingUp(context.step - memory.firstStep, info.momentum)) return undefined;
  const shift = facts.figure('relativeEvalShift');
  return trainEvalGap(shift, facts.batchSize.samples, context.limits['bn-train-eval-gap']);
};

/** Only of a BatchNorm that takes its statistics from the batch. */
const ofBatch =
  (rule: LayerRule): LayerRule =>
  (facts) =>
    facts.isBatchNorm && !facts.usesRunning ? rule(facts) : undefined;

const paddingOf: LayerRule = ({ info, taps: { pre }, context }) => {
  if (!pre) return undefined;
  const rows = pre.count('elements') / info.features;
  const limit = context.limits['padding-in-statistics'];
  return paddingInStatistics(info.family, pre.count('paddingRows'), rows, limit);
};

const gainCollapseOf: LayerRule = (facts) => {
  const { memory, context } = facts;
  memory.gains.add(facts.parameter('gamma'));
  return gainCollapse(memory.gains, context.limits['gain-collapse']);
};

const cancellationOf: LayerRule = ({ info, taps: { pre }, context }) => {
  const limit = context.limits['fast-variance-cancellation'];
  if (!pre || !mayCancel(info.className, context.framework)) return undefined;
  if (info.family === 'layer') {
    return fastVarianceCancellation(largestRowOffset(pre.extremeRows()), 'row', limit);
  }
  // An RMSNorm has no variance; of sets other than features no mean and variance is known.
  if (info.family !== 'batch') return undefined;
  const { mean, variance } = pre.moments;
  return fastVarianceCancellation(largestOffset(mean, variance), 'feature', limit);
};

/** Rules that look at one layer alone. */
export const LAYER_RULES: readonly (readonly [RuleId, LayerRule])[] = [
  ['exploding', explodingOf],
  ['dead-feature', deadFeatureOf],
  ['eps-dominated', epsDominatedOf],
  [
    'saturated',
    (facts) =>
      saturated(
        facts.info.family,
        facts.tapFigure('post', 'saturation'),
        facts.context.limits.saturated,
      ),
  ],
  [
    'drift',
    (facts) => drift(facts.drift('drift'), facts.drift('driftFloor'), facts.context.limits.drift),
  ],
  ['bn-train-eval-gap', trainEvalGapOf],
  [
    'bn-small-batch',
    ofBatch(({ batchSize, context }) => smallBatch(batchSize, context.limits['bn-small-batch'])),
  ],
  ['bn-batch-of-one', ofBatch(({ batchSize }) => batchOfOne(batchSize))],
  [
    'bn-eval-while-training',
    ({ isBatchNorm, usesRunning }) => evalWhileTraining(isBatchNorm && usesRunning),
  ],
  ['bn-axis-mistake', ({ info, context }) => axisMistake(info, context.widths)],
  ['padding-in-statistics', paddingOf],
  ['gain-collapse', gainCollapseOf],
  [
    'headroom',
    (facts) =>
      headroom(
        (tap) => facts.tapFigure(tap, 'headroom'),
        facts.context.scaled,
        facts.context.limits.headroom,
      ),
  ],
  ['fast-variance-cancellation', cancellationOf],
];
