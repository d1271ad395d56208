import type { AgentQuestion } from '../../protocol/frames';
import { layerId } from '../../protocol/ids';
import { TAPS } from '../../protocol/layers';
import type { Fields } from './fields';

/** Most samples and features that are named. */
const MAX_NAMED = 16;

/** @throws MalformedBlob when a field is missing or out of bounds. */
export function parseQuestion(fields: Fields): AgentQuestion {
  const common = {
    kind: 'question',
    question: fields.count('question'),
    step: fields.count('step'),
  } as const;
  if (fields.choice('about', ['step', 'nonfinite'], 'step') === 'step') {
    return { ...common, about: 'step' };
  }
  return {
    ...common,
    about: 'nonfinite',
    layer: layerId(fields.count('layer')),
    name: fields.text('name'),
    tap: fields.choice('tap', TAPS, 'pre'),
    nan: fields.count('nan'),
    positiveInfinity: fields.count('positiveInfinity'),
    negativeInfinity: fields.count('negativeInfinity'),
    elements: fields.count('elements'),
    samples: fields.counts('samples', MAX_NAMED),
    features: fields.counts('features', MAX_NAMED),
  };
}
