"""Becomes debugpy's adapter of the Python that the tests use."""

import os

python = os.environ["NORMSCOPE_TEST_PYTHON"]
os.execv(python, [python, "-m", "debugpy.adapter"])
