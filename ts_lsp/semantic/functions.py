"""One function or method, from its text to its facts.

Owns the compiler's order: the subset over the whole text, parameter and result types, the body, a missing return,
names that loops cannot carry, and last the defaults.
Invariant: the first finding recorded is the compiler's first error.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ts_lsp.records import dataclass
from ts_lsp.semantic import defaults, overload_declarations, statements, written_types
from ts_lsp.semantic.class_definitions import ClassDefinition
from ts_lsp.semantic.context import FunctionContext
from ts_lsp.semantic.environment import Slot
from ts_lsp.semantic.facts import DefinitionFacts, Finding
from ts_lsp.semantic.modules import ModuleDefinition
from ts_lsp.semantic.sugared import ClassConstructor, ModuleInstance
from ts_lsp.syntax.subset import Refusal
from ts_lsp.syntax.typecomments import SignatureComment, signature_comment
from ts_lsp.types.annotations import ParameterType
from ts_lsp.types.model import ANY, INFERRED_TENSOR, NONE, UNKNOWN, DictType, ListType, Type
from ts_lsp.types.schema import Argument, Schema
from ts_lsp.values.model import FunctionValue, Unit

if TYPE_CHECKING:
    from ts_lsp.semantic.program import Program


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters and the declared result of a definition, and what reading them asked for."""

    formals: tuple[Argument, ...]
    declared_return: Type | None
    needs: tuple[object, ...]


@dataclass(eq=False)
class Compiled:
    """What compiling a function came to. `running` while it is being checked: meeting it then is recursion."""

    value: FunctionValue
    owner: ClassDefinition | ModuleDefinition | None = None
    declaration: FunctionValue | None = None
    is_apart: bool = False
    """Whether it compiles where it leaves no trace."""
    unfinished: frozenset[FunctionValue] = frozenset()
    """The methods that compile together with it."""
    running: bool = True
    schema: Schema | None = None
    failure: Finding | None = None
    failure_unit: Unit | None = None
    saw_unknown: bool = False
    unknown_reason: str = ""
    facts: DefinitionFacts | None = None
    declaration_facts: DefinitionFacts | None = None
    """What is wrong in the text of the overload declaration it compiles under, which stands elsewhere."""
    is_amended: bool = False
    """Whether its facts are not its own alone: those of one world among several, or of a hook that does not fit."""
    signature: Signature | None = None
    """What its header says where nothing is wrong with it: an edit in the body leaves it as it is."""

    def begin_again(self, has_same_header: bool = False) -> None:
        """Forget what compiling came to."""
        self.signature = self.signature if has_same_header else None
        self.running, self.saw_unknown, self.unknown_reason, self.is_amended = True, False, "", False
        self.schema = self.failure = self.failure_unit = self.facts = self.declaration_facts = None

    def outcome(self) -> tuple[object, ...]:
        """What those who call it can tell, which mistake it holds aside."""
        return self.schema, self.failure is None, self.saw_unknown, self.unknown_reason


def check_function(
    program: Program,
    value: FunctionValue,
    compiled: Compiled,
    owner: ClassDefinition | ModuleDefinition | None = None,
    declaration: FunctionValue | None = None,
) -> None:
    """Check a definition and fill `compiled`. `declaration` is the overload whose signature replaces the function's."""
    ctx = program.context_of(value, owner)
    if "overload" in value.modifiers:
        _refuse_bare_declaration(ctx)
        _finish(ctx, compiled, value.node)
        return
    ctx.stops_early = program.stops_early(value.unit)
    ctx.uncertain_flow = ctx.is_broken = has_syntax_problem(value)
    for problem in program.python_refusals(value):
        ctx.report("syntax-error", value.node, place=problem.range, message=problem.message)
    for refusal in program.refusals(value, owner is not None):
        _refuse(ctx, refusal)
        ctx.comment_refused = ctx.comment_refused or "type-comment" in refusal.code
    node = value.node
    if isinstance(node, ast.FunctionDef) and not ctx.is_over:
        _check_definition(ctx, node, compiled, declaration)
    _finish(ctx, compiled, node)


def _refuse_bare_declaration(ctx: FunctionContext) -> None:
    """Nothing below the declaration of an overload gave the name a body."""
    node = ctx.function.node
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    ctx.report("missing-implementation", next(iter(decorators), node), name=ctx.function.name)


def has_syntax_problem(value: FunctionValue) -> bool:
    """Whether a part of the definition's text could not be parsed, and is missing from its tree."""
    node = value.node
    last = (node.end_lineno or node.lineno) + 1
    return any(node.lineno - 1 <= problem.range.line < last for problem in value.unit.chunk.problems)


def _check_definition(
    ctx: FunctionContext, node: ast.FunctionDef, compiled: Compiled, declaration: FunctionValue | None
) -> None:
    if declaration is None:
        formals = _own_signature(ctx, node, compiled)
    else:
        header = ctx.program.context_of(declaration, ctx.owner)
        assert isinstance(declaration.node, ast.FunctionDef)
        formals = read_signature(header, declaration.node)
        own = read_signature(ctx.program.context_of(ctx.function, ctx.owner), node)
        formals = overload_declarations.version(ctx, header, formals, own)
        ctx.declared_return = header.declared_return
        if header.failure is not None:
            _finish_declaration(header, compiled)
        if ctx.failure is None:
            ctx.failure, ctx.failure_unit = header.failure, header.failure_unit
    if "classmethod" in ctx.function.modifiers and isinstance(ctx.owner, ClassDefinition) and formals:
        ctx.environment.store_sugar(formals[0].name, ClassConstructor(ctx.owner))
    for variadic in (node.args.vararg, node.args.kwarg):
        if variadic is not None:
            ctx.environment.store(variadic.arg, Slot(UNKNOWN, UNKNOWN, variadic))
    if isinstance(ctx.owner, ModuleDefinition) and formals:
        ctx.environment.store_sugar(formals[0].name, ModuleInstance(ctx.owner))
    for formal in formals:
        if formal.name in ctx.environment.frame.sugar:
            continue
        parameter = _parameter_node(node, formal.name)
        ctx.environment.store(formal.name, Slot(formal.type, formal.type, parameter))
        ctx.bind(formal.name, parameter, formal.type, declared=True)
        ctx.record(parameter, formal.type, "target")
    if "unused" not in ctx.function.modifiers:
        check_body(ctx, node)
    defaults.check_defaults(ctx, node, formals)
    result = ctx.merged_return if ctx.declared_return is None else ctx.declared_return
    compiled.schema = Schema(node.name, "", tuple(formals), (Argument("", result if result is not None else NONE),))


def _own_signature(ctx: FunctionContext, node: ast.FunctionDef, compiled: Compiled) -> list[Argument]:
    """The parameters, as read before where the header is the same; sets the declared return type."""
    known, reach = compiled.signature, ctx.program.reach
    has_comment = ctx.comment_refused or signature_comment(node, ctx.unit.chunk) is not None
    if known is not None and not has_comment:
        for each in known.needs:
            reach.note(each)
        ctx.declared_return = known.declared_return
        return list(known.formals)
    formals = read_signature(ctx, node)
    if not (has_comment or ctx.findings or ctx.failure or ctx.saw_unknown or ctx.named_tuples or ctx.typed):
        compiled.signature = Signature(tuple(formals), ctx.declared_return, tuple(reach.needs.get(compiled, ())))
    return formals


def _refuse(ctx: FunctionContext, refusal: Refusal) -> None:
    ctx.report(refusal.code, refusal.node, place=refusal.place, details=refusal.data)


def _parameter_node(node: ast.FunctionDef, name: str) -> ast.AST:
    for each in (*node.args.args, *node.args.kwonlyargs):
        if each.arg == name:
            return each
    return node


def read_signature(ctx: FunctionContext, node: ast.FunctionDef) -> list[Argument]:
    """The parameters with their types; sets the declared return type."""
    comment = signature_comment(node, ctx.unit.chunk)
    is_static = "staticmethod" in ctx.function.modifiers and not isinstance(ctx.owner, ModuleDefinition)
    is_method = ctx.owner is not None and not is_static
    parameters = [*node.args.args, *node.args.kwonlyargs]
    if is_method and not parameters:
        ctx.report("missing-self", node, name=node.name)
    types = _parameter_types(ctx, parameters, comment, is_method)
    if comment is not None:
        if comment.returns is not None:
            ctx.declared_return = _commented(ctx, comment, comment.returns.tree).type
    elif node.returns is not None:
        found = written_types.read(ctx, node.returns)
        ctx.declared_return = found if found is not None else UNKNOWN
    keyword_only = {each.arg for each in node.args.kwonlyargs}
    with_default = _defaulted(node)
    return [
        Argument(
            each.arg,
            type_.type,
            defaults.default_of(ctx.program.torch, ctx.function, each.arg) if each.arg in with_default else None,
            each.arg in keyword_only,
            type_.list_size,
        )
        for each, type_ in zip(parameters, types, strict=True)
    ]


def _defaulted(node: ast.FunctionDef) -> set[str]:
    """The parameters that have a default."""
    positional = [*node.args.posonlyargs, *node.args.args]
    names = (
        {each.arg for each in positional[len(positional) - len(node.args.defaults) :]} if node.args.defaults else set()
    )
    for each, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
        if default is not None:
            names.add(each.arg)
    return names


def _parameter_types(
    ctx: FunctionContext, parameters: Sequence[ast.arg], comment: SignatureComment | None, is_method: bool
) -> list[ParameterType]:
    types: list[ParameterType] = []
    commented = list(comment.parameters) if comment is not None else []
    for position, parameter in enumerate(parameters):
        if is_method and position == 0:
            assert ctx.owner is not None
            types.append(ParameterType(ctx.owner.type))
            continue
        if comment is not None:
            index = position - (1 if is_method else 0)
            if index < len(commented):
                types.append(_commented(ctx, comment, commented[index].tree))
            else:
                types.append(ParameterType(UNKNOWN))
            continue
        types.append(_annotated(ctx, parameter))
    if comment is None and is_method and ctx.function.name == "__setstate__" and len(types) == 2:
        types[1] = _state_type(ctx, types[1])
    return types


def _state_type(ctx: FunctionContext, own: ParameterType) -> ParameterType:
    """The state of `__setstate__`, which is what `__getstate__` gives unless it is annotated."""
    if own.type != INFERRED_TENSOR or not getattr(own.type, "inferred", False):
        return own
    schemas = ctx.owner.method_schemas() if ctx.owner is not None else {}
    found = schemas.get("__getstate__")
    return ParameterType(found.returns[0].type) if found is not None else own


def _annotated(ctx: FunctionContext, parameter: ast.arg) -> ParameterType:
    if "unused" in ctx.function.modifiers:
        return ParameterType(ANY)
    if ctx.comment_refused:
        return ParameterType(UNKNOWN)
    if parameter.annotation is None:
        return ParameterType(INFERRED_TENSOR)
    found = written_types.read_parameter(ctx, parameter.annotation)
    return found if found is not None else ParameterType(UNKNOWN)


def _commented(ctx: FunctionContext, comment: SignatureComment, tree: ast.expr) -> ParameterType:
    found = written_types.read_parameter(ctx, tree, place=comment.place)
    return found if found is not None else ParameterType(UNKNOWN)


def check_body(ctx: FunctionContext, node: ast.FunctionDef) -> None:
    """The statements, then what is only known once they have all been seen."""
    statements.emit_block(ctx, node.body)
    if not ctx.environment.frame.returns:
        _fall_through(ctx, node)
    elif ctx.merged_return is None:
        ctx.merged_return = ctx.declared_return if ctx.declared_return is not None else NONE
    for statement, name, before, after in ctx.late:
        ctx.report("optional-state-in-loop", statement, name=name, before=before, after=after)
    for target, container, index in ctx.unfit_deletes:
        reason = "index" if isinstance(container, (ListType, DictType)) else "container"
        ctx.report("invalid-delete", target, reason=reason, type=container, found=index)


def _fall_through(ctx: FunctionContext, node: ast.FunctionDef) -> None:
    """The end of a body that is reached: an implicit `return None`."""
    declared = ctx.declared_return
    if ctx.uncertain_flow:
        return
    if declared is not None and declared not in (NONE, UNKNOWN) and not (ctx.in_init and declared == NONE):
        ctx.report("missing-return", node, declared=declared)
        return
    ctx.record(node, NONE, "join")
    if declared is None:
        statements.emit_return(ctx, node, None)


def _finish_declaration(header: FunctionContext, compiled: Compiled) -> None:
    compiled.declaration_facts = DefinitionFacts(
        header.qualname,
        "method" if header.owner is not None else "function",
        header.unit,
        header.function.node,
        "error",
        header.failure,
        None,
        tuple(header.findings),
        first_error_unit=header.failure_unit,
    )


def _finish(ctx: FunctionContext, compiled: Compiled, node: ast.AST) -> None:
    verdict = "error" if ctx.failure is not None else "unknown" if ctx.saw_unknown else "ok"
    compiled.running = False
    compiled.failure = ctx.failure
    compiled.failure_unit = ctx.failure_unit
    compiled.saw_unknown = ctx.saw_unknown
    compiled.unknown_reason = ctx.unknown_reason
    compiled.facts = DefinitionFacts(
        qualname=ctx.qualname,
        kind="method" if ctx.owner is not None else "function",
        unit=ctx.unit,
        node=node,
        verdict=verdict,
        first_error=ctx.failure,
        schema=compiled.schema,
        findings=tuple(ctx.findings),
        typed=tuple(ctx.typed),
        bindings=tuple(ctx.bindings),
        refinements=tuple(ctx.refinements),
        dropped=tuple(ctx.dropped),
        conversions=tuple(dict.fromkeys(ctx.conversions)),
        first_error_unit=ctx.failure_unit,
        unknown_reason=ctx.unknown_reason,
    )
