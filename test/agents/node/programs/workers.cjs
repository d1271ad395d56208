// Workers inherit the agent, which must leave them alone.
const { Worker, isMainThread } = require('node:worker_threads');

if (isMainThread) {
  const worker = new Worker(process.argv[1]);
  worker.on('message', (text) => console.log(text));
  worker.on('error', (error) => console.log(`failed: ${error.message}`));
} else {
  const tf = require('@tensorflow/tfjs');
  const layer = tf.layers.layerNormalization({});
  const scale = tf.variable(tf.ones([3]));
  const cost = tf.train
    .sgd(0.1)
    .minimize(() => layer.apply(tf.ones([2, 3]).mul(scale)).sum(), true);
  require('node:worker_threads').parentPort.postMessage(`cost ${cost.dataSync()[0]}`);
}
