import sys
import time

while "normscope" not in sys.modules:
    time.sleep(0.01)
print("injected", sys.modules["normscope"].received, flush=True)
