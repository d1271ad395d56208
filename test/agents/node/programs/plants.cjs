// Trains two layer normalizations, the second of which gets values that are not finite at one step.
// argv: where (forward | backward | fit | never), the step, the number of steps.
const tf = require('@tensorflow/tfjs');

const [where, stepText, stepsText] = process.argv.slice(2);
const planted = Number(stepText);
const steps = Number(stepsText);
const SHAPE = [4, 6];

const values = (size, scale) => Float32Array.from({ length: size }, (_, i) => Math.sin(i * scale));
const x = tf.tensor(values(24, 1.7), SHAPE);
const target = tf.tensor(values(24, 0.9), SHAPE);
const first = tf.layers.layerNormalization({ name: 'first' });
const second = tf.layers.layerNormalization({ name: 'second' });
for (const layer of [first, second]) layer.build(SHAPE);

// NaN at sample 2, feature 5, and infinite at sample 3, feature 0.
const poison = tf.tensor(
  Float32Array.from({ length: 24 }, (_, i) => (i === 17 ? NaN : i === 18 ? Infinity : 0)),
  SHAPE,
);
const poisoned = tf.customGrad((y) => ({ value: y.clone(), gradFunc: (dy) => dy.add(poison) }));

function costOf(step) {
  let hidden = first.apply(x);
  if (where === 'forward' && step === planted) hidden = hidden.add(poison);
  let output = second.apply(hidden); // LINE second called
  if (where === 'backward' && step === planted) output = poisoned(output); // LINE behind
  return tf.losses.meanSquaredError(target, output);
}

function train(optimizer) {
  const costs = [];
  for (let step = 0; step < steps; step += 1) {
    const cost = optimizer.minimize(() => costOf(step), true); // LINE minimized
    costs.push(cost.dataSync()[0]); // LINE behind minimize
    cost.dispose();
  }
  return costs;
}

async function fit() {
  const model = tf.sequential({ layers: [tf.layers.layerNormalization({ inputShape: [6] })] });
  model.compile({ optimizer: tf.train.sgd(0.01), loss: 'meanSquaredError' });
  const history = await model.fit(x.add(poison), target, { epochs: steps, verbose: 0 });
  return history.history.loss;
}

async function main() {
  const costs = where === 'fit' ? await fit() : train(tf.train.sgd(0.01));
  const weights = [...first.getWeights(), ...second.getWeights()].map((weight) => {
    const { buffer, byteOffset, byteLength } = weight.dataSync();
    return [...new Uint8Array(buffer, byteOffset, byteLength)];
  });
  console.log(JSON.stringify({ costs: costs.map(String), weights }));
}

main();
