"""Argument of the wrong type.

## What it does
Finds arguments that neither are of the parameter's type nor are converted to it.

## Why TorchScript refuses it
Arguments are converted from tensor to number, from bool to int or float, from tuple to list and from str to device;
never from int to float, from None, or into a tensor. A parameter without annotation is a Tensor.

## Example
```py
def scale(x: Tensor, factor: float) -> Tensor:
    return x * factor

@torch.jit.script
def use(x: Tensor) -> Tensor:
    return scale(x, 2)
```

## Use instead
```py
def scale(x: Tensor, factor: float) -> Tensor:
    return x * factor

@torch.jit.script
def use(x: Tensor) -> Tensor:
    return scale(x, 2.0)
```

## Fix
Write a float literal; assert that an Optional is not None; annotate the empty list that is appended to.

## Compiler's wording
Expected a value of type T for argument X but instead found type U.
"""

from __future__ import annotations

import ast

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.edits import (
    annotate_first_binding,
    annotate_parameter,
    find_parameter,
    float_literal,
    guard_against_none,
    optional_of,
    present,
)
from ts_lsp.rules.model import Fix, Rule
from ts_lsp.rules.wording import callee_name, may_be_none, plain, quoted
from ts_lsp.semantic.facts import Finding, Related
from ts_lsp.types.model import FLOAT, INT, NONE, TENSOR, ListType, Type, TypeVariable


def message(finding: Finding) -> str:
    expected, found = finding.data.get("expected"), finding.data.get("found")
    callee, argument = callee_name(finding), plain(finding, "argument")
    receiver = _appended_list(finding)
    if receiver and isinstance(expected, TypeVariable):
        return (
            f"{quoted(found)} cannot be appended to `{receiver}`: a list made by `[]` without annotation holds tensors."
        )
    if argument.isdigit():
        # A Python object that is called back has no names for what it takes.
        return f"{callee} is Python code that is called back with tensors only, not with {quoted(found)}."
    wanted = "something else" if isinstance(expected, TypeVariable) else quoted(expected, "something else")
    parameter = "A parameter" if argument == "<varargs>" else quoted(argument or None, "A parameter")
    text = f"{parameter} of {callee} takes {wanted}, not {quoted(found)}."
    if expected == TENSOR and getattr(expected, "inferred", False):
        return f"{text} The parameter is a Tensor because it has no annotation."
    if may_be_none(found):
        return f"{text} The value may be None here."
    if expected == FLOAT and found == INT:
        return f"{text} An int is not turned into a float."
    return text


def related_message(related: Related) -> str:
    return "the parameters are declared here" if related.role == "definition" else related.role.replace("-", " ")


def fixes(finding: Finding, context: FixContext) -> tuple[Fix, ...]:
    expected, found = finding.data.get("expected"), finding.data.get("found")
    if expected == FLOAT and found == INT:
        return present(float_literal(context, finding.node))
    if expected == TENSOR and getattr(expected, "inferred", False):
        return present(_annotate_callee(finding, context))
    if may_be_none(found):
        return present(guard_against_none(context, finding.node, "unsafe"))
    call = finding.data.get("call")
    if isinstance(call, ast.Call) and isinstance(found, ListType) and ast.unparse(call.func) == "reversed":
        text = f"{context.text_of(call.args[0])}[::-1]"
        in_loop = isinstance(context.parent(call), ast.For)
        return (Fix(f"Write `{text}`", "safe" if in_loop else "unsafe", (context.replace(call, text),)),)
    receiver = _appended_list(finding)
    if receiver and isinstance(found, Type):
        return present(annotate_first_binding(context, finding.node, receiver, ListType(found)))
    return ()


def _annotate_callee(finding: Finding, context: FixContext) -> Fix | None:
    """Give the parameter, which has no annotation, the type of the argument; only in this very file."""
    declared = next((each.place for each in finding.related if each.role == "definition"), None)
    if declared is None or declared.unit.path != context.unit.path:
        return None
    callee = FixContext(declared.unit, context.text)
    for node in ast.walk(declared.unit.chunk.tree):
        if isinstance(node, ast.FunctionDef) and node.lineno - 1 == declared.range.line:
            parameter = find_parameter(callee, node, finding.data.get("argument"))
            found = finding.data.get("found")
            if found == NONE:
                fix = annotate_parameter(callee, parameter, optional_of(TENSOR))
                return Fix(fix.title, "unsafe", fix.edits) if fix is not None else None
            return annotate_parameter(callee, parameter, found)
    return None


def _appended_list(finding: Finding) -> str:
    """The name of the list on which `append` is called, if that is what is called."""
    call = finding.data.get("call")
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "append":
        return ""
    return call.func.value.id if isinstance(call.func.value, ast.Name) else ""


RULE = Rule(
    code="argument-type",
    summary="argument of the wrong type",
    category="calls",
    message=message,
    related_message=related_message,
    fixes=fixes,
)
