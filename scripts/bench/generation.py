"""Programs of any length for measurements, made from a seed: scripted functions and modules that all compile.

A line of a body that ends a statement is followed by others of the same block, so that a statement may be typed there.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

_HEADER = """\
from typing import Dict, List, Optional, Tuple

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor
"""

_STEPS = (
    """\
    total = total * scale
    count += 1
""",
    """\
    for weight in weights:
        if weight.size(0) == x.size(0):
            total = total + torch.matmul(weight, x).relu()
            count += 1
        elif weight.dim() > {number}:
            total = total - weight.sum(dim=0)
""",
    """\
    if bias is not None:
        total = total + bias
        count = count + bias.numel()
""",
    """\
    sizes = [each.numel() for each in weights]
    label = f"step {number}: {{count}} of {{len(sizes)}}"
    assert len(label) > 0, "no label"
""",
    """\
    table: Dict[str, Tensor] = {{"total": total, "x": x}}
    for key, value in table.items():
        if key != "x":
            total = total + value.mean()
""",
    """\
    parts = torch.chunk(total, 2)
    if len(parts) == 2:
        total = torch.cat([parts[1], parts[0]], dim=0)
""",
    """\
    left, right = total.abs(), torch.softmax(x, dim=-1)
    total = torch.where(left > right, left, right)
""",
    """\
    while count > {number} and scale < 10.0:
        count -= 2
        scale = scale * 1.5
""",
    """\
    history: List[Tensor] = []
    for index in range({number}):
        history.append(total * float(index))
    if len(history) > 0:
        total = torch.stack(history).sum(dim=0)
""",
    """\
    total = F.dropout(F.gelu(total), p=0.1, training=False)
    best, where = torch.max(total, dim=0)
    total = total + best
""",
)

_FUNCTION = """

@torch.jit.script
def {name}(
    x: Tensor, weights: List[Tensor], scale: float, bias: Optional[Tensor] = None
) -> Tuple[Tensor, int]:
    total = x * scale
    count = {count}
{steps}    result = total.clamp(min=0.0)
    return result, count
"""

_MODULE = """

class {name}(nn.Module):
    def __init__(self, width: int, depth: int = {number}) -> None:
        super().__init__()
        self.width = width
        self.scale = 0.5
        self.first = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])
        self.register_buffer("seen", torch.zeros(width))
{submodule}
    def mix(self, x: Tensor, weights: List[Tensor], scale: float, bias: Optional[Tensor]) -> Tensor:
        total = x * self.scale
        count = self.width
{steps}        result = total + float(count)
        return result

    def forward(self, x: Tensor, weights: List[Tensor], bias: Optional[Tensor] = None) -> Tensor:
        hidden = self.norm(self.first(x))
        for layer in self.layers:
            hidden = F.relu(layer(hidden))
        mixed = self.mix(hidden, weights, self.scale, bias)
{use}        result = mixed + self.seen
        return result


{variable} = torch.jit.script({name}(8))
"""


def program(lines: int, seed: int) -> str:
    """A file of about that many lines."""
    rng = random.Random(seed)
    text = _HEADER
    definitions = _definitions(rng)
    while text.count("\n") < lines - 15:
        text += next(definitions)
    return text


def function(name: str, rng: random.Random, called: str = "") -> str:
    """A scripted function that calls another one of these, if any."""
    steps = _steps(rng, "")
    if called:
        steps += (
            f"    more, number = {called}(x, weights, scale, bias)\n    total, count = total + more, count + number\n"
        )
    return _FUNCTION.format(name=name, count=rng.randrange(9), steps=steps)


def _module(number: int, rng: random.Random, inside: str) -> str:
    return _MODULE.format(
        name=f"Block{number}",
        variable=f"block_{number}",
        number=rng.randrange(1, 4),
        steps=_steps(rng, "    "),
        submodule=f"        self.inner = {inside}(width)\n" if inside else "",
        use="        mixed = self.inner(mixed, weights, bias)\n" if inside else "",
    )


def _definitions(rng: random.Random) -> Iterator[str]:
    """Functions that call one another in chains of five, and modules that hold one another in chains of three."""
    functions = modules = 0
    while True:
        for _ in range(rng.randrange(1, 4)):
            yield function(f"step_{functions}", rng, f"step_{functions - 1}" if functions % 5 else "")
            functions += 1
        yield _module(modules, rng, f"Block{modules - 1}" if modules % 3 else "")
        modules += 1


def _steps(rng: random.Random, indentation: str) -> str:
    chosen = "".join(each.format(number=rng.randrange(1, 9)) for each in rng.sample(_STEPS, rng.randrange(2, 5)))
    return "".join(indentation + line for line in chosen.splitlines(keepends=True))
