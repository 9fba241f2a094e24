"""What commands list: facts at a place, definitions and entry points, as plain data for an editor's extension."""

from __future__ import annotations

import ast

from ts_lsp.ide.cursor import DEFINITIONS, Cursor, cursor_at
from ts_lsp.semantic.analysis import EntryFacts
from ts_lsp.semantic.facts import DefinitionFacts
from ts_lsp.server.diagnostics import Json, range_item
from ts_lsp.server.session import Session
from ts_lsp.server.view import View
from ts_lsp.server.worker import CancelToken
from ts_lsp.text import Position
from ts_lsp.types.display import annotation_form, operator_schema_text
from ts_lsp.types.model import UnknownType


def facts_at(session: Session, uri: str, line: int, units: int, token: CancelToken) -> Json | None:
    """The types at a place, and what is known of the definition around it, for each object that it compiles for."""
    document = session.document(uri)
    view = session.view(document, token) if document is not None else None
    if document is None or view is None:
        return None
    cursor = cursor_at(view.snapshot, document.position(line, units))
    if cursor is None:
        return None
    return {
        "node": type(cursor.node).__name__,
        "range": _place(cursor, view),
        "types": [annotation_form(each) for each in cursor.types(cursor.node)],
        "definitions": [_definition(each, view) for each in cursor.facts()],
    }


def _place(cursor: Cursor, view: View) -> Json | None:
    if isinstance(cursor.node, ast.Module):
        return None
    return range_item(view.document, view.snapshot.place(cursor.unit, cursor.node))


def _definition(facts: DefinitionFacts, view: View) -> Json:
    return {
        "name": facts.qualname,
        "kind": facts.kind,
        "verdict": facts.verdict,
        "schema": operator_schema_text(facts.schema) if facts.schema is not None else None,
        "unknownReason": facts.unknown_reason,
        "compiledBecause": [
            {"uri": view.address(entry.unit.path), "line": entry.line}
            for entry in view.snapshot.facts.reached.get(facts.node, ())
        ],
        "refinements": [
            {
                "name": each.name,
                "before": annotation_form(each.before),
                "after": annotation_form(each.after),
                "line": facts.unit.first_line + getattr(each.condition, "lineno", 1) - 1,
            }
            for each in facts.refinements
        ],
        "attributes": [
            {
                "name": each.name,
                "kind": each.kind,
                "type": annotation_form(each.type) if each.type else None,
                "why": each.why,
            }
            for each in facts.attributes
        ],
    }


def definitions(session: Session, uri: str, token: CancelToken) -> Json | None:
    """Every definition of a document: those that compile with verdicts and types, and why the others do not."""
    document = session.document(uri)
    view = session.view(document, token, needs_all=True) if document is not None else None
    if view is None:
        return None
    facts = view.snapshot.facts
    return {
        "definitions": [_placed(each, view) for each in facts.definitions if isinstance(each.node, DEFINITIONS)],
        "unreached": [
            {
                "name": each.value.qualname,
                "kind": each.kind,
                "line": each.value.unit.first_line + getattr(each.value.node, "lineno", 1) - 1,
                "why": each.why,
            }
            for each in facts.unreached
        ],
    }


def _placed(facts: DefinitionFacts, view: View) -> Json:
    """A definition with its line, the first error that the compiler would raise, and its variables."""
    first, unit = facts.first_error, facts.first_error_unit or facts.unit
    error = None
    if first is not None:
        error = {"code": first.code, "uri": view.address(unit.path), "line": first.place.line + unit.first_line}
    types: dict[str, dict[str, None]] = {}
    for each in facts.bindings:
        if not isinstance(each.type, UnknownType):
            types.setdefault(each.name, {})[annotation_form(each.type)] = None
    return {
        **_definition(facts, view),
        "line": facts.unit.first_line + getattr(facts.node, "lineno", 1) - 1,
        "firstError": error,
        "variables": [{"name": name, "types": list(every)} for name, every in types.items()],
    }


def entry_points(session: Session, token: CancelToken) -> list[Json]:
    """What the open documents hand to the compiler, in their order."""
    found: list[Json] = []
    for document in session.documents:
        token.check()
        view = session.view(document, token)
        if view is not None:
            found += [_entry(each, view) for each in view.snapshot.facts.entries]
    return found


def _entry(facts: EntryFacts, view: View) -> Json:
    entry = facts.entry
    line, units = view.document.units(Position(entry.line, entry.column))
    return {
        "uri": view.document.uri,
        "position": {"line": line, "character": units},
        "through": entry.through,
        "kind": entry.kind,
        "target": facts.facts.qualname if facts.facts is not None else None,
        "verdict": facts.verdict,
    }
