"""The same program as mistakes.py, mended: nothing is found, and torch.jit.script compiles it."""

from typing import List, Optional

import torch
from torch import Tensor


@torch.jit.script
def shifted(x: Tensor, offset: Optional[Tensor]) -> Tensor:
    if offset is None:
        return x
    return x + offset


def mean(values: List[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    return total / len(values)


@torch.jit.script
def describe(values: List[float]) -> str:
    return f"mean {mean(values)}"
