"""What is known of the thing under the cursor.

Owns `hover`. Invariant: it speaks of compiled code only; of a definition that does not compile it says why, where
its class or file has code that does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ts_lsp.ide.callees import schemas_at
from ts_lsp.ide.cursor import DEFINITIONS, Cursor, cursor_at, typed_node
from ts_lsp.ide.names import defined_name
from ts_lsp.ide.python_names import path_at
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.ide.symbol_at import python_value_at
from ts_lsp.records import dataclass
from ts_lsp.semantic.conversion import operator
from ts_lsp.semantic.facts import AttributeFact, DefinitionFacts
from ts_lsp.semantic.modules import ModuleDefinition
from ts_lsp.text import Position, Range, range_of
from ts_lsp.types.display import annotation_form, operator_schema_text
from ts_lsp.types.model import Type, UnknownType
from ts_lsp.values.model import EntryPoint, FunctionValue, TorchValue

_MOST_SCHEMAS = 6


@dataclass(frozen=True, slots=True)
class Hover:
    """`code` is Python or a schema, `notes` are sentences in Markdown. `range` counts in the file.

    `denotes` is the path by which Python knows the thing, if torch or Python defines it.
    """

    range: Range
    code: tuple[str, ...]
    notes: tuple[str, ...] = ()
    denotes: str = ""


def hover(snapshot: Snapshot, position: Position) -> Hover | None:
    """What to show at a place; None where there is nothing to say."""
    cursor = cursor_at(snapshot, position)
    if cursor is None:
        return None
    definition = _named_definition(cursor)
    if definition is not None:
        return _definition(cursor, definition)
    facts = cursor.function_facts()
    if not facts and isinstance(cursor.node, ast.Attribute):
        return _attribute_outside(cursor, cursor.node)
    if not facts or not isinstance(cursor.node, (ast.expr, ast.arg, ast.keyword)):
        return None
    node = _whole(cursor)
    place = snapshot.place(cursor.unit, node)
    dropped = _dropped(cursor, facts)
    if dropped:
        return Hover(place, (), (dropped,))
    code = tuple(_code(cursor, node))
    notes = tuple(dict.fromkeys(_notes(cursor, facts, node)))
    return Hover(place, code, notes, path_at(cursor, node)) if code or notes else None


def _whole(cursor: Cursor) -> ast.AST:
    """The expression that the cursor means: a keyword argument means its value."""
    node = cursor.node
    return node.value if isinstance(node, ast.keyword) else node


def _code(cursor: Cursor, node: ast.AST) -> Iterator[str]:
    types = [each for each in cursor.types(node) if not isinstance(each, UnknownType)]
    is_callee = any(isinstance(each, ast.Call) and each.func is node for each in cursor.nodes)
    if isinstance(node, ast.expr) and (is_callee or not types):
        schemas = schemas_at(cursor, node)
        yield from (operator_schema_text(each) for each in schemas[:_MOST_SCHEMAS])
        if len(schemas) > _MOST_SCHEMAS:
            yield f"# and {len(schemas) - _MOST_SCHEMAS} more"
        if schemas and is_callee and types:
            yield f"-> {' | '.join(map(annotation_form, types))}"
            return
    name = node.id if isinstance(node, ast.Name) else node.arg if isinstance(node, ast.arg) else ""
    for each in types:
        yield f"{name}: {annotation_form(each)}" if name else annotation_form(each)


def _notes(cursor: Cursor, facts: Sequence[DefinitionFacts], node: ast.AST) -> Iterator[str]:
    if len(cursor.types(node)) > 1:
        yield "The definition compiles for several objects, for each with a type of its own."
        yield from _worlds(cursor, facts, node)
    is_bare = isinstance(node, ast.arg) and node.annotation is None
    if is_bare and any(getattr(each, "inferred", False) for each in cursor.types(node)):
        yield "inferred: a parameter without annotation is a Tensor"
    if isinstance(node, ast.Name):
        yield from _refined(cursor, facts, node)
        if isinstance(node.ctx, ast.Store) and not _is_declared(facts, node):
            yield "inferred from the value"
    if isinstance(node, ast.Attribute):
        yield from _attribute(cursor, node)
    yield from _converted(facts, node)
    if isinstance(node, ast.expr):
        value = python_value_at(cursor, node)
        if isinstance(value, FunctionValue):
            yield from _docstring(value)
        elif isinstance(value, TorchValue):
            yield f"`{value.path}`, as torch {cursor.snapshot.torch.version} knows it"


def _worlds(cursor: Cursor, facts: Sequence[DefinitionFacts], node: ast.AST) -> Iterator[str]:
    """The type of a node under each choice of the constructor that the source leaves open."""
    own = {id(each): each for each in facts}
    for compiled in cursor.snapshot.analysis.program.functions.values():
        fact = own.get(id(compiled.facts))
        worlds = compiled.owner.object.worlds if isinstance(compiled.owner, ModuleDefinition) else ()
        typed = typed_node(fact, node) if fact is not None and worlds else None
        if typed is not None:
            yield f"`{annotation_form(typed.type)}` {', '.join(worlds)}"


def _converted(facts: Sequence[DefinitionFacts], node: ast.AST) -> Iterator[str]:
    """What the compiler makes of a value on its way into what it is for."""
    for each in (each for fact in facts for each in fact.conversions if each.node is node):
        yield f"converted to `{annotation_form(each.after)}` here, by `{operator(each.before, each.after)}`"


def _is_declared(facts: Sequence[DefinitionFacts], node: ast.Name) -> bool:
    return any(each.node is node and each.declared for fact in facts for each in fact.bindings)


def _refined(cursor: Cursor, facts: Sequence[DefinitionFacts], node: ast.Name) -> Iterator[str]:
    """From which type a condition refined the name, and where it stands."""
    types = cursor.types(node)
    for fact in facts:
        for each in reversed(fact.refinements):
            line = getattr(each.condition, "lineno", 0)
            if each.name == node.id and each.after in types and each.before not in types and line <= node.lineno:
                yield _because(cursor, each.before, each.condition)
                break


def _because(cursor: Cursor, before: Type, condition: ast.AST) -> str:
    line = getattr(condition, "lineno", 1) + cursor.unit.first_line
    return f"refined from `{annotation_form(before)}` by `{ast.unparse(condition)}` in line {line}"


def _attribute_facts(cursor: Cursor, node: ast.Attribute) -> Iterator[AttributeFact]:
    """What is known of an attribute of the object whose method this is."""
    owner = next((each for each in cursor.nodes if isinstance(each, ast.ClassDef)), None)
    is_own = isinstance(node.value, ast.Name) and node.value.id == "self"
    for fact in cursor.snapshot.facts_at(owner) if owner is not None and is_own else ():
        yield from (each for each in fact.attributes if each.name == node.attr)


def _attribute(cursor: Cursor, node: ast.Attribute) -> Iterator[str]:
    """Why an attribute of the object is not there in compiled code."""
    for each in _attribute_facts(cursor, node):
        if each.kind == "dropped":
            yield f"left out of compiled code: {each.why}"
        elif each.kind != "attribute":
            yield f"a {each.kind} of the module"


def _attribute_outside(cursor: Cursor, node: ast.Attribute) -> Hover | None:
    """What compiled code has of an attribute to which a method that is not compiled gives a value."""
    if not isinstance(node.ctx, ast.Store):
        return None
    types = dict.fromkeys(each.type for each in _attribute_facts(cursor, node))
    code = tuple(f"{node.attr}: {annotation_form(each)}" for each in types if each is not None)
    notes = tuple(dict.fromkeys(_attribute(cursor, node)))
    return Hover(cursor.snapshot.place(cursor.unit, node), code, notes) if code or notes else None


def _docstring(value: FunctionValue) -> Iterator[str]:
    if isinstance(value.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        text = ast.get_docstring(value.node)
        if text:
            yield text


def _dropped(cursor: Cursor, facts: Sequence[DefinitionFacts]) -> str:
    """Why the branch around the cursor is not compiled; empty where it is."""
    around = set(cursor.nodes)
    for fact in facts:
        for each in fact.dropped:
            if not around.isdisjoint(each.statements):
                line = getattr(each.condition, "lineno", 1) + cursor.unit.first_line
                return f"not compiled: `{ast.unparse(each.condition)}` in line {line} decides it before that"
    return ""


# Definitions.


def _named_definition(cursor: Cursor) -> ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | None:
    """The definition whose name is under the cursor."""
    node = cursor.node
    if not isinstance(node, DEFINITIONS):
        return None
    name = defined_name(node, cursor.unit.chunk.lines)
    return node if name is not None and name.touches(cursor.inside) else None


def _definition(cursor: Cursor, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Hover | None:
    snapshot = cursor.snapshot
    name = defined_name(node, cursor.unit.chunk.lines)
    place = (name or range_of(node, cursor.unit.chunk.lines)).moved(cursor.unit.first_line)
    facts = snapshot.facts_at(node)
    notes = list(_compiled_notes(snapshot, node, facts))
    if not facts:
        unreached = next((each for each in snapshot.facts.unreached if each.value.node is node), None)
        is_near = unreached is not None and unreached.kind == "method" and _is_of_compiled_class(cursor)
        if unreached is None or not is_near:
            return None
        return Hover(place, (), (f"not compiled: {unreached.why}",))
    code = dict.fromkeys(str(operator_schema_text(each.schema)) for each in facts if each.schema is not None)
    if isinstance(node, ast.ClassDef):
        code = dict.fromkeys(_members(facts[0]))
    return Hover(place, tuple(code), tuple(notes))


def _is_of_compiled_class(cursor: Cursor) -> bool:
    owner = next((each for each in cursor.nodes[1:] if isinstance(each, ast.ClassDef)), None)
    return owner is not None and bool(cursor.snapshot.facts_at(owner))


def _members(facts: DefinitionFacts) -> Iterator[str]:
    for each in facts.attributes:
        if each.type is not None:
            yield f"{each.name}: {annotation_form(each.type)}"
        elif each.kind == "dropped":
            yield f"# {each.name}: left out, {each.why}"


def _compiled_notes(snapshot: Snapshot, node: ast.AST, facts: Sequence[DefinitionFacts]) -> Iterator[str]:
    for each in dict.fromkeys(fact.verdict for fact in facts):
        unknown = next((fact.unknown_reason for fact in facts if fact.unknown_reason), "")
        errors = sum(len(fact.findings) for fact in facts)
        yield {
            "ok": "compiles",
            "error": f"does not compile: {errors} mistakes here" if errors else "does not compile",
            "unknown": f"may compile: {unknown} is not known" if unknown else "may compile",
        }[each]
    entries = snapshot.facts.reached.get(node, ())
    yield from (_entry(snapshot, each) for each in entries[:3])
    if len(entries) > 3:
        yield f"and by {len(entries) - 3} other entry points"


def _entry(snapshot: Snapshot, entry: EntryPoint) -> str:
    where = f"line {entry.line + 1}"
    if entry.unit.path != snapshot.path:
        where += f" of {entry.unit.module}"
    return f"compiled because of `{entry.through}` in {where}"
