// Sequences of different lengths: zeros by a mask, and rows that are all zero without one.
const tf = require('@tensorflow/tfjs');

const tokens = tf.tensor2d([3, 1, 4, 0, 0, 2, 6, 0, 0, 0], [2, 5], 'int32');
const model = tf.sequential();
model.add(
  tf.layers.embedding({
    inputDim: 8,
    outputDim: 3,
    inputLength: 5,
    maskZero: true,
    embeddingsInitializer: tf.initializers.randomNormal({ seed: 5 }),
  }),
);
model.add(tf.layers.layerNormalization({ name: 'masked' }));
const plain = tf.layers.layerNormalization({ name: 'plain' });
const batch = tf.layers.batchNormalization({ name: 'batch' });
const rows = tf.tensor2d([1, 2, 3, 0, 0, 0, 4, 5, 7, 0, 0, 0], [4, 3]);
const scale = tf.variable(tf.ones([3]));
const optimizer = tf.train.sgd(0.01);
for (let step = 0; step < 2; step += 1) {
  optimizer.minimize(() => {
    const masked = model.apply(tokens, { training: true });
    const mask = tf.tensor1d([1, 0, 1, 0]).toBool();
    const options = { training: true, mask };
    return masked
      .square()
      .sum()
      .add(plain.apply(rows.mul(scale)).square().sum())
      .add(batch.apply(rows.mul(scale), options).square().sum());
  });
}
