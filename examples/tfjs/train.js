// Tells two interleaved spirals apart with a small network that has a batch normalization and a
// layer normalization. Run it with `node train.js`.

const FLAVOURS = ['@tensorflow/tfjs-node-gpu', '@tensorflow/tfjs-node', '@tensorflow/tfjs'];

function loadTensorFlow() {
  for (const name of FLAVOURS) {
    try {
      return { name, tf: require(name) };
    } catch {
      // Not installed, or its native part is missing: try the next one.
    }
  }
  throw new Error('TensorFlow.js is not installed here; run `npm install` in this folder.');
}

const { name, tf } = loadTensorFlow();

// Seeded, so that every run is the same.
function makeRandom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function makeSpirals(points, noise) {
  const random = makeRandom(7);
  const inputs = [];
  const labels = [];
  for (let i = 0; i < points; i += 1) {
    const label = i % 2;
    const turn = Math.sqrt(random()) * 3 * Math.PI;
    const radius = turn / (3 * Math.PI);
    const angle = turn + label * Math.PI;
    inputs.push([
      radius * Math.cos(angle) + noise * (random() - 0.5),
      radius * Math.sin(angle) + noise * (random() - 0.5),
    ]);
    labels.push([label]);
  }
  return { inputs: tf.tensor2d(inputs), labels: tf.tensor2d(labels) };
}

function makeModel() {
  let seed = 1;
  const dense = (units, options) =>
    tf.layers.dense({
      units,
      kernelInitializer: tf.initializers.heNormal({ seed: seed++ }),
      ...options,
    });
  const model = tf.sequential();
  model.add(dense(64, { inputShape: [2], name: 'lift' }));
  model.add(tf.layers.batchNormalization({ name: 'batch_norm' }));
  model.add(tf.layers.activation({ activation: 'relu' }));
  model.add(dense(64, { name: 'hidden' }));
  model.add(tf.layers.layerNormalization({ name: 'layer_norm' }));
  model.add(tf.layers.activation({ activation: 'relu' }));
  model.add(dense(32, { name: 'narrow', activation: 'tanh' }));
  model.add(dense(1, { name: 'decide', activation: 'sigmoid' }));
  return model;
}

async function main() {
  await tf.ready();
  console.log(`Training with ${name}, backend ${tf.getBackend()}`);
  const { inputs, labels } = makeSpirals(1024, 0.08);
  const model = makeModel();
  model.compile({
    optimizer: tf.train.adam(0.003),
    loss: 'binaryCrossentropy',
    metrics: ['accuracy'],
  });
  await model.fit(inputs, labels, {
    batchSize: 64,
    epochs: 40,
    shuffle: false,
    verbose: 0,
    callbacks: {
      onEpochEnd: (epoch, { loss, acc }) => {
        if (epoch % 5 !== 4) return;
        const figures = `loss ${loss.toFixed(4)}  accuracy ${acc.toFixed(3)}`;
        console.log(`epoch ${String(epoch + 1).padStart(3)}  ${figures}`);
      },
    },
  });
}

main();
