"""Real architectures: every norm is found, by the name that a walk of the model gives it."""

from __future__ import annotations

import json
import re

from architectures import TIMM, TRANSFORMERS, VISION

FIRST, LAST = "axis 1", "the last axis"

#: What each class is; every other class with "norm" in its name must be in NO_NORMS.
CLASSES = {
    "BatchNorm2d": ("batch", FIRST),
    "BatchNormAct2d": ("batch", FIRST),
    "FrozenBatchNorm2d": ("batch", FIRST),
    "GroupNorm": ("group", FIRST),
    "GroupNormAct": ("group", FIRST),
    "LayerNorm": ("layer", LAST),
    "LayerNorm2d": ("layer", FIRST),
    "T5LayerNorm": ("rms", LAST),
    "LlamaRMSNorm": ("rms", LAST),
    "MistralRMSNorm": ("rms", LAST),
    "GemmaRMSNorm": ("rms", LAST),
}
NO_NORMS = {"Conv2dNormActivation", "NormMlpClassifierHead", "NormFreeNet", "NormFreeBlock",
            "ConvNormAct"}  # fmt: skip


def check(train, script: str) -> dict[str, dict]:
    outcome = train(script)
    assert outcome.returncode == 0, outcome.stderr
    walked = json.loads(outcome.stdout.splitlines()[-1])
    unknown = {cls for _, cls in walked if re.search("norm", cls, re.IGNORECASE)}
    assert unknown - NO_NORMS <= set(CLASSES), "the table of this test lacks a class"
    expected = {name: (cls, *CLASSES[cls]) for name, cls in walked if cls in CLASSES}
    run = outcome.run
    found = {}
    for layer in run.layers:
        rank = len(layer["inputShape"])
        axis = {(1,): FIRST, (rank - 1,): LAST}.get(tuple(layer["featureAxes"]))
        if rank == 2:
            axis = expected[layer["name"]][2]
        found[layer["name"]] = (layer["className"], layer["family"], axis)
        assert run.counts(0, layer["name"], "post")["calls"] == 1, layer["name"]
    assert found == expected
    assert run.bye["errors"] == 0
    return {layer["name"]: layer for layer in run.layers}


def prefixes(layers: dict[str, dict]) -> dict[str, int]:
    counted: dict[str, int] = {}
    for name in layers:
        counted[name.split(".")[0]] = counted.get(name.split(".")[0], 0) + 1
    return counted


def test_torchvision(train) -> None:
    counted = prefixes(check(train, VISION))
    assert counted == {"resnet18": 20, "mobilenet": 34, "convnext": 5, "frozen": 20}


def test_timm(train) -> None:
    counted = prefixes(check(train, TIMM))
    # A normalizer-free net has none.
    assert counted["efficientnet"] == 49 and "nfnet" not in counted


def test_transformers(train) -> None:
    layers = check(train, TRANSFORMERS)
    counted = prefixes(layers)
    assert counted == {"bert": 5, "gpt2": 5, "t5": 12, "llama": 5, "mistral": 5, "gemma": 5}
    padded = {name for name, one in layers.items()
              if "padding" in [status["code"] for status in one["status"]]}  # fmt: skip
    own_mask = {name for name in layers if not name.startswith("t5.decoder")}
    assert padded == own_mask, "its decoder is given no mask of its own"
