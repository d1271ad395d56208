"""Several evaluates of one frame in one: debugpy sleeps between those that arrive together.

Does what the debugger does for a watch or a hover, with its own parts, so that results can be
expanded. Where these parts are not as expected it raises before anything was evaluated.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from .rows import Figure

_MOST = 64
_MOST_CHARACTERS = 1 << 15


def answer(frame_id: int, context: str, expressions: list[str]) -> Figure:
    """JSON list with a result or an error for each of the expressions.

    :param frame_id: of a frame of this thread, as the client knows it
    :raises Exception: where the debugger has other parts than known here
    """
    constants: Any = sys.modules["_pydevd_bundle.pydevd_constants"]
    variables: Any = sys.modules["_pydevd_bundle.pydevd_vars"]
    database = constants.get_global_debugger()
    manager = database.suspended_frames_manager
    ids = sys.modules["_pydevd_bundle._debug_adapter.pydevd_base_schema"].BaseSchema
    address = ids._translate_id_from_dap(frame_id)
    thread = manager.get_thread_id_for_variable_reference(address)
    frame = database.find_frame(thread, address)
    tracker = manager.get_frame_tracker(thread)
    evaluate, failed = variables.evaluate_expression, variables.ExceptionOnEvaluate
    if frame is None or tracker is None or len(expressions) > _MOST:
        raise LookupError("no such frame")
    answers = []
    for expression in expressions:
        value = evaluate(database, frame, expression, is_exec=False)
        if type(value) is failed:
            error = f"{type(value.result).__name__}: {value.result}"
            answers.append({"error": error[:_MOST_CHARACTERS]})
        else:
            body = _shown(tracker.obtain_as_variable(expression, value, frame=frame), context)
            reference = ids._translate_id_to_dap(body.get("variablesReference", 0))
            answers.append({**body, "variablesReference": reference})
    return Figure(json.dumps(answers))


def _shown(variable: Any, context: str) -> dict[str, Any]:
    try:
        data = variable.get_var_data(context=context)
    except TypeError:
        # Older debuggers know no context.
        data = variable.get_var_data()
    kept = ("variablesReference", "type", "presentationHint")
    body = {name: data[name] for name in kept if name in data}
    return {**body, "result": str(data["value"])[:_MOST_CHARACTERS]}
