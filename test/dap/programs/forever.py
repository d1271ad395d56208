import os
import time

print(f"pid {os.getpid()}", flush=True)
counter = 0
while True:
    counter += 1  # spin
    time.sleep(0.02)
