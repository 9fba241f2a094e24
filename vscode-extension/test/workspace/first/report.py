import torch
from measures import mean


@torch.jit.script
def doubled(x: torch.Tensor) -> float:
    return 2 * mean([float(x)])
