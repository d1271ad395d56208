import builtins
import time

while not hasattr(builtins, "normscope_received"):
    time.sleep(0.01)
print("injected", builtins.normscope_received, flush=True)
