"""Stops with arrays of TensorFlow or JAX, as the first argument says, in a frame."""

import sys


def tensorflow():
    import tensorflow as tf

    x = tf.reshape(tf.range(24, dtype=tf.float32), (2, 3, 4)) / 24
    variable = tf.Variable([[1.0, float("nan")], [3.0, 4.0]])
    half = tf.cast(x, tf.bfloat16)
    flags = tf.constant([True, False, True])
    words = tf.constant(["a", "b"])
    empty = tf.zeros((0, 3))
    big = tf.zeros((1000, 1000, 10))
    nested = {"x": x, "list": [variable]}
    print("all there", len(nested), half, flags, words, empty, big.shape)  # tensorflow here


def jax():
    import jax
    import jax.numpy as jnp

    x = jnp.arange(24, dtype=jnp.float32).reshape(2, 3, 4) / 24
    half = x.astype(jnp.bfloat16)
    flags = jnp.array([True, False, True])
    broken = jnp.array([1.0, jnp.nan, jnp.inf])
    empty = jnp.zeros((0, 3))
    big = jnp.zeros((1000, 1000, 10))
    gone = jnp.ones(3)
    gone.delete()

    def traced(t):
        return t * 2  # while tracing

    jax.jit(traced)(x)
    print("all there", half, flags, broken, empty, big.shape)  # jax here


{"tensorflow": tensorflow, "jax": jax}[sys.argv[1]]()
