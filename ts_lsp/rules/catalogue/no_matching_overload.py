"""Call that fits none of the overloads.

## What it does
Finds calls of functions with several signatures, none of which takes these arguments.

## Why TorchScript refuses it
The signatures are tried in order, first as the arguments are, then with conversions (tensor to number, number and
bool to int or float, str to device); the first that fits is taken.

## Example
```py
@torch.jit.script
def make(n: str) -> Tensor:
    return torch.zeros([n])
```

## Use instead
```py
@torch.jit.script
def make(n: int) -> Tensor:
    return torch.zeros([n])
```

## Fix
Guard an argument that may be None.

## Compiler's wording
Arguments for call are not valid. The following variants are available: ...
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import guard_against_none, present
from ts_lsp.rules.model import Edit, Fix, Rule
from ts_lsp.rules.wording import callee_name, enumeration, listed, may_be_none, quoted, type_list
from ts_lsp.semantic.facts import Finding, Related
from ts_lsp.semantic.overloads import Mismatch
from ts_lsp.text import Range

# What NumPy calls parameters that torch's operators call otherwise; eager torch takes both.
_TORCH_NAMES = {"axis": "dim", "keepdims": "keepdim"}


def message(finding: Finding) -> str:
    callee = callee_name(finding, "This function")
    given = [quoted(each) for each in type_list(finding)]
    keywords = [each for each in listed(finding, "keywords") if isinstance(each, tuple) and len(each) == 2]
    given += [f"{quoted(each)} for `{name}`" for name, each in keywords]
    return f"{callee} has no signature for {enumeration(given) or 'these arguments'}.{_nearest(finding)}"


def _nearest(finding: Finding) -> str:
    """Why the signature that comes nearest does not fit: the one that got furthest before it failed."""
    failures = [each for each in listed(finding, "failures") if isinstance(each, Mismatch)]
    if not failures:
        return ""
    nearest = max(failures, key=lambda each: (each.reason in ("type", "type-variable"), each.index))
    if nearest.reason in ("type", "type-variable") and nearest.expected is not None:
        return f" The nearest takes {quoted(nearest.expected)} for `{nearest.argument}`, not {quoted(nearest.found)}."
    if nearest.reason == "missing":
        return f" The nearest needs an argument for `{nearest.argument}`."
    if nearest.reason == "unknown-keyword":
        return f" No signature has a parameter `{nearest.argument}`."
    return ""


def related_message(related: Related) -> str:
    return "the parameters are declared here" if related.role == "definition" else related.role.replace("-", " ")


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    call = finding.node if isinstance(finding.node, ast.Call) else None
    if call is None and finding.node is not None:
        parent = context.parent(finding.node)
        call = parent if isinstance(parent, ast.Call) else None
    if call is None:
        return ()
    renamed = [
        _renamed(context, each) for each in call.keywords if _has_parameter(finding, _TORCH_NAMES.get(each.arg or ""))
    ]
    if renamed:
        return (Fix("Write torch's own names", "safe", tuple(edit for edits in renamed for edit in edits)),)
    arguments = zip(call.args, type_list(finding), strict=False)
    optional = [node for node, given in arguments if may_be_none(given)]
    return present(guard_against_none(context, optional[0], "unsafe")) if len(optional) == 1 else ()


def _has_parameter(finding: Finding, name: str | None) -> bool:
    schemas = [each.schema for each in listed(finding, "failures") if isinstance(each, Mismatch)]
    return any(argument.name == name for schema in schemas for argument in schema.arguments)


def _renamed(context: FixContext, keyword: ast.keyword) -> tuple[Edit, ...]:
    """The keyword with torch's name for it."""
    place, name = context.range_of(keyword), keyword.arg or ""
    return (context.replace(Range(place.line, place.column, place.line, place.column + len(name)), _TORCH_NAMES[name]),)


RULE = Rule(
    code="no-matching-overload",
    summary="call that fits none of the overloads",
    category="calls",
    message=message,
    related_message=related_message,
    fixes=fixes,
)
