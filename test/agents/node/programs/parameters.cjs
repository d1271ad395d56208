// Layers with parameters under several names, trained by plain gradient descent.
const tf = require('@tensorflow/tfjs');

class Scaled extends tf.layers.Layer {
  static className = 'ScaledRMSNorm';
  build(shape) {
    const [features] = shape.slice(-1);
    this.factor = this.addWeight(
      'gain',
      [features],
      'float32',
      tf.initializers.constant({ value: 2 }),
    );
    this.built = true;
  }
  call(inputs) {
    const x = Array.isArray(inputs) ? inputs[0] : inputs;
    return tf.tidy(() =>
      x.mul(tf.rsqrt(x.square().mean(-1, true).add(1e-6))).mul(this.factor.read()),
    );
  }
}

/** Its gain is a variable itself. */
class Own extends tf.layers.Layer {
  static className = 'OwnNorm';
  constructor(config) {
    super(config);
    this.gamma = tf.variable(tf.tensor1d([1, 2, 3]));
  }
  call(inputs) {
    return tf.tidy(() => (Array.isArray(inputs) ? inputs[0] : inputs).mul(this.gamma));
  }
}

const batch = tf.layers.batchNormalization({ name: 'batch', momentum: 0.9 });
const norm = tf.layers.layerNormalization({ name: 'layer' });
const scaled = new Scaled({ name: 'scaled' });
const own = new Own({ name: 'own' });
const optimizer = tf.train.sgd(0.1);
const x = tf.tensor2d([1, 2, 4, 3, 5, 9, -2, 0, 1, 4, 4, 4], [4, 3]);
const weights = tf.tensor2d([1, 0, 2, -1, 1, 0, 3, 1, 1, 0, 2, -2], [4, 3]);
const offset = tf.variable(tf.zeros([4, 3]), true, 'offset');
const told = [];
const read = () =>
  [batch.gamma, batch.beta, batch.movingMean, batch.movingVariance, norm.gamma, scaled.factor]
    .map((weight) => [...weight.read().dataSync()])
    .concat([[...own.gamma.dataSync()]]);

for (let step = 0; step < 3; step += 1) {
  const forward = () => {
    const y = norm.apply(batch.apply(x.add(offset), { training: true }));
    return own.apply(scaled.apply(y)).mul(weights).sum();
  };
  if (step === 0) tf.tidy(() => void forward());
  const before = read();
  const { value, grads } = tf.variableGrads(forward);
  const gradients = Object.fromEntries(
    Object.entries(grads).map(([name, gradient]) => [name, [...gradient.dataSync()]]),
  );
  const names = [batch.gamma, batch.beta, norm.gamma, scaled.factor].map(
    (weight) => weight.val.name,
  );
  optimizer.applyGradients(grads);
  tf.dispose([value, grads]);
  told.push({ before, after: read(), gradients, names: [...names, own.gamma.name] });
}
console.log(JSON.stringify(told));
