"""Three mistakes that torch.jit.script refuses. Try `ts-lsp check examples/mistakes.py`."""

from typing import List, Optional

import torch
from torch import Tensor


@torch.jit.script
def shifted(x: Tensor, offset: Optional[Tensor]) -> Tensor:
    return x + offset


def mean(values: List[float]) -> float:
    total = 0
    for value in values:
        total += value
    return total / len(values)


@torch.jit.script
def describe(values: List[float]) -> str:
    return f"mean {mean(values):.2f}"
