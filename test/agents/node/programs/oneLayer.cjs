// One norm layer with given input, parameters and loss, so that a test knows every gradient.
// argv: JSON, or @ and a file with it: {kind, shape, axis, epsilon, gamma, beta, steps: [[{x, w}, …micro-batches], …]}
const tf = require('@tensorflow/tfjs');

const fs = require('node:fs');

const [, , text] = process.argv;
const config = JSON.parse(text.startsWith('@') ? fs.readFileSync(text.slice(1), 'utf8') : text);
// JSON has no NaN and no infinities.
const numbers = (values) =>
  values.map((value) => (typeof value === 'string' ? Number(value) : value));
const layer = tf.layers[config.kind]({
  axis: config.axis,
  epsilon: config.epsilon,
  name: 'norm',
});
layer.build(config.shape);
layer.setWeights(
  layer.getWeights().map((weight, index) => {
    const values = [config.gamma, config.beta][index];
    return values ? tf.tensor(values, weight.shape) : weight;
  }),
);
const optimizer = tf.train.sgd(0);
const offset = tf.variable(tf.zeros(config.shape), true, 'offset');

for (const microBatches of config.steps) {
  let gradients = null;
  for (const { x, w, batch } of microBatches) {
    const shape = [batch ?? config.shape[0], ...config.shape.slice(1)];
    const result = optimizer.computeGradients(() => {
      const start = shape.map(() => 0);
      const input = tf.tensor(numbers(x), shape).add(offset.slice(start, shape));
      return layer
        .apply(input, { training: config.training ?? true })
        .mul(tf.tensor(w, shape))
        .sum();
    });
    gradients = result.grads;
  }
  optimizer.applyGradients(gradients);
}
