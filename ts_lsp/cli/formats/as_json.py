"""The JSON that other programs rely on: findings for `check`, everything for `dump`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Union

from ts_lsp.cli.results import DefinitionResult, EntryResult, FileResult, Found, Outcome, Span

Json = Union[None, bool, int, float, str, Sequence["Json"], Mapping[str, "Json"]]


def findings_json(outcome: Outcome) -> str:
    """The outcome without entries and definitions."""
    return _text(outcome, [{"path": file.path, "findings": _findings(file)} for file in outcome.files])


def dump_json(outcome: Outcome) -> str:
    """The whole outcome."""
    files: list[Json] = [
        {
            "path": file.path,
            "entries": [_entry(entry) for entry in file.entries],
            "definitions": [_definition(definition) for definition in file.definitions],
            "unreached": [
                {"qualname": each.qualname, "kind": each.kind, "line": each.line, "why": each.why}
                for each in file.unreached
            ],
            "findings": _findings(file),
        }
        for file in outcome.files
    ]
    return _text(outcome, files)


def _text(outcome: Outcome, files: Sequence[Json]) -> str:
    document: Json = {"torch_version": outcome.torch_version, "files": files}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def span_json(span: Span) -> dict[str, Json]:
    return {
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def _entry(entry: EntryResult) -> Json:
    return {
        "line": entry.line,
        "kind": entry.kind,
        "target": entry.target,
        "target_path": entry.target_path,
        "target_line": entry.target_line,
        "verdict": entry.verdict,
    }


def _definition(definition: DefinitionResult) -> Json:
    first = definition.first_error
    return {
        "qualname": definition.qualname,
        "kind": definition.kind,
        "line": definition.line,
        "end_line": definition.end_line,
        "verdict": definition.verdict,
        "first_error": {"path": first.path, "line": first.line, "code": first.code} if first else None,
        "schema": definition.schema,
        "entries": [{"path": each.path, "line": each.line} for each in definition.entries],
        "attributes": [
            {"name": each.name, "kind": each.kind, "type": each.type, "why": each.why or None}
            for each in definition.attributes
        ],
        "unknown_reason": definition.unknown_reason or None,
        "values": [{**span_json(value.span), "type": value.type} for value in definition.values],
    }


def _findings(file: FileResult) -> list[Json]:
    return [finding_json(found) for found in file.findings]


def finding_json(found: Found) -> Json:
    return {
        "code": found.code,
        "severity": found.severity,
        "message": found.message,
        **span_json(found.span),
        "definition": found.definition,
        "related": [
            {"path": each.path, "line": each.span.line, "column": each.span.column, "message": each.message}
            for each in found.related
        ],
        "fixes": [
            {
                "title": fix.title,
                "applicability": fix.applicability,
                "edits": [{"path": edit.path, **span_json(edit.span), "text": edit.text} for edit in fix.edits],
            }
            for fix in found.fixes
        ],
    }
