"""Where steps begin and end, and what is said about a run."""

from __future__ import annotations

HEAD = """
import sys, torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4), nn.Linear(4, 1))
def step(optimizer, n=1):
    for _ in range(n):
        optimizer.zero_grad(); net(torch.randn(8, 4)).square().mean().backward(); optimizer.step()
"""


def script(body: str) -> str:
    return HEAD + body


def test_hello_steps_and_bye(train) -> None:
    outcome = train(script("step(torch.optim.AdamW(net.parameters()), 5)"), tcp=True)
    run = outcome.run
    connection = run.connection
    assert connection.token == "0123456789abcdef" * 4
    hello = run.frames[0].body
    assert hello["kind"] == "hello" and hello["protocol"] == 2
    assert (hello["agent"], hello["framework"], hello["backend"]) == ("python", "torch", "cpu")
    assert hello["program"].endswith("script.py")
    assert (hello["rank"], hello["worldSize"]) == (0, 1)
    assert [f.kind for f in run.frames[1:3]] == ["layout", "step"]
    assert [s.body["step"] for s in run.steps] == [0, 1, 2, 3, 4]
    times = [s.body["time"] for s in run.steps]
    assert times == sorted(times)
    assert run.bye == {"kind": "bye", "steps": 5, "sent": 5, "dropped": 0, "skipped": 0,
                       "errors": 0}  # fmt: skip
    assert run.events() == []
    assert outcome.stderr == ""


def test_lbfgs_closures_are_micro_batches_of_one_step(train) -> None:
    run = train(
        script("""
x = torch.randn(8, 4)
optimizer = torch.optim.LBFGS(net.parameters(), max_iter=4)
def closure():
    optimizer.zero_grad(); loss = net(x).square().mean(); loss.backward(); return loss
for _ in range(2):
    optimizer.step(closure)
""")
    ).run
    assert [s.body["step"] for s in run.steps] == [0, 1]
    assert all(s.body["microBatches"] > 1 for s in run.steps)
    assert run.counts(0, "1", "pre")["calls"] == run.steps[0].body["microBatches"]


def test_two_optimizers_and_updates_without_backward(train) -> None:
    run = train(
        script("""
other = nn.Linear(4, 1)
a, b = (torch.optim.SGD(m.parameters(), lr=0.1) for m in (net, other))
for _ in range(2):
    net(torch.randn(8, 4)).mean().backward(); a.step()
    other(torch.randn(8, 4)).mean().backward(); b.step()
    a.step()
""")
    ).run
    assert [s.body["step"] for s in run.steps] == [0, 1, 2, 3]
    assert [run.counts(i, "1", "pre")["calls"] for i in range(4)] == [1, 0, 1, 0]


def test_optimizers_inside_the_backward_pass(train) -> None:
    run = train(
        script("""
optimizers = {p: torch.optim.SGD([p], lr=0.1) for p in net.parameters()}
def update(p):
    optimizers[p].step()
    optimizers[p].zero_grad()
for p in net.parameters():
    p.register_post_accumulate_grad_hook(update)
for _ in range(3):
    net(torch.randn(8, 4)).mean().backward()
""")
    ).run
    assert [s.body["step"] for s in run.steps] == [0, 1, 2]
    assert run.counts(2, "1", "gradPre")["calls"] == 1


def test_a_learning_rate_scheduler_goes_along(train) -> None:
    outcome = train(
        script("""
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
for _ in range(3):
    step(optimizer); scheduler.step()
""")
    )
    assert outcome.run.bye["steps"] == 3
    assert outcome.stderr == ""


def test_a_program_without_norm_layer_is_told(train) -> None:
    body = """
import torch
from torch import nn
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range({}):
    net(torch.randn(8, 4)).mean().backward(); optimizer.step()
"""
    run = train(body.format(3)).run
    assert run.events() == ["no-norm-layer"]
    assert run.bye["steps"] == 3
    long = train(body.format(25), name="long.py")
    kinds = [f.kind for f in long.run.frames]
    assert kinds.count("event") == 1
    assert kinds.index("event") < len(kinds) - 1


def test_a_program_without_optimizer_is_told_and_its_last_pass_shown(train) -> None:
    run = train(
        script("""
for _ in range(3):
    net(torch.randn(8, 4)).square().mean().backward()
""")
    ).run
    assert run.events() == ["no-optimizer-step"]
    assert [s.body["step"] for s in run.steps] == [0]
    assert run.counts(0, "1", "gradPre")["calls"] == 3
    assert run.bye["steps"] == 0


def test_programs_that_end_early_say_goodbye(train) -> None:
    training = script("optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\nstep(optimizer, 2)\n")
    left = train(training + "sys.exit(3)")
    assert left.returncode == 3
    assert left.run.bye["steps"] == 2
    failed = train(training + "raise ValueError('mine')", name="failed.py")
    assert failed.returncode == 1 and "ValueError: mine" in failed.stderr
    assert "normscope" not in failed.stderr
    assert failed.run.bye["steps"] == 2


def test_nothing_is_sent_by_programs_without_torch_or_with_a_syntax_error(train) -> None:
    broken = train("import torch\nthis is no Python\n")
    assert broken.returncode == 1 and "SyntaxError" in broken.stderr
    assert broken.collector.connections == []
    watched = ("torch", "_normscope_agent.agent")
    plain = train(f"import sys; print(*(m in sys.modules for m in {watched}))", name="plain.py")
    assert plain.stdout.split() == ["False", "False"]
    assert plain.collector.connections == []


def test_a_budget_skips_steps_and_counts_them(train) -> None:
    body = "step(torch.optim.SGD(net.parameters(), lr=0.1), 1500)"
    run = train(script(body), budgetPercent=10).run
    sent = len(run.steps)
    assert 3 < sent < 1000
    assert run.bye["skipped"] == 1500 - sent
    last = run.steps[-1].body
    assert last["interval"] > 1
    assert last["skipped"] == last["step"] - (sent - 1)
    assert 0 < last["overheadPercent"] <= 100


def test_capture_switched_off_sends_no_step(train) -> None:
    run = train(script("step(torch.optim.SGD(net.parameters(), lr=0.1), 3)"), enabled=False).run
    assert [f.kind for f in run.frames] == ["hello", "bye"]


def test_compiled_models_train_and_are_marked(train) -> None:
    outcome = train(
        script("""
compiled = torch.compile(net, backend="eager", fullgraph=True)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad(); compiled(torch.randn(8, 4)).square().mean().backward(); optimizer.step()
""")
    )
    assert outcome.returncode == 0, outcome.stderr
    run = outcome.run
    assert [s["code"] for s in run.layer("1")["status"]] == ["compiled"]
    assert "recompil" not in outcome.stderr
    assert run.bye["steps"] == 3


def test_a_failing_hook_is_told_once_and_training_goes_on(train) -> None:
    outcome = train(
        script("""
import _normscope_agent.taps
def broken(*a): raise RuntimeError("broken on purpose")
_normscope_agent.taps.summarise = broken
step(torch.optim.SGD(net.parameters(), lr=0.1), 30)
print("trained")
""")
    )
    assert outcome.stdout.strip() == "trained"
    run = outcome.run
    assert run.events() == ["hook-failed"]
    assert 20 <= run.bye["errors"] <= 22
    assert [s["code"] for s in run.layer("1")["status"]] == ["unsupported"]
