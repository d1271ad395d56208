// A model that was saved and is loaded again, trained within tf.tidy.
const tf = require('@tensorflow/tfjs');

async function main() {
  const made = tf.sequential();
  made.add(
    tf.layers.dense({
      units: 5,
      inputShape: [3],
      kernelInitializer: tf.initializers.glorotNormal({ seed: 1 }),
    }),
  );
  made.add(tf.layers.batchNormalization({ name: 'bn' }));
  made.add(tf.layers.layerNormalization({ name: 'ln' }));
  let saved;
  await made.save(
    tf.io.withSaveHandler(async (artifacts) => {
      saved = artifacts;
      return { modelArtifactsInfo: { dateSaved: new Date(), modelTopologyType: 'JSON' } };
    }),
  );
  made.dispose();
  const model = await tf.loadLayersModel(tf.io.fromMemory(saved));
  const x = tf.randomNormal([8, 3], 0, 1, 'float32', 4);
  const optimizer = tf.train.adam(0.01);
  const counts = [];
  for (let step = 0; step < 4; step += 1) {
    tf.tidy(() => {
      optimizer.minimize(() => model.apply(x, { training: true }).square().mean());
    });
    counts.push(tf.memory().numTensors);
  }
  console.log(JSON.stringify(counts));
}

main();
