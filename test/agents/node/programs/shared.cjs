// One layer in several places of a model. argv: number of places.
const tf = require('@tensorflow/tfjs');

const places = Number(process.argv[2]);
const norm = tf.layers.layerNormalization({ name: 'norm' });
const input = tf.input({ shape: [4] });
let x = tf.layers
  .dense({ units: 4, kernelInitializer: tf.initializers.glorotNormal({ seed: 1 }) })
  .apply(input);
for (let place = 0; place < places; place += 1) {
  x = norm.apply(x);
  x = tf.layers.activation({ activation: place % 2 === 0 ? 'relu' : 'tanh' }).apply(x);
}
const model = tf.model({ inputs: input, outputs: x });
const last = tf.layers.layerNormalization({ name: 'last' });
const xs = tf.randomNormal([6, 4], 0, 1, 'float32', 3);
const optimizer = tf.train.sgd(0.01);
for (let step = 0; step < 3; step += 1) {
  optimizer.minimize(() =>
    last
      .apply(model.apply(xs, { training: true }))
      .square()
      .sum(),
  );
}
