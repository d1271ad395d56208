import sys
import time
import types

import debugpy
import torch

torch.set_num_threads(1)
# As a program does that has a module of its own under this name.
sys.modules["normscope"] = types.ModuleType("normscope")
model = torch.nn.Sequential(
    torch.nn.Linear(4, 6), torch.nn.BatchNorm1d(6), torch.nn.Linear(6, 1)
)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)


def train():
    optimizer.zero_grad()
    loss = model(torch.randn(8, 4)).square().mean()
    loss.backward()
    optimizer.step()


# What torch imports at its first step takes long under a debugger.
train()
host, port = debugpy.listen(("127.0.0.1", 0))
print(f"port {port}", flush=True)
debugpy.wait_for_client()
step = 0
while True:
    train()
    step += 1
    print(f"step {step}", flush=True)
    time.sleep(0.02)
