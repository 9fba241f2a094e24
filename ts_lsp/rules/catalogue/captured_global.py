"""Python value from outside the function.

## What it does
Finds values of the module around a function (numbers, strings, tensors, lists, dtypes, objects) that compiled code
uses by their bare name.

## Why TorchScript refuses it
Compiled code sees only functions, classes and modules of the Python around it, and the constants that a module holds
when they are reached through it (`math.pi`); bare data is not taken in, because it could change later.

## Example
```py
SCALE = 2

@torch.jit.script
def scale(x: Tensor) -> Tensor:
    return x * SCALE
```

## Use instead
```py
@torch.jit.script
def scale(x: Tensor, factor: int = 2) -> Tensor:
    return x * factor
```

## Fix
Write the value itself (unsafe: the function then no longer follows the name).

## Compiler's wording
python value of type T cannot be used as a value. Perhaps it is a closed over global variable?
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.model import Edit, Fix, Rule
from ts_lsp.rules.wording import named, plain
from ts_lsp.semantic.facts import Finding
from ts_lsp.values.model import ConstantValue, InstanceValue, TorchValue


def message(finding: Finding) -> str:
    name, kind = named(finding, "name", "This"), plain(finding, "python_type")
    what = f"a Python {kind}" if kind else "a Python value"
    if isinstance(finding.data.get("value"), InstanceValue):
        what = f"an object that Python made{f' (`{kind}`)' if kind else ''}"
    return (
        f"{name} is {what} from outside the function, and compiled code cannot take it in: "
        "pass it as an argument, write it out, or keep it as an attribute of a module."
    )


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    node = finding.node
    text, imports = _spelled(finding.data.get("value"), context)
    if not text or not isinstance(node, (ast.Name, ast.Attribute)):
        return ()
    if text.startswith("-") and isinstance(context.parent(node), (ast.BinOp, ast.Attribute, ast.Subscript)):
        text = f"({text})"
    return (Fix(f"Write `{text}`", "unsafe", (context.replace(node, text), *imports)),)


def _spelled(value: object, context: FixContext) -> tuple[str, tuple[Edit, ...]]:
    """The value as compiled code can write it; empty where it cannot."""
    if isinstance(value, TorchValue):
        module, _, name = value.path.rpartition(".")
        # Reached through its module, a constant of torch is taken in; under a name of its own it is not.
        spelled, imports = context.spell(module, name)
        return (spelled, imports) if "." in spelled else ("", ())
    constant = value.value if isinstance(value, ConstantValue) else None
    text = repr(constant) if type(constant) in (bool, int, float, str) else ""
    return ("" if text in ("inf", "-inf", "nan") or len(text) > 60 else text), ()


RULE = Rule(
    code="captured-global",
    summary="Python value from outside the function",
    category="names",
    message=message,
    fixes=fixes,
)
