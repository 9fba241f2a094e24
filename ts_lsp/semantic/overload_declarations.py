"""The signature of one version of an overloaded function.

Owns how a declaration and the implementation make it up. Invariant: parameters that the declaration leaves out are the
implementation's own, so they need a default and a type there.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ts_lsp.records import replace
from ts_lsp.semantic import defaults
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.syntax.typecomments import signature_comment
from ts_lsp.types.schema import Argument
from ts_lsp.values.model import FunctionValue, UnknownValue
from ts_lsp.values.scopes import same

_CODE = "overload-mismatch"
Formals = Sequence[Argument]


def version(ctx: FunctionContext, header: FunctionContext, declared: Formals, implemented: Formals) -> list[Argument]:
    """The parameters under which the implementation, of `ctx`, compiles for the declaration of `header`."""
    _check(ctx, header, declared, implemented)
    extra = [] if ctx.owner is not None else implemented[len(declared) :]
    named = [replace(formal, name=own.name) for formal, own in zip(declared, implemented, strict=False)]
    return [defaults.overload_default(ctx.program.torch, ctx.function, formal) for formal in (*named, *extra)]


def _check(ctx: FunctionContext, header: FunctionContext, declared: Formals, implemented: Formals) -> None:
    """Report the first thing in which a declaration and the implementation do not fit together."""
    name, is_method = ctx.function.name, ctx.owner is not None
    other = _other_default(ctx.function, header.function) if not is_method else None
    if other is not None:
        header.report(_CODE, header.function.node, name=name, argument=other, reason="default")
        return
    if len(declared) > len(implemented) or (is_method and len(declared) != len(implemented)):
        ctx.report(_CODE, ctx.function.node, name=name, reason="count")
        return
    for own, given in zip(implemented, declared, strict=False):
        if own.name != given.name:
            data = {"name": name, "argument": given.name, "implemented": own.name, "reason": "name"}
            header.report(_CODE, header.function.node, details=data)
            return
    typed = _typed(ctx)
    for formal in implemented[len(declared) :]:
        if formal.default is None or (typed is not None and formal.name not in typed):
            reason = "no-default" if formal.default is None else "no-type"
            ctx.report(_CODE, ctx.function.node, name=name, argument=formal.name, reason=reason)
            return


def _other_default(implementation: FunctionValue, declaration: FunctionValue) -> str | None:
    """A parameter whose default in the declaration is certainly not the implementation's."""
    for name, value in declaration.defaults.items():
        own = implementation.defaults.get(name)
        if own is None:
            return name
        if not (same(own, value) or isinstance(own, UnknownValue) or isinstance(value, UnknownValue)):
            return name
    return None


def _typed(ctx: FunctionContext) -> frozenset[str] | None:
    """The annotated parameters; None where a comment says the types."""
    node = ctx.function.node
    if not isinstance(node, ast.FunctionDef) or signature_comment(node, ctx.unit.chunk) is not None:
        return None
    return frozenset(each.arg for each in (*node.args.args, *node.args.kwonlyargs) if each.annotation is not None)
