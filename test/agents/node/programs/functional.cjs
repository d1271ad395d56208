// Batch normalization by the function, outside of any layer.
const tf = require('@tensorflow/tfjs');

const gain = tf.variable(tf.tensor1d([1, 2, 3]), true, 'gain');
const other = tf.variable(tf.tensor1d([4, 5, 6]), true, 'other');
const bias = tf.variable(tf.tensor1d([0, 0, 1]), true, 'bias');
const scale = tf.variable(tf.ones([3]), true, 'scale');
const x = tf.tensor2d([1, 2, 4, 3, 5, 9, -2, 0, 1, 4, 4, 4], [4, 3]);
const weights = tf.tensor2d([1, 0, 2, -1, 1, 0, 3, 1, 1, 0, 2, -2], [4, 3]);

function helper(input, gamma) {
  const { mean, variance } = tf.moments(input, 0);
  return tf.batchNorm(input, mean, variance, bias, gamma, 0.01); // LINE helper
}

class Block extends tf.layers.Layer {
  static className = 'Block';
  call(inputs) {
    const input = Array.isArray(inputs) ? inputs[0] : inputs;
    const mean = tf.zeros([3]);
    return tf.batchNorm3d(input, mean, tf.ones([3]), tf.zeros([3]), tf.ones([3])); // LINE block
  }
}

const block = new Block({ name: 'block' });
const norm = tf.layers.batchNormalization({ name: 'norm' });
const optimizer = tf.train.sgd(0.1);
helper(x, gain);
for (let step = 0; step < 2; step += 1) {
  optimizer.minimize(() => {
    const once = helper(x.mul(scale), gain);
    const twice = helper(once.mul(2), other);
    const third = block.apply(twice.reshape([2, 2, 3]));
    return norm
      .apply(third.reshape([4, 3]), { training: true })
      .mul(weights)
      .sum();
  });
}
