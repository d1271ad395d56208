import builtins
import json
import os

import normscope


def target():
    return 7  # in target


value = normscope.call(target)  # call
print("value", value)
seen = {name: text for name, text in os.environ.items() if name.startswith("NORMSCOPE_")}
seen["PYTHONPATH"] = os.environ.get("PYTHONPATH")
seen["sitecustomize"] = getattr(builtins, "normscope_sitecustomize", False)
print("environment " + json.dumps(seen))
