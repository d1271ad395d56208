// Training without any norm layer. argv: number of steps.
const tf = require('@tensorflow/tfjs');

const weight = tf.variable(tf.scalar(3));
const optimizer = tf.train.sgd(0.1);
for (let i = 0; i < Number(process.argv[2]); i += 1) optimizer.minimize(() => weight.square());
