"""Generated method of a dataclass that does not compile.

## What it does
Finds dataclasses with a method of Python's making, such as `__eq__`, that cannot be compiled.

## Why TorchScript refuses it
The compiler writes the methods that `@dataclass` generates anew: equality and order compare field by field, and the
constructor hands every `InitVar` to `__post_init__`. A field whose type has no such comparison refuses the class.

## Example
```py
from dataclasses import dataclass
from typing import Tuple

@torch.jit.script
@dataclass
class Box:
    size: Tuple[int, str]
```

## Use instead
```py
from dataclasses import dataclass, field
from typing import Tuple

@torch.jit.script
@dataclass
class Box:
    size: Tuple[int, str] = field(compare=False)
```

## Compiler's wording
Arguments for call are not valid ... File "<torch_jit_internal>/Box/__eq__".
"""

from __future__ import annotations

from ts_lsp.rules.model import Rule
from ts_lsp.rules.wording import named, plain
from ts_lsp.semantic.facts import Finding


def message(finding: Finding) -> str:
    name, field = named(finding, "name", "this class"), plain(finding, "field")
    method = named(finding, "method", "a generated method")
    if finding.data.get("reason") == "text":
        return f"The compiler cannot write {method} of the dataclass {name}: a type or default does not read as code."
    if finding.data.get("method") == "__init__":
        return (
            f"The constructor generated for the dataclass {name} does not compile: see its fields and `__post_init__`."
        )
    if field:
        return f"The field `{field}` cannot be compared, so {method} of the dataclass {name} does not compile."
    return f"Python generates {method} for the dataclass {name}, and it does not compile."


RULE = Rule(
    code="dataclass-method",
    summary="generated method of a dataclass that does not compile",
    category="classes",
    message=message,
)
