"""Scripts that train models of the usual libraries for a step, from configuration only.

Each prints, for every module of its models, the qualified name and the class name.
"""

from __future__ import annotations

_HEAD = """
import json, torch
from torch import nn
torch.manual_seed(0)
"""

# PyPI's torchvision is built for CUDA. Where its library can not be loaded, importing its models
# fails for the lack of operators that they do not use.
_TORCHVISION = """
import glob, importlib.util, os
folder = os.path.dirname(importlib.util.find_spec("torchvision").origin)
try:
    for file in glob.glob(os.path.join(folder, "_C*")):
        torch.ops.load_library(file)
except OSError:
    library = torch.library.Library("torchvision", "DEF")
    for operator in ("nms", "qnms"):
        library.define(operator + "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
import torchvision
"""

_TAIL = """
optimizer = torch.optim.SGD(models.parameters(), lr=1e-4)
total = 0
for name, model in models.items():
    out = model(**inputs[name]) if isinstance(inputs[name], dict) else model(inputs[name])
    out = out if isinstance(out, torch.Tensor) else out[0]
    total = total + out.float().square().mean()
total.backward()
optimizer.step()
print(json.dumps([(name, type(module).__name__) for name, module in models.named_modules()]))
"""

VISION = (
    _HEAD
    + _TORCHVISION
    + """
from torchvision.ops.misc import FrozenBatchNorm2d
image = torch.randn(2, 3, 64, 64)
models = nn.ModuleDict({
    "resnet18": torchvision.models.resnet18(),
    "mobilenet": torchvision.models.mobilenet_v3_small(),
    "convnext": torchvision.models.convnext.ConvNeXt(
        [torchvision.models.convnext.CNBlockConfig(8, 16, 1),
         torchvision.models.convnext.CNBlockConfig(16, None, 1)]),
    "frozen": torchvision.models.resnet18(norm_layer=FrozenBatchNorm2d),
})
inputs = {name: image for name in models}
"""
    + _TAIL
)

TIMM = (
    _HEAD
    + _TORCHVISION
    + """
import timm
models = nn.ModuleDict({
    "convnext": timm.create_model("convnext_atto", depths=(1, 1, 1, 1), dims=(8, 16, 24, 32)),
    "vit": timm.create_model("vit_tiny_patch16_224", img_size=64, depth=2, qk_norm=True),
    "efficientnet": timm.create_model("efficientnet_b0"),
    "groupnorm": timm.create_model("resnet26", norm_layer="groupnorm"),
    "nfnet": timm.create_model("nf_resnet26"),
})
inputs = {name: torch.randn(2, 3, 64, 64) for name in models}
"""
    + _TAIL
)

TRANSFORMERS = (
    _HEAD
    + _TORCHVISION
    + """
import os
os.environ["HF_HUB_OFFLINE"] = "1"
import transformers as t
small = dict(vocab_size=50, hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
             intermediate_size=32, max_position_embeddings=32)
keys = dict(num_key_value_heads=2)
models = nn.ModuleDict({
    "bert": t.BertModel(t.BertConfig(**small)),
    "gpt2": t.GPT2Model(t.GPT2Config(vocab_size=50, n_positions=32, n_embd=16, n_layer=2,
                                     n_head=2)),
    "t5": t.T5Model(t.T5Config(vocab_size=50, d_model=16, d_kv=8, d_ff=32, num_layers=2,
                               num_heads=2, decoder_start_token_id=0)),
    "llama": t.LlamaModel(t.LlamaConfig(**small, **keys)),
    "mistral": t.MistralModel(t.MistralConfig(**small, **keys)),
    "gemma": t.GemmaModel(t.GemmaConfig(**small, **keys, head_dim=8)),
})
tokens = torch.randint(1, 50, (2, 7))
mask = torch.ones(2, 7, dtype=torch.long); mask[0, 5:] = 0
inputs = {name: dict(input_ids=tokens, attention_mask=mask) for name in models}
inputs["t5"]["decoder_input_ids"] = tokens
"""
    + _TAIL
)
