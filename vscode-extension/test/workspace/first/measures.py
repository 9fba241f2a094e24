from typing import List, Optional

import torch
from torch import Tensor


def mean(values: List[float]) -> float:
    total = 0
    for value in values:
        total += value
    return total / len(values)


@torch.jit.script
def shifted(x: Tensor, offset: Optional[Tensor]):
    if offset is not None:
        x = x + offset
    scale = x.mean()
    return x * scale


@torch.jit.script
def summary(values: List[float], x: Tensor) -> Tensor:
    if torch.jit.is_scripting():
        x = x + mean(values)
    else:
        x = x - 1
    return shifted(x, None)
