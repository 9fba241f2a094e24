"""Attribute or method that does not exist.

## What it does
Finds attributes and methods that the value's type does not have in TorchScript: on tensors (where some Python methods
have no operator), modules, classes, named tuples, enums, strings and containers.

## Why TorchScript refuses it
Attributes are resolved while compiling, from the operators of the type, or from what `__init__` assigns.

## Example
```py
@torch.jit.script
def size(x: Tensor) -> int:
    return x.nelement()
```

## Use instead
```py
@torch.jit.script
def size(x: Tensor) -> int:
    return x.numel()
```

## Fix
Write the method that TorchScript has for it, or the known name that comes nearest (unsafe). Annotate an attribute that
starts as an empty list or dict in the class body; what it holds is a guess (unsafe) where no literal shows it.

## Compiler's wording
'T' object has no attribute or method 'X'; Module 'M' has no attribute 'X'; object has no attribute X.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import declare_in_class, present, rename
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import named, plain, quoted
from ts_lsp.semantic.facts import Finding
from ts_lsp.types.model import ANY, BOOL, FLOAT, INT, STR, TENSOR, DictType, ListType, SimpleType, Type

_INSTEAD = {
    "nelement()": "numel()",
    "ndimension()": "dim()",
    "bool()": "to(torch.bool)",
    "bfloat16()": "to(torch.bfloat16)",
}

_LITERALS: dict[type, Type] = {bool: BOOL, int: INT, float: FLOAT, str: STR}
_EMPTY = {
    "empty list": ("an empty list does not tell its element type", "List[int]"),
    "empty dict": ("an empty dict does not tell its types", "Dict[str, int]"),
}


def message(finding: Finding) -> str:
    name, module = named(finding, "name", "this attribute"), plain(finding, "module")
    type_ = finding.data.get("type")
    if module:
        return f"The module `{module}` has no {name}."
    if type_ is None:
        kind = plain(finding, "python_type") or plain(finding, "kind") or "value"
        return f"{name} cannot be looked up on a {kind}."
    if finding.data.get("on_class"):
        return f"{name} cannot be looked up on the class {quoted(type_)} itself, only on its objects."
    if type_ == TENSOR:
        instead = next((text for old, text in _INSTEAD.items() if old[:-2] == finding.data.get("name")), "")
        hint = f": use `{instead}`" if instead else ""
        return f"Tensors have no {name} in TorchScript{hint}."
    if isinstance(type_, SimpleType) and type_ == ANY:
        return f"{name} cannot be looked up on a value of type `Any`: narrow it with `isinstance` first."
    dropped = plain(finding, "dropped")
    if dropped:
        return f"{quoted(type_)} loses {name} when it is compiled: {_why_lost(finding, dropped)}."
    return f"{quoted(type_)} has no attribute or method {name} in TorchScript."


def _why_lost(finding: Finding, dropped: str) -> str:
    """Why the compiler leaves out an attribute that the object has in Python."""
    if dropped in _EMPTY:
        reason, annotation = _EMPTY[dropped]
        return f"{reason}; annotate it in the class body, such as `{finding.data.get('name')}: {annotation}`"
    return f"its value, a {dropped}, has no TorchScript type"


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    node = finding.node
    if not isinstance(node, ast.Attribute):
        return ()
    call = context.parent(node)
    is_plain_call = isinstance(call, ast.Call) and call.func is node and not call.args and not call.keywords
    instead = _INSTEAD.get(f"{node.attr}()") if finding.data.get("type") == TENSOR else None
    if instead is not None and is_plain_call and call is not None:
        text = f"{context.text_of(node.value)}.{instead}"
        return (Fix(f"Write `.{instead}`", "safe", (context.replace(call, text),)),)
    if finding.data.get("dropped") in _EMPTY:
        return present(_annotate_in_class(node, str(finding.data["dropped"]), context))
    members = finding.data.get("members") or finding.data.get("known") or _own_attributes(node, context)
    known = [str(each) for each in members] if isinstance(members, (tuple, list, set)) else []
    return present(rename(context, node, node.attr, known))


def _annotate_in_class(node: ast.Attribute, dropped: str, context: FixContext) -> Fix | None:
    """Say what an empty container of `self` holds, where the compiler asks for it."""
    if not isinstance(node.value, ast.Name) or node.value.id != "self":
        return None
    type_, is_known = _held(node, context) if dropped == "empty list" else _held_by_key(node, context)
    return declare_in_class(context, node, node.attr, type_, "safe" if is_known else "unsafe")


def _held(node: ast.Attribute, context: FixContext) -> tuple[Type, bool]:
    """The type of a list that is appended to here, and whether a literal shows it; else tensors are most likely."""
    method = context.parent(node)
    call = context.parent(method) if isinstance(method, ast.Attribute) and method.attr == "append" else None
    element = _literal(call.args[0]) if isinstance(call, ast.Call) and len(call.args) == 1 else None
    return ListType(element or TENSOR), element is not None


def _held_by_key(node: ast.Attribute, context: FixContext) -> tuple[Type, bool]:
    """The same of a dict that is given a value here."""
    target = context.parent(node)
    statement = context.parent(target) if isinstance(target, ast.Subscript) else None
    key = _literal(target.slice) if isinstance(target, ast.Subscript) else None
    value = _literal(statement.value) if isinstance(statement, ast.Assign) else None
    return DictType(key or STR, value or TENSOR), key is not None and value is not None


def _literal(node: ast.expr) -> Type | None:
    return _LITERALS.get(type(node.value)) if isinstance(node, ast.Constant) else None


def _own_attributes(node: ast.Attribute, context: FixContext) -> set[str]:
    """What the class around assigns to `self`, and its methods, where the attribute is one of `self`."""
    if not isinstance(node.value, ast.Name) or node.value.id != "self":
        return set()
    owner = next((each for each in context.ancestors(node) if isinstance(each, ast.ClassDef)), None)
    if owner is None:
        return set()
    names = {each.name for each in owner.body if isinstance(each, ast.FunctionDef)}
    for each in ast.walk(owner):
        if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store) and isinstance(each.value, ast.Name):
            names.add(each.attr)
    return names


RULE = Rule(
    code="unknown-attribute",
    summary="attribute or method that does not exist",
    category="attributes",
    message=message,
    fixes=fixes,
)
