// Shows tensors as a debugger would, at the top, and inside of a scope that records gradients.
// argv: number of elements of the large tensor.
const tf = require('@tensorflow/tfjs');

const description = Symbol.for('debug.description');
const textOf = (value) => value[description](2);
const large = Number(process.argv[2]);
const wave = (size) => Float32Array.from({ length: size }, (_, i) => Math.sin(i * 1.7) + 0.5);

const tensors = {
  // An operation's result lies where the backend keeps it; one that was made of values need not.
  matrix: tf.tensor(wave(16 * 8), [16, 8]).add(0),
  made: tf.tensor(wave(16 * 8), [16, 8]),
  broken: tf.tensor([NaN, 1, 2, Infinity, -Infinity, 3, 4, NaN], [8]).add(0),
  dead: tf.tensor(
    Float32Array.from({ length: 64 }, (_, i) => (i % 4 === 1 ? 2 : i)),
    [16, 4],
  ),
  few: tf.tensor([1, -0.5, 1234.5678, 0.00001], [2, 2]),
  scalar: tf.scalar(0.25),
  empty: tf.tensor([], [0, 3]),
  whole: tf.tensor([5, 6, 7, 8, 9, 10, -1], [7], 'int32'),
  flags: tf.tensor([1, 0, 1, 1, 0, 0, 1], [7], 'bool'),
  flag: tf.scalar(true),
  words: tf.tensor(['a', 'b']),
  complex: tf.complex([3, 0, 0], [4, 0, -2]),
  magnitudes: tf.complex([3, 0, 0, 0, 6, 0, 0], [4, 0, -2, 0, 8, 0, 0]),
  variable: tf.variable(tf.tensor(wave(16 * 8), [16, 8])),
  constant: tf.fill([10], 3),
  large: tf.tensor(wave(large), [large / 8, 8]).add(0),
  largeMade: tf.tensor(wave(large), [large / 8, 8]),
  largeWhole: tf.range(0, large, 1, 'int32').add(tf.scalar(0, 'int32')),
};
const disposed = tf.zeros([2, 3]);
disposed.dispose();
tensors.disposed = disposed;
tensors.prototype = tf.Tensor.prototype;

function texts() {
  const before = { ...tf.memory() };
  const shown = Object.fromEntries(Object.entries(tensors).map(([k, t]) => [k, textOf(t)]));
  const after = { ...tf.memory() };
  return {
    shown,
    leaked: after.numTensors - before.numTensors,
    bytes: after.numBytes - before.numBytes,
  };
}

const outside = texts();
let inside;
let taped;
const gradient = tf.grad((x) => {
  const y = x.square();
  const length = tf.engine().state.activeTape.length;
  inside = texts();
  taped = tf.engine().state.activeTape.length - length;
  return y.sum();
})(tf.tensor1d([1, 2, 3]));
const enumerable = Object.keys(tf.Tensor.prototype).includes('debug.description');
console.log(
  JSON.stringify({ outside, inside, taped, enumerable, gradient: [...gradient.dataSync()] }),
);
