"""Run by ``site`` at interpreter start: starts NormScope, then the user's own sitecustomize.

Must parse, and do no harm, on every Python from 2.7 on: a debuggee's children inherit PYTHONPATH
and may be any Python. The agent itself acts from 3.9 on.
"""

import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


def _start_agent():
    if sys.version_info < (3, 9):
        return
    if not (os.environ.get("NORMSCOPE_ADDRESS") and os.environ.get("NORMSCOPE_TOKEN")):
        return
    try:
        from normscope.bootstrap import start_from_environment

        start_from_environment()
    except Exception:
        # Whatever fails here must not keep the user's program from starting.
        pass


def _elsewhere():
    """sys.path without this folder."""
    kept = []
    for entry in sys.path:
        try:
            same = os.path.abspath(entry or os.curdir) == _HERE
        except Exception:
            same = False
        if not same:
            kept.append(entry)
    return kept


def _run_users_own_python2():
    import imp

    try:
        found = imp.find_module("sitecustomize", _elsewhere())
    except ImportError:
        return
    try:
        imp.load_module("sitecustomize", *found)
    finally:
        if found[0]:
            found[0].close()


def _run_users_own():
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    spec = PathFinder.find_spec("sitecustomize", _elsewhere())
    if spec is None or spec.loader is None:
        return
    module = module_from_spec(spec)
    # The import system re-reads this entry, so the program's `import sitecustomize` gets its own.
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


_start_agent()
if sys.version_info < (3,):
    _run_users_own_python2()
else:
    _run_users_own()
