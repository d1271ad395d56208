import builtins
import sys
import time

import debugpy

host, port = debugpy.listen(("127.0.0.1", 0))
print(f"port {port}", flush=True)
debugpy.wait_for_client()
while not hasattr(builtins, "normscope_received") and "--once" not in sys.argv:
    time.sleep(0.01)
value = 41
value += 1  # attached
print("injected", getattr(builtins, "normscope_received", None), flush=True)
