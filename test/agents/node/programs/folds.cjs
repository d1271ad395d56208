// Models with layers of the same names, one after another, each trained for some updates.
// argv: dispose | collect | keep: what becomes of a model; then folds, layers of each, updates of each.
const tf = require('@tensorflow/tfjs');

const v8 = require('node:v8');
const vm = require('node:vm');

const [fate, ...numbers] = process.argv.slice(2);
const [folds, layers, updates] = numbers.map(Number);
v8.setFlagsFromString('--expose-gc');
// Otherwise TensorFlow.js keeps a hundred models alive.
tf.env().set('TOPOLOGICAL_SORT_CACHE_MAX_ENTRIES', 1);
const collectGarbage = vm.runInNewContext('gc');
const kept = [];

function fold(index) {
  const model = tf.sequential();
  for (let i = 0; i < layers; i += 1) {
    const inputShape = i === 0 ? { inputShape: [2] } : {};
    model.add(tf.layers.layerNormalization({ name: `norm${i}`, ...inputShape }));
  }
  const x = tf.tensor2d([index + 1, 1, 0, 2 * index], [2, 2]);
  const optimizer = tf.train.sgd(0);
  for (let i = 0; i < updates; i += 1) {
    optimizer.minimize(() => model.apply(x, { training: true }).square().sum());
  }
  if (fate === 'dispose') model.dispose();
  if (fate === 'keep') kept.push(model);
}

async function main() {
  for (let index = 0; index < folds; index += 1) {
    fold(index);
    await tf.nextFrame();
    if (fate === 'collect') collectGarbage();
  }
}

main();
