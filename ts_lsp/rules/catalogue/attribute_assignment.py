"""Value that cannot be assigned to an attribute.

## What it does
Finds assignments to attributes whose value is of another type than the attribute, to constants and read-only
properties, and to attributes of values that are not objects of a class.

## Why TorchScript refuses it
An attribute keeps the type that it got in `__init__`; nothing is converted on assignment, not even an empty list.

## Example
```py
class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0

    def forward(self, x: Tensor) -> Tensor:
        self.count = 0.5
        return x

torch.jit.script(Counter())
```

## Use instead
```py
class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0.0

    def forward(self, x: Tensor) -> Tensor:
        self.count = 0.5
        return x

torch.jit.script(Counter())
```

## Fix
Write a float literal where a float is expected; declare an attribute that starts as None in the class body.

## Compiler's wording
Wrong type for attribute assignment; Tried to set an attribute on a non-class; read-only.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import declare_in_class, float_literal, optional_of, present, spell_type
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import named, plain, quoted, written
from ts_lsp.semantic.facts import Finding
from ts_lsp.types.model import FLOAT, INT, NONE


def message(finding: Finding) -> str:
    name, reason = named(finding, "name", "This attribute"), plain(finding, "reason")
    expected, found = finding.data.get("expected"), finding.data.get("found")
    if reason == "non-class":
        owner = quoted(finding.data.get("type"), plain(finding, "kind", "this value"))
        return f"{name} cannot be assigned: {owner} is no object of a compiled class."
    if reason == "read-only":
        return f"{name} cannot be assigned: it is a constant or has no setter."
    if expected is None or found is None:
        return f"{name} cannot be assigned this value."
    text = f"{name} is {quoted(expected)}, so {quoted(found)} cannot be assigned to it; nothing is converted here."
    if expected == NONE:
        optional = written(optional_of(found))
        return (
            f"{text} Declare `{plain(finding, 'name')}: {optional}` in the body of a module's class; in the `__init__` "
            f"of another class write `torch.jit.annotate({optional}, None)`."
        )
    if found == NONE:
        return f"{text} Declare the attribute Optional where it is made."
    return text


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    statement = context.statement_of(finding.node) if finding.node else None
    expected, found = finding.data.get("expected"), finding.data.get("found")
    if expected == FLOAT and found == INT:
        return present(float_literal(context, statement.value if isinstance(statement, ast.Assign) else None))
    if expected == NONE and statement is not None:
        return present(_make_optional(finding, context, statement))
    return ()


def _make_optional(finding: Finding, context: FixContext, statement: ast.stmt) -> Fix | None:
    """Annotate the None that a compiled class puts into the attribute, or declare the attribute of a module."""
    owner = next((each for each in context.ancestors(statement) if isinstance(each, ast.ClassDef)), None)
    spelled = spell_type(optional_of(finding.data.get("found")), context)
    torch, imports = context.spell("torch", "jit")
    if owner is None or spelled is None:
        return None
    if owner.bases:
        return declare_in_class(context, statement, plain(finding, "name"), optional_of(finding.data.get("found")))
    for node in ast.walk(owner):
        is_none = isinstance(node, (ast.Assign, ast.AnnAssign)) and getattr(node.value, "value", ...) is None
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if is_none and isinstance(target, ast.Attribute) and target.attr == finding.data.get("name"):
            assert isinstance(node, (ast.Assign, ast.AnnAssign))
            assert node.value is not None
            text = f"{torch}.annotate({spelled[0]}, None)"
            return Fix(f"Write `{text}`", "safe", (context.replace(node.value, text), *imports, *spelled[1]))
    return None


RULE = Rule(
    code="attribute-assignment",
    summary="value that cannot be assigned to an attribute",
    category="attributes",
    message=message,
    fixes=fixes,
)
