// Trains without once yielding to the event loop, then leaves at once.
// argv: how to leave (exit | throw | end), number of steps, features, batch size.
const tf = require('@tensorflow/tfjs');

const [how, ...sizes] = process.argv.slice(2);
const [steps, features = 8, batch = 32] = sizes.map(Number);
const layer = tf.layers.batchNormalization({ name: 'norm' });
const x = tf.randomNormal([batch, features], 0, 1, 'float32', 1);
const scale = tf.variable(tf.ones([features]));
const optimizer = tf.train.sgd(0.01);
for (let i = 0; i < steps; i += 1) {
  optimizer.minimize(() => layer.apply(x.mul(scale), { training: true }).square().mean());
}
console.log('trained');
if (how === 'exit') process.exit(3);
if (how === 'throw') throw new Error('the program failed');
