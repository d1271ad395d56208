import type { Tap } from '../../protocol/layers';
import type { Capture } from './capture';
import { tapGradients, type CallNodes } from './gradientTaps';
import type { Guard } from './guard';
import type { LayerRecord } from './layerRecord';
import { usesOf, type Pass } from './passes';
import type { CallShape } from './stepRecorder';
import type { TensorLike } from './tfjs';

/** One call of a norm layer that has just returned. */
export interface NormCall extends CallShape {
  readonly input: TensorLike;
  readonly output: TensorLike;
  readonly nodes: CallNodes;
  /** Finds where the call's statistics go. */
  readonly record: () => LayerRecord | undefined;
}

/** Reads a call's input and output, and listens to the gradients at both. */
export function captureCall(capture: Capture, guard: Guard, pass: Pass, call: NormCall): void {
  const step = capture.current;
  const shape: CallShape = { map: call.map, padding: call.padding };
  const add = (tap: Tap, values: ArrayLike<number>) => {
    const record = call.record();
    if (!record) return;
    step.add(record, tap, values, shape);
    capture.lookAt(record, tap, values, call.map);
  };
  add('pre', call.input.dataSync());
  add('post', call.output.dataSync());
  const finish = tapGradients(call.nodes, call.input, call.output, {
    active: () => capture.passes.current === pass && capture.current === step,
    usesOf: (tensor) => usesOf(pass, tensor),
    onOutput: (gradient) => add('gradPost', gradient.dataSync()),
    onInput: (gradient) => add('gradPre', gradient),
    guarded: (body) => void guard.run('reading a gradient', () => step.timed(body)),
  });
  pass.endings.push(finish);
}
