// The whole of TensorFlow.js in one file, as a bundler makes it, under a name of its own.
const tf = require('./vendor.cjs');

const layer = tf.layers.layerNormalization({ name: 'vendored' });
const scale = tf.variable(tf.ones([3]));
const optimizer = tf.train.sgd(0.1);
for (let i = 0; i < 2; i += 1) {
  optimizer.minimize(() =>
    layer
      .apply(tf.tensor2d([[1, 2, 4]]).mul(scale))
      .square()
      .sum(),
  );
}
