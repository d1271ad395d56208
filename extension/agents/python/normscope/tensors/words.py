# ruff: noqa: RUF001
"""The words in the texts, in the person's language."""

from __future__ import annotations

from .options import OPTIONS

_CHINESE = {
    "from {0} of {1}": "取自 {1} 中的 {0} 个",
    "empty": "空",
    "no data": "无数据",
    "no data ({0})": "无数据（{0}）",
    "values not read ({0})": "未读取数值（{0}）",
    "it stands in for a tensor while the program is traced": "程序被跟踪时的替身张量",
    "inside a function transform": "位于函数变换之中",
    "its initialization is still to come": "尚未初始化",
    "reading it would run the pending operations": "读取会触发尚未执行的运算",
    "its class {0} keeps its values to itself": "其类 {0} 自行保存数值",
    "the device is busy": "设备正忙",
    "a CUDA graph is being captured": "正在捕获 CUDA 图",
    "torch.jit is tracing": "torch.jit 正在跟踪",
    "too large to copy from its device": "太大，无法从设备复制",
    "its memory was given back": "其内存已被释放",
    "not numbers": "不是数值",
    "nested: the parts differ in shape": "嵌套：各部分形状不同",
    "local {0}": "本地 {0}",
    "nonzero {0}": "非零 {0}",
    "dead {0}/{1}": "失活 {0}/{1}",
    "{0} parameters": "{0} 个参数",
    "over {0} parameters": "超过 {0} 个参数",
    "{0} children": "{0} 个子模块",
    "training": "训练模式",
    "eval": "评估模式",
    "statistics": "统计",
    "slices": "切片",
    "features of axis {0}": "轴 {0} 的各特征",
    "gradient": "梯度",
    "raw object": "原始对象",
    "internals": "内部属性",
    "modules": "子模块",
    "parameters": "参数",
    "buffers": "缓冲区",
    "attributes": "属性",
    "mean": "均值",
    "standard deviation": "标准差",
    "smallest": "最小值",
    "largest": "最大值",
    "zeros": "零",
    "elements": "元素数",
    "elements read": "读取的元素数",
    "dead features": "失活特征",
    "share of bins": "各区间占比",
    "{0} of {1}": "{1} 中的 {0}",
    "one value throughout": "始终为同一个值",
    "none": "无",
}


def word(english: str, *args: object) -> str:
    """``english`` in the person's language, with ``{0}``, ``{1}`` … replaced by ``args``."""
    text = _CHINESE.get(english, english) if OPTIONS.language == "zh-cn" else english
    return text.format(*args) if args else text
