// Layers and an optimizer of the user's own.
const tf = require('@tensorflow/tfjs');

class RMSNorm extends tf.layers.Layer {
  static className = 'RMSNorm';
  build(shape) {
    this.gain = this.addWeight(
      'gain',
      [shape[shape.length - 1]],
      'float32',
      tf.initializers.ones(),
    );
    this.built = true;
  }
  computeOutputShape(shape) {
    return shape;
  }
  call(inputs) {
    const x = Array.isArray(inputs) ? inputs[0] : inputs;
    return tf.tidy(() =>
      x.mul(tf.rsqrt(x.square().mean(-1, true).add(1e-6))).mul(this.gain.read()),
    );
  }
}

class Quiet extends tf.layers.layerNormalization({}).constructor {
  static className = 'Quiet';
  call(inputs, options) {
    return super.call(inputs, options);
  }
}

/** Its name promises a norm, its calls do not keep it. */
class PairNorm extends tf.layers.Layer {
  computeOutputShape(shape) {
    return shape[0];
  }
  call(inputs) {
    return tf.tidy(() => inputs[0].sub(inputs[1]));
  }
}

class Whitening extends tf.layers.Layer {
  call(inputs) {
    return tf.tidy(() => (Array.isArray(inputs) ? inputs[0] : inputs).mul(0.5));
  }
}

class SignDescent extends tf.Optimizer {
  applyGradients(gradients) {
    const list = Array.isArray(gradients)
      ? gradients
      : Object.entries(gradients).map(([name, tensor]) => ({ name, tensor }));
    for (const { name, tensor } of list) {
      const variable = tf.engine().registeredVariables[name];
      tf.tidy(() => variable.assign(variable.sub(tensor.sign().mul(0.01))));
    }
  }
}

const rms = new RMSNorm({ name: 'rms' });
const quiet = new Quiet({ name: 'quiet' });
const pair = new PairNorm({ name: 'pair' });
const whitening = new Whitening({ name: 'whitening' });
const optimizer = new SignDescent();
const scale = tf.variable(tf.ones([4]));
const x = tf.randomNormal([6, 4], 1, 2, 'float32', 5);
for (let step = 0; step < 4; step += 1) {
  optimizer.minimize(() => {
    const a = rms.apply(x.mul(scale));
    const b = quiet.apply(quiet.apply(a));
    return whitening
      .apply(pair.apply([a, b]))
      .square()
      .sum();
  });
}
