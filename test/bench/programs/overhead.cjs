// Trains in rounds that the benchmark asks for: a line {"steps": n} each; answers with times.
// The agent is switched on and off from outside. Two further steps come first, not timed.
const tf = require('@tensorflow/tfjs-node');
const readline = require('node:readline');
const { performance } = require('node:perf_hooks');

const UNTIMED = 2;
const [width, batch] = [256, 256];

const model = tf.sequential({
  layers: [
    tf.layers.dense({ units: 2 * width, inputShape: [width], activation: 'relu' }),
    tf.layers.batchNormalization(),
    tf.layers.dense({ units: 2 * width, activation: 'relu' }),
    tf.layers.layerNormalization(),
    tf.layers.dense({ units: 2 * width, activation: 'relu' }),
    tf.layers.batchNormalization(),
    tf.layers.dense({ units: 10, activation: 'softmax' }),
  ],
});
model.compile({ optimizer: tf.train.adam(1e-3), loss: 'categoricalCrossentropy' });
const x = tf.randomNormal([batch, width], 0, 1, 'float32', 1);
const y = tf.oneHot(tf.randomUniform([batch], 0, 10, 'int32', 2), 10);

async function train() {
  const began = performance.now();
  await model.trainOnBatch(x, y);
  return (performance.now() - began) / 1000;
}

async function main() {
  console.log(JSON.stringify({ tfjs: tf.version.tfjs }));
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const { steps } = JSON.parse(line);
    const seconds = [];
    for (let step = 0; step < UNTIMED + steps; step += 1) seconds.push(await train());
    console.log(JSON.stringify({ seconds: seconds.slice(UNTIMED) }));
  }
}

main();
