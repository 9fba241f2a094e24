"""Edits that several rules share: guards against None, annotations, literals, names.

Invariant: each function gives None where its edit would not parse or not mend the finding.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterable, Iterator

from ts_lsp.rules.context import FixContext
from ts_lsp.rules.model import Applicability, Edit, Fix
from ts_lsp.syntax.walking import walk_statements
from ts_lsp.types.model import (
    NONE,
    ClassType,
    DictType,
    EnumType,
    InterfaceType,
    ListType,
    NamedTupleType,
    OptionalType,
    SimpleType,
    TupleType,
    Type,
    UnionType,
)

_PLAIN_NAMES = {"int": "int", "float": "float", "complex": "complex", "bool": "bool", "str": "str", "NoneType": "None"}
_IMPORTED_NAMES = {"Tensor": ("torch", "Tensor"), "Device": ("torch", "device"), "Any": ("typing", "Any")}


def present(*fixes: Fix | None) -> tuple[Fix, ...]:
    """The fixes without the missing ones."""
    return tuple(fix for fix in fixes if fix is not None)


def spell_type(t: object, context: FixContext) -> tuple[str, tuple[Edit, ...]] | None:
    """How the type is written in this file and the imports that takes; None where it has no written form."""
    if isinstance(t, SimpleType):
        if t.name in _PLAIN_NAMES:
            return _PLAIN_NAMES[t.name], ()
        return context.spell(*_IMPORTED_NAMES[t.name]) if t.name in _IMPORTED_NAMES else None
    if isinstance(t, (ClassType, EnumType, NamedTupleType, InterfaceType)):
        name = context.spell_class(t.qualname) if not getattr(t, "is_module", False) else None
        return (name, ()) if name is not None else None
    generic = _generic(t)
    if generic is None:
        return None
    name, arguments = generic
    spelled, edits = context.spell_generic(name)
    written: list[str] = []
    for argument in arguments:
        inner = spell_type(argument, context)
        if inner is None:
            return None
        written.append(inner[0])
        edits += inner[1]
    return f"{spelled}[{', '.join(written) or '()'}]", tuple(dict.fromkeys(edits))


def _generic(t: object) -> tuple[str, tuple[Type, ...]] | None:
    if isinstance(t, ListType):
        return "List", (t.element,)
    if isinstance(t, DictType):
        return "Dict", (t.key, t.value)
    if isinstance(t, TupleType):
        return ("Tuple", t.elements) if not t.names else None  # an annotation would take the names away
    if isinstance(t, OptionalType):
        # The compiler reads an Optional of a Union as one flat Union, which is another type.
        return ("Optional", (t.element,)) if not isinstance(t.element, UnionType) else None
    return ("Union", t.members) if isinstance(t, UnionType) else None


def guard_against_none(context: FixContext, node: ast.AST | None, applicability: Applicability = "safe") -> Fix | None:
    """`assert x is not None` above the statement; for an attribute a local is made first, since only names refine."""
    statement = context.statement_of(node) if node is not None else None
    if statement is None or node is None or not _can_go_above(context, statement, node):
        return None
    if isinstance(node, ast.Name):
        guard = f"assert {node.id} is not None"
        return Fix(f"Insert `{guard}`", applicability, (context.insert_statement_before(statement, guard),))
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        local = _free_name(context, node.attr)
        path = context.text_of(node)
        guard = f"{local} = {path}\n{context.indentation(statement.lineno - 1)}assert {local} is not None"
        return Fix(
            f"Keep `{path}` in the local `{local}` and assert that it is not None",
            applicability,
            (context.insert_statement_before(statement, guard), context.replace(node, local)),
        )
    return None


def _can_go_above(context: FixContext, statement: ast.stmt, node: ast.AST) -> bool:
    """Whether a statement can be put above, and will have run each time the node is evaluated."""
    if isinstance(statement, (ast.While, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return False
    if isinstance(statement, ast.If) and context.text_of(statement).startswith("elif"):
        return False
    for ancestor in context.ancestors(node):
        if ancestor is statement:
            break
        if isinstance(ancestor, (ast.ListComp, ast.DictComp, ast.GeneratorExp, ast.IfExp, ast.BoolOp)):
            return False
    return context.starts_its_line(statement)


def _free_name(context: FixContext, wanted: str) -> str:
    taken = {node.id for node in ast.walk(context.unit.chunk.tree) if isinstance(node, ast.Name)}
    taken |= {node.arg for node in ast.walk(context.unit.chunk.tree) if isinstance(node, ast.arg)}
    name = wanted.lstrip("_") or "value"
    while name in taken:
        name += "_"
    return name


def bindings_of(function: ast.AST, name: str) -> Iterator[ast.Assign]:
    """The plain assignments to a name in a function, in no particular order."""
    for node in walk_statements(function):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Name) and target.id == name:
                yield node


def annotate_first_binding(context: FixContext, node: ast.AST | None, name: object, t: object) -> Fix | None:
    """`name: T = ...` where the function first assigns the name."""
    function = context.function_of(node) if node is not None else None
    if function is None or not isinstance(name, str):
        return None
    first = min(bindings_of(function, name), key=lambda each: each.lineno, default=None)
    spelled = spell_type(t, context)
    if first is None or spelled is None or any(each.arg == name for each in _parameters(function)):
        return None
    text, imports = spelled
    edits = (context.insert_after(first.targets[0], f": {text}"), *imports)
    return Fix(f"Annotate `{name}: {text}`", "safe", edits)


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.arg]:
    arguments = function.args
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


def declare_in_class(
    context: FixContext, node: ast.AST, name: str, t: object, applicability: Applicability = "safe"
) -> Fix | None:
    """`name: T` in the body of the class around: an annotation in `__init__` does not count for modules."""
    owner = next((each for each in context.ancestors(node) if isinstance(each, ast.ClassDef)), None)
    spelled = spell_type(t, context)
    first = next((each for each in owner.body if not _is_docstring(each)), None) if owner is not None else None
    if spelled is None or first is None or not context.starts_its_line(first):
        return None
    line = min([first.lineno, *(each.lineno for each in getattr(first, "decorator_list", ()))]) - 1
    text = f"{name}: {spelled[0]}"
    edit = context.insert(line, 0, f"{context.indentation(line)}{text}\n")
    return Fix(f"Declare `{text}` in the class body", applicability, (edit, *spelled[1]))


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def find_parameter(context: FixContext, node: ast.AST | None, name: object) -> ast.arg | None:
    """The parameter of that name of the function around the node."""
    function = context.function_of(node) if node is not None else None
    if function is None:
        return None
    return next((each for each in _parameters(function) if each.arg == name), None)


def annotate_parameter(context: FixContext, parameter: ast.arg | None, t: object) -> Fix | None:
    """Give a parameter this annotation, in the place of the one that it has."""
    spelled = spell_type(t, context)
    if parameter is None or spelled is None:
        return None
    text, imports = spelled
    return Fix(f"Annotate `{parameter.arg}: {text}`", "safe", (*write_annotation(context, parameter, text), *imports))


def write_annotation(context: FixContext, parameter: ast.arg, text: str) -> list[Edit]:
    """`x=1` becomes `x: int = 1`."""
    if parameter.annotation is not None:
        return [context.replace(parameter.annotation, text)]
    default = default_of(context, parameter)
    spaces = _spaced_default(context, parameter, default) if default is not None else []
    return [context.insert_after(parameter, f": {text}"), *spaces]


def default_of(context: FixContext, parameter: ast.arg) -> ast.expr | None:
    arguments = context.parent(parameter)
    if not isinstance(arguments, ast.arguments):
        return None
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults: dict[ast.arg, ast.expr | None] = dict(
        zip(reversed(positional), reversed(arguments.defaults), strict=False)
    )
    defaults.update(zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True))
    return defaults.get(parameter)


def _spaced_default(context: FixContext, parameter: ast.arg, default: ast.expr) -> list[Edit]:
    """An annotated parameter's default has blanks around its sign."""
    name, value = context.range_of(parameter), context.range_of(default)
    between = type(name)(name.end_line, name.end_column, value.line, value.column)
    return [context.replace(between, " = ")] if context.text_of(between) == "=" else []


def annotate_return(context: FixContext, node: ast.AST | None, t: object) -> Fix | None:
    """Put this type as the return annotation of the function around the node."""
    function = context.function_of(node) if node is not None else None
    spelled = spell_type(t, context)
    if function is None or spelled is None:
        return None
    text, imports = spelled
    if function.returns is not None:
        edit = context.replace(function.returns, text)
    else:
        colon = header_colon(context, function)
        if colon is None:
            return None
        edit = context.insert(*colon, f" -> {text}")
    return Fix(f"Annotate the result as `{text}`", "safe", (edit, *imports))


def header_colon(context: FixContext, function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[int, int] | None:
    """Where the colon before the body stands."""
    header = [each for each in (*ast.walk(function.args), function.returns) if isinstance(each, (ast.expr, ast.arg))]
    start = max((context.range_of(each).end for each in header), default=context.range_of(function).start)
    body = context.range_of(function.body[0]).start
    for line in range(start.line, body.line + 1):
        first = start.column if line == start.line else 0
        code = context.lines.line(line)[first:].split("#")[0]  # no strings stand behind what the header holds
        if ":" in code:
            return line, first + code.index(":")
    return None


def float_literal(context: FixContext, node: ast.AST | None) -> Fix | None:
    """`1` becomes `1.0`."""
    operand = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else node
    if not isinstance(operand, ast.Constant) or type(operand.value) is not int:
        return None
    text = context.text_of(operand)
    if not text.isdecimal():
        return None
    return Fix(f"Write the float `{text}.0`", "safe", (context.replace(operand, f"{text}.0"),))


def change_annotation(context: FixContext, statement: ast.AST | None, t: object) -> Fix | None:
    """Put this type in the place of an annotated assignment's annotation."""
    spelled = spell_type(t, context)
    if not isinstance(statement, ast.AnnAssign) or spelled is None:
        return None
    edits = (context.replace(statement.annotation, spelled[0]), *spelled[1])
    return Fix(f"Change the annotation to `{spelled[0]}`", "unsafe", edits)


def drop_annotation(context: FixContext, statement: ast.AST | None) -> Fix | None:
    """`x: T = v` becomes `x = v`."""
    if not isinstance(statement, ast.AnnAssign) or statement.value is None:
        return None
    target, annotation = context.range_of(statement.target), context.range_of(statement.annotation)
    between = type(target)(target.end_line, target.end_column, annotation.end_line, annotation.end_column)
    return Fix("Remove the annotation", "safe", (context.replace(between, ""),))


def rename(context: FixContext, node: ast.AST | None, wrong: object, known: Iterable[str]) -> Fix | None:
    """Write the known name that comes nearest to a misspelt one."""
    if not isinstance(wrong, str) or not isinstance(node, (ast.Name, ast.Attribute, ast.keyword)):
        return None
    close = difflib.get_close_matches(wrong, [name for name in known if name != wrong], n=1, cutoff=0.75)
    if not close:
        return None
    place = context.range_of(node)
    if isinstance(node, ast.Attribute):
        place = type(place)(place.end_line, place.end_column - len(node.attr), place.end_line, place.end_column)
    elif isinstance(node, ast.keyword):
        place = type(place)(place.line, place.column, place.line, place.column + len(wrong))
    return Fix(f"Write `{close[0]}`", "unsafe", (context.replace(place, close[0]),))


def optional_of(t: object) -> Type | None:
    """`Optional[t]`, where that is a type to be written."""
    if not isinstance(t, Type) or t == NONE:
        return None
    return t if isinstance(t, OptionalType) else OptionalType(t)
