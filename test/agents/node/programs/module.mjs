import * as tf from '@tensorflow/tfjs';
import { layers, train } from '@tensorflow/tfjs';

const layer = layers.layerNormalization({ name: 'esm' }); // LINE made
const scale = tf.variable(tf.ones([4]));
const optimizer = train.sgd(0.1);

function loss(step) {
  const x = tf.randomNormal([5, 4], 0, 1, 'float32', step).mul(scale);
  const y = layer.apply(x); // LINE called
  return y.square().sum();
}

for (let step = 0; step < 3; step += 1) {
  optimizer.minimize(() => loss(step));
  await tf.nextFrame();
}
