// What is no training pass must not be mixed in: evaluation, saliency maps, gradient penalties.
const tf = require('@tensorflow/tfjs');

const layer = tf.layers.layerNormalization({ name: 'norm' });
const scale = tf.variable(tf.ones([3]));
const x = tf.tensor2d([1, 2, 4, 3, 5, 9], [2, 3]);
const other = tf.tensor2d([100, 200, 400], [1, 3]);
const forward = (input) => layer.apply(input.mul(scale)).square().sum();
const optimizer = tf.train.sgd(0);
forward(other);
optimizer.minimize(() => forward(x));
tf.grad(forward)(other);
forward(other);
optimizer.minimize(() => {
  const penalty = tf.tidy(() => tf.grad(forward)(other).square().sum());
  return forward(x).add(penalty);
});
