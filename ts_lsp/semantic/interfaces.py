"""Interfaces: their declarations and the types they make.

Owns `interface_type`, and `declaration_findings`, what is wrong with a declaration.
Invariant: the compiler goes through the methods by name, and a `pass` that is not a method's last statement ends it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ts_lsp.records import dataclass, field
from ts_lsp.semantic import functions
from ts_lsp.semantic.facts import Finding
from ts_lsp.semantic.naming import qualified_name
from ts_lsp.syntax.subset import class_refusals
from ts_lsp.syntax.typecomments import signature_comment
from ts_lsp.types.model import NONE, InterfaceType
from ts_lsp.types.schema import Argument, Schema
from ts_lsp.values.inheritance import is_object
from ts_lsp.values.model import ClassValue, FunctionValue, TorchValue, UnknownValue
from ts_lsp.values.torchnames import MODULE

if TYPE_CHECKING:
    from ts_lsp.semantic.context import FunctionContext
    from ts_lsp.semantic.program import Program


@dataclass(eq=False)
class InterfaceDefinition:
    """The methods an interface declares."""

    schemas: dict[str, Schema] = field(default_factory=dict)

    def method_schemas(self) -> dict[str, Schema]:
        return self.schemas


def interface_type(program: Program, value: ClassValue) -> InterfaceType:
    """The type of an interface; its methods are read from their signatures."""
    known = program.interfaces.get(value)
    program.reach.answered("interface", value)
    if known is not None:
        return known
    definition = InterfaceDefinition()
    qualname = qualified_name(value)
    interface = InterfaceType(qualname, definition, _is_module_interface(value))
    program.interfaces[value] = interface
    with program.reach.once("interface", value):
        for member, node in _methods(value):
            definition.schemas[member.name] = _schema(program.context_of(member), node, interface)
            if _ends_declaration(node):
                break
    return interface


def _is_module_interface(value: ClassValue) -> bool:
    return any(base == TorchValue(MODULE) for base in value.bases)


def _methods(value: ClassValue) -> Iterator[tuple[FunctionValue, ast.FunctionDef]]:
    """The methods that are declared, in the order the compiler sees them."""
    for _, member in sorted(value.members.items()):
        is_method = isinstance(member, FunctionValue) and not member.modifiers & {"property", "staticmethod", "drop"}
        if is_method and isinstance(member, FunctionValue) and isinstance(member.node, ast.FunctionDef):
            yield member, member.node


def _schema(context: FunctionContext, node: ast.FunctionDef, interface: InterfaceType) -> Schema:
    formals = functions.read_signature(context, node)
    if formals:
        formals[0] = Argument(formals[0].name, interface)
    result = context.declared_return
    return Schema(node.name, "", tuple(formals), (Argument("", result if result is not None else NONE),))


def _ends_declaration(node: ast.FunctionDef) -> bool:
    return any(isinstance(statement, ast.Pass) for statement in node.body[:-1])


def declaration_findings(program: Program, value: ClassValue) -> list[Finding]:
    """What is wrong with the declarations of an interface, the compiler's first error first."""
    context = program.class_context(value)
    assert value.node is not None
    if _inherits(value):
        context.report("interface-declaration", value.node, name=value.name, reason="inheritance")
    names = [member.name for member, _ in _methods(value)]
    for refusal in class_refusals(value.node, value.unit.chunk, names):
        context.report(refusal.code, refusal.node, place=refusal.place, details=refusal.data)
    for member, node in _methods(value):
        inner = program.context_of(member)
        _check_method(inner, node, value)
        context.findings.extend(inner.findings)
        if _ends_declaration(node):
            break
    return context.findings


def _inherits(value: ClassValue) -> bool:
    """Whether there is any base but `object`, or `nn.Module` alone."""
    bases = [base for base in value.bases if not is_object(base) and not isinstance(base, UnknownValue)]
    return bool(bases) and bases != [TorchValue(MODULE)]


def _check_method(context: FunctionContext, node: ast.FunctionDef, value: ClassValue) -> None:
    if not (node.args.args or node.args.kwonlyargs):
        context.report("missing-self", node, name=node.name)
        return
    if node.returns is None and signature_comment(node, context.unit.chunk) is None:
        context.report("interface-declaration", node, name=node.name, reason="no-return")
    functions.read_signature(context, node)
    for statement in node.body[:-1]:
        if isinstance(statement, ast.Pass):
            return
        if isinstance(statement, ast.Expr) and not _is_text(statement.value):
            context.report("interface-declaration", node, name=node.name, reason="body")
    if not isinstance(node.body[-1], ast.Pass):
        context.report("interface-declaration", node, name=node.name, reason="no-pass")


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
