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
        _load_agent()
    except Exception:
        # Whatever fails here must not keep the user's program from starting.
        pass


def _load_agent():
    """Under a private name: the program may have a module of its own called normscope."""
    from importlib import import_module
    from importlib.util import module_from_spec, spec_from_file_location

    name, folder = "_normscope_agent", os.path.join(_HERE, "normscope")
    file = os.path.join(folder, "__init__.py")
    spec = spec_from_file_location(name, file, submodule_search_locations=[folder])
    package = module_from_spec(spec)
    sys.modules[name] = package
    spec.loader.exec_module(package)
    import_module(name + ".bootstrap").start_from_environment()


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
