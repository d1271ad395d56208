"""The agent among other processes, and with collectors that misbehave."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from conftest import AGENT, TOKEN, environment
from reading import Run

TRAINING = """
import os, sys, time, torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4), nn.Linear(4, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
def step():
    optimizer.zero_grad(); net(torch.randn(8, 4)).square().mean().backward(); optimizer.step()
"""


def test_data_loader_workers_stay_out(train) -> None:
    for method in ("fork", "spawn"):
        outcome = train(f"""
            import torch
            from torch import nn
            from torch.utils.data import DataLoader, TensorDataset
            class Net(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.norm = nn.LayerNorm(4)
                    self.linear = nn.Linear(4, 1)
                def forward(self, x):
                    return self.linear(self.norm(x))
            unused = nn.LayerNorm(4)
            if __name__ == "__main__":
                net = Net()
                optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
                data = DataLoader(TensorDataset(torch.randn(16, 4)), batch_size=4, num_workers=2,
                                  multiprocessing_context="{method}")
                for epoch in range(2):
                    for (x,) in data:
                        optimizer.zero_grad(); net(x).sum().backward(); optimizer.step()
                print("trained")
        """, name=f"{method}.py")  # fmt: skip
        assert outcome.stdout.strip() == "trained", outcome.stderr
        run = outcome.run
        assert run.bye["steps"] == 8
        assert [s.body["step"] for s in run.steps] == list(range(8))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_leaves_the_parents_connection_alone(train) -> None:
    outcome = train(
        TRAINING
        + """
step()
pid = os.fork()
if pid == 0:
    for _ in range(3): step()
    sys.exit(0)
os.waitpid(pid, 0)
step()
"""
    )
    run = outcome.run
    assert outcome.returncode == 0
    assert [s.body["step"] for s in run.steps] == [0, 1]
    assert run.bye["steps"] == 2


def test_training_survives_the_collectors_death(make_collector, tmp_path) -> None:
    server = tmp_path / "server.py"
    server.write_text(
        textwrap.dedent("""
        import socket, sys
        server = socket.socket(socket.AF_INET); server.bind(("127.0.0.1", 0)); server.listen()
        print(server.getsockname()[1], flush=True)
        connection, _ = server.accept()
        while connection.recv(65536):
            pass
    """)
    )
    process = subprocess.Popen([sys.executable, str(server)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    port = int(process.stdout.readline())
    script = tmp_path / "script.py"
    script.write_text(
        TRAINING
        + """
step(); step()
print("ready", flush=True); input()
for _ in range(50): step()
print("trained", sum(p.sum().item() for p in net.parameters()))
"""
    )
    collector = make_collector()
    variables = {**environment(collector), "NORMSCOPE_ADDRESS": f"tcp:127.0.0.1:{port}"}
    training = subprocess.Popen([sys.executable, str(script)], env=variables, text=True,
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)  # fmt: skip
    assert training.stdout is not None
    assert training.stdout.readline() == "ready\n"
    process.kill()
    process.wait()
    out, err = training.communicate("\n", timeout=600)
    assert training.returncode == 0 and out.startswith("trained") and err == ""


def test_an_unreachable_collector_is_no_matter(make_collector, tmp_path) -> None:
    script = tmp_path / "script.py"
    script.write_text(TRAINING + "for _ in range(5): step()\nprint('trained')")
    for address in ("unix:/nowhere/at/all.sock", "tcp:127.0.0.1:1", "tcp:example.org:80", "what"):
        variables = {**environment(make_collector()), "NORMSCOPE_ADDRESS": address}
        done = subprocess.run([sys.executable, str(script)], env=variables, capture_output=True,
                              text=True, timeout=600)  # fmt: skip
        assert (done.stdout, done.stderr) == ("trained\n", ""), address


def test_a_collector_that_never_reads_costs_steps_not_time(make_collector, tmp_path) -> None:
    collector = make_collector(reads=False)
    script = tmp_path / "script.py"
    script.write_text(
        TRAINING
        + """
net = nn.Sequential(nn.Linear(4, 2000), nn.LayerNorm(2000), nn.Linear(2000, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.0)
for _ in range(60): step()
import _normscope_agent.bootstrap as b
print(b._agent._session.dropped, flush=True)
"""
    )
    done = subprocess.run([sys.executable, str(script)], env=environment(collector), text=True,
                          capture_output=True, timeout=600)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert 30 <= int(done.stdout) <= 60


def test_a_slow_collector_is_told_how_many_steps_were_dropped(make_collector, tmp_path) -> None:
    from collector import read_frame

    collector = make_collector(reads=False)
    script = tmp_path / "script.py"
    script.write_text(
        TRAINING
        + """
net = nn.Sequential(nn.Linear(4, 2000), nn.LayerNorm(2000), nn.Linear(2000, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.0)
for _ in range(60): step()
print("filled", flush=True); input()
time.sleep(0.5)
step()
"""
    )
    process = subprocess.Popen([sys.executable, str(script)], env=environment(collector), text=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # fmt: skip
    assert process.stdin is not None and process.stdout is not None
    assert process.stdout.readline() == "filled\n"
    connection = collector.connections[0]
    stream = connection.socket.makefile("rb")
    connection.token = stream.read(64).decode()
    frames = [read_frame(stream) for _ in range(3)]
    process.stdin.write("\n")
    process.stdin.flush()
    while (frame := read_frame(stream)) is not None:
        frames.append(frame)
    process.communicate(timeout=60)
    connection.frames = [frame for frame in frames if frame is not None]
    run = Run(connection)
    last = run.steps[-1].body
    assert last["step"] == 60 and last["dropped"] == 61 - len(run.steps) > 0
    assert run.bye["dropped"] == last["dropped"] and run.bye["sent"] == len(run.steps)


def test_configure_takes_effect_while_running(make_collector, tmp_path) -> None:
    collector = make_collector()
    script = tmp_path / "script.py"
    script.write_text(
        TRAINING
        + """
for line in sys.stdin:
    for _ in range(int(line)): step()
    print("done", flush=True)
"""
    )
    process = subprocess.Popen([sys.executable, str(script)], env=environment(collector), text=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # fmt: skip
    assert process.stdin is not None and process.stdout is not None

    def steps(count: int) -> None:
        process.stdin.write(f"{count}\n")
        process.stdin.flush()
        assert process.stdout.readline() == "done\n"

    def configure(**capture) -> None:
        base = {"enabled": True, "budgetPercent": 0, "extraClasses": []}
        connection.send({"kind": "configure", "capture": {**base, **capture}})
        time.sleep(0.5)

    steps(3)
    collector.wait_for(lambda: collector.connections)
    collector.wait_for(lambda: len(collector.connections[0].of_kind("step")) == 3)
    connection = collector.connections[0]
    connection.send({"kind": "focus", "layers": None})
    connection.send({"kind": "focus", "layers": [[], "0", 1e9, -1, True]})
    configure(enabled=False)
    steps(4)
    configure(enabled=True)
    steps(3)
    process.communicate(timeout=60)
    collector.wait_for(lambda: connection.ended)
    run = Run(connection)
    # The first step after switching on was under way without capture.
    assert [s.body["step"] for s in run.steps] == [0, 1, 2, 8, 9]
    assert run.bye["steps"] == 10


def test_a_layer_in_focus_is_binned_whole(make_collector, tmp_path) -> None:
    collector = make_collector()
    script = tmp_path / "script.py"
    script.write_text("""
import sys, torch
from torch import nn
net = nn.Sequential(nn.LayerNorm(256), nn.LayerNorm(256))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for line in sys.stdin:
    net(torch.randn(8, 128, 256)).square().mean().backward(); optimizer.step()
    print("done", flush=True)
""")
    process = subprocess.Popen([sys.executable, str(script)], env=environment(collector), text=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # fmt: skip
    assert process.stdin is not None and process.stdout is not None
    for number, focus in enumerate([[], [1], []]):
        if number:
            collector.connections[0].send({"kind": "focus", "layers": focus})
            time.sleep(0.5)
        process.stdin.write("\n")
        process.stdin.flush()
        assert process.stdout.readline() == "done\n"
        collector.wait_for(lambda: collector.connections)
        collector.wait_for(lambda: len(collector.connections[0].of_kind("step")) == number + 1)  # noqa: B023
    process.communicate(timeout=60)
    connection = collector.connections[0]
    collector.wait_for(lambda: connection.ended)
    run = Run(connection)
    whole, part = 8 * 128 * 256, [len(range(step, 8 * 128, 17)) * 256 for step in range(3)]
    for step in range(3):
        for tap in ("pre", "post", "gradPost"):
            assert sum(run.histogram(step, "0", tap).values()) == part[step]
            wanted = whole if step == 1 else part[step]
            assert sum(run.histogram(step, "1", tap).values()) == wanted
    assert [s.body["histogramStride"] for s in run.steps] == [17, 17, 17]


def test_folder_with_spaces_and_other_letters(train) -> None:
    outcome = train(TRAINING + "step()", name="mein Ordner/größe 模型.py")
    run = outcome.run
    assert run.frames[0].body["program"].endswith("mein Ordner/größe 模型.py")
    assert run.layer("1")["constructedAt"]["file"].endswith("mein Ordner/größe 模型.py")


def test_the_users_own_sitecustomize_still_runs(train, tmp_path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "sitecustomize.py").write_text("import os\nMINE = 1\nos.environ['OWN_RAN'] = 'yes'\n")
    path = os.pathsep.join([str(AGENT), str(own)])
    outcome = train(TRAINING + """
step()
import sitecustomize
print(os.environ["OWN_RAN"], sitecustomize.MINE)
""", env={"PYTHONPATH": path})  # fmt: skip
    assert outcome.stdout.split() == ["yes", "1"], outcome.stderr
    assert outcome.run.bye["steps"] == 1


def test_the_import_system_is_left_as_it_was(train) -> None:
    outcome = train(
        TRAINING
        + """
print(sum(type(f).__module__.startswith("normscope") for f in sys.meta_path))
print("exec_module" in vars(torch.__spec__.loader))
step()
"""
    )
    assert outcome.stdout.split() == ["0", "False"]


def test_attaching_to_a_running_process_finds_its_layers(make_collector, tmp_path) -> None:
    collector = make_collector()
    script = tmp_path / "script.py"
    script.write_text(
        TRAINING
        + f"""
for _ in range(3): step()
sys.path.insert(0, {str(AGENT)!r})
import normscope
settings = {json.dumps(json.dumps({"budgetPercent": 0}))}
print(normscope.inject({collector.address!r}, {TOKEN!r}, settings))
print(normscope.inject({collector.address!r}, {TOKEN!r}, settings))
for _ in range(4): step()
"""
    )
    variables = {k: v for k, v in os.environ.items() if not k.startswith("NORMSCOPE")}
    done = subprocess.run([sys.executable, str(script)], env=variables, capture_output=True,
                          text=True, timeout=600)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "NormScope is active; 1 norm layers found so far.",
        "NormScope is already active in this process.",
    ]
    collector.wait_for(lambda: collector.connections and collector.connections[0].ended)
    run = Run(collector.connections[0])
    assert run.layer("1")["constructedAt"] is None
    assert len(run.steps) == 3
    assert run.counts(0, "1", "gradPre")["calls"] == 1


def test_old_pythons_parse_the_startup_file() -> None:
    source = Path(AGENT / "sitecustomize.py").read_text(encoding="utf-8")
    assert source.isascii()
    assert "from __future__" not in source and 'f"' not in source


def test_a_program_that_trains_by_hand_without_a_layer_is_told_why_nothing_shows(train) -> None:
    outcome = train("""
        import torch
        w = torch.randn(8, 1, requires_grad=True)
        for _ in range(3):
            (torch.randn(4, 8) @ w).square().mean().backward()
            with torch.no_grad():
                w -= 0.1 * w.grad
    """)
    assert [frame.kind for frame in outcome.run.frames] == ["hello", "event", "bye"]
    assert outcome.run.events() == ["no-norm-layer"]


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_all_steps_of_a_child_of_multiprocessing_arrive_and_its_parent_is_silent(
    train, method
) -> None:
    outcome = train(f"""
        import torch
        import torch.multiprocessing as multiprocessing
        from torch import nn
        def work():
            net = nn.Sequential(nn.Linear(8, 8), nn.LayerNorm(8))
            optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
            for _ in range(3):
                net(torch.randn(8, 8)).square().mean().backward()
                optimizer.step()
        if __name__ == "__main__":
            child = multiprocessing.get_context("{method}").Process(target=work)
            child.start()
            child.join()
            raise SystemExit(child.exitcode)
    """)
    assert outcome.returncode == 0, outcome.stderr
    assert len(outcome.run.steps) == outcome.run.bye["sent"] == 3


def test_a_module_of_the_programs_own_called_normscope_is_its_own(train, tmp_path) -> None:
    (tmp_path / "normscope.py").write_text("ANSWER = 42\n", encoding="utf-8")
    outcome = train("""
        import normscope, torch
        print(normscope.ANSWER)
        net = torch.nn.LayerNorm(4)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        net(torch.randn(2, 4)).square().sum().backward()
        optimizer.step()
    """)
    assert outcome.stdout == "42\n", outcome.stderr
    assert len(outcome.run.steps) == 1
