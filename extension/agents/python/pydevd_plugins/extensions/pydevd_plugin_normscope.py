# ruff: noqa: UP036
"""Found by debugpy's debugger on PYTHONPATH: how tensors and modules look in its panes.

Must do no harm in any debugger and on any Python: whatever fails here leaves debugpy as it is.
"""

import os
import sys

__all__ = ["TensorRows", "TensorText"]


def _load():
    """The agent's package under its private name; a program may have one called normscope."""
    from importlib import import_module
    from importlib.util import module_from_spec, spec_from_file_location

    name = "_normscope_agent"
    if name not in sys.modules:
        root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        folder = os.path.join(root, "normscope")
        file = os.path.join(folder, "__init__.py")
        spec = spec_from_file_location(name, file, submodule_search_locations=[folder])
        package = module_from_spec(spec)
        sys.modules[name] = package
        spec.loader.exec_module(package)
    import_module(name + ".tensors.inline")
    import_module(name + ".tensors.evaluates")
    import_module(name + ".tensors.debugger_limits").limit_debugger()
    return import_module(name + ".tensors.presentation")


def _go_first():
    """Before debugpy's own plug-ins, which would show numpy's arrays in their way."""
    from _pydevd_bundle.pydevd_extension_utils import EXTENSION_MANAGER_INSTANCE

    loaded = EXTENSION_MANAGER_INSTANCE.loaded_extensions
    if isinstance(loaded, list):
        loaded.insert(0, sys.modules[__name__])


try:
    if sys.version_info >= (3, 9):
        from _pydevd_bundle.pydevd_extension_api import StrPresentationProvider, TypeResolveProvider

        _presentation = _load()
        TensorRows, TensorText = _presentation.TensorRows, _presentation.TensorText
        TypeResolveProvider.register(TensorRows)
        StrPresentationProvider.register(TensorText)
        _go_first()
except Exception:
    __all__ = []
