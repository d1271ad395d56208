// Runs single norm layers with given inputs and gradients; argv: the folder whose
// @tensorflow/tfjs is used, and a JSON file of jobs.
const fs = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');

const [, , folder, file] = process.argv;
const tf = createRequire(path.join(folder, 'package.json'))('@tensorflow/tfjs');

function build({ kind, eps, gamma, beta, runningMean, runningVariance }, shape, index) {
  // Without gain it throws in TensorFlow.js; a gain of 1 is the same.
  const config = { axis: -1, epsilon: eps, name: `norm${index}` };
  const layer =
    kind === 'batch_norm'
      ? tf.layers.batchNormalization(config)
      : tf.layers.layerNormalization(config);
  layer.build(shape);
  const vectors = [gamma, beta, runningMean, runningVariance];
  layer.setWeights(
    layer.getWeights().map((weight, at) => {
      const vector = vectors[at];
      return vector ? tf.tensor(vector, weight.shape) : weight;
    }),
  );
  return layer;
}

/** The tensor with its features along the last axis, as TensorFlow.js has them. */
function place(values, { shape, featureAxis }) {
  const tensor = tf.tensor(values.map(Number), shape);
  if (featureAxis === shape.length - 1) return tensor;
  const axes = shape.map((_, axis) => axis).filter((axis) => axis !== featureAxis);
  return tensor.transpose([...axes, featureAxis]);
}

const jobs = JSON.parse(fs.readFileSync(file, 'utf8'));
jobs.forEach((job, index) => {
  const optimizer = tf.train.sgd(0);
  const scale = tf.variable(tf.scalar(1));
  let layer;
  for (const batches of job.steps) {
    let gradients = {};
    for (const batch of batches) {
      const [x, g] = [place(batch.x, batch), place(batch.g, batch)];
      layer ??= build(job.layer, [null, ...x.shape.slice(1)], index);
      const { grads } = optimizer.computeGradients(() =>
        layer.apply(x.mul(scale), { training: true }).mul(g).sum(),
      );
      gradients = grads;
    }
    optimizer.applyGradients(gradients);
  }
});
