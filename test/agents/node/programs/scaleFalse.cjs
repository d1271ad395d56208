// Training a batch normalization without scale fails in TensorFlow.js itself.
const tf = require('@tensorflow/tfjs');

const layer = tf.layers.batchNormalization({ scale: false, name: 'norm' });
const scale = tf.variable(tf.ones([3]));
const optimizer = tf.train.sgd(0.1);
try {
  optimizer.minimize(() => layer.apply(tf.ones([4, 3]).mul(scale), { training: true }).sum());
  console.log('no error');
} catch (error) {
  console.log(`${error.constructor.name}: ${error.message}`);
}
const other = tf.layers.layerNormalization({ name: 'other' });
optimizer.minimize(() => other.apply(tf.ones([4, 3]).mul(scale)).sum());
