// A functional model with both layers and a residual connection, trained in a given way.
// argv: fit | trainOnBatch | minimize | synchronous; then the number of steps.
const tf = require('@tensorflow/tfjs');

const [way, stepText] = process.argv.slice(2);
const steps = Number(stepText);
const seeded = (seed) => tf.initializers.glorotNormal({ seed });

function makeModel() {
  const input = tf.input({ shape: [6] });
  const dense = (units, seed) => tf.layers.dense({ units, kernelInitializer: seeded(seed) });
  let x = dense(16, 1).apply(input);
  x = tf.layers.batchNormalization({ name: 'batch' }).apply(x); // LINE batch
  x = tf.layers.activation({ activation: 'relu' }).apply(x);
  const norm = tf.layers.layerNormalization({ name: 'layer' }); // LINE layer made
  const branch = dense(16, 2).apply(norm.apply(x)); // LINE layer called
  x = tf.layers.add().apply([x, branch]);
  return tf.model({ inputs: input, outputs: dense(1, 3).apply(x) });
}

// An odd number of samples: the last batch of an epoch is smaller.
const samples = 40;
const xs = tf.tensor2d(
  Array.from({ length: samples * 6 }, (_, i) => Math.sin(i * 1.7) + 0.3 * Math.cos(i * i)),
  [samples, 6],
);
const ys = tf.tensor2d(
  Array.from({ length: samples }, (_, i) => Math.cos(i * 0.9)),
  [samples, 1],
);
const model = makeModel();
const losses = [];
const tensors = [];
const count = () => tensors.push(tf.memory().numTensors);

function minimize(optimizer) {
  const cost = optimizer.minimize(
    () => tf.losses.meanSquaredError(ys, model.apply(xs, { training: true })),
    true,
  );
  losses.push(cost.dataSync()[0]);
  cost.dispose();
  count();
}

async function main() {
  const optimizer = tf.train.adam(0.01);
  if (way === 'fit') {
    model.compile({ optimizer, loss: 'meanSquaredError' });
    await model.fit(xs, ys, {
      batchSize: 16,
      epochs: steps / 3,
      shuffle: false,
      verbose: 0,
      validationSplit: 0,
      validationData: [xs, ys],
      callbacks: { onBatchEnd: (_, { loss }) => void losses.push(loss), onEpochEnd: count },
    });
  } else if (way === 'trainOnBatch') {
    model.compile({ optimizer, loss: 'meanSquaredError' });
    for (let i = 0; i < steps; i += 1) {
      losses.push(await model.trainOnBatch(xs, ys));
      model.predict(xs).dispose();
      count();
    }
  } else {
    for (let i = 0; i < steps; i += 1) {
      minimize(optimizer);
      if (way === 'minimize') await tf.nextFrame();
    }
  }
  const weights = model.getWeights().map((weight) => {
    const { buffer, byteOffset, byteLength } = weight.dataSync();
    return [...new Uint8Array(buffer, byteOffset, byteLength)];
  });
  console.log(JSON.stringify({ losses, tensors, weights }));
}

main();
