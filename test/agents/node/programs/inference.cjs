// Norm layers, but no optimizer.
const tf = require('@tensorflow/tfjs');

const layer = tf.layers.layerNormalization({ name: 'norm' });
layer.apply(tf.ones([2, 3])).print();
