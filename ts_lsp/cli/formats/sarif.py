"""SARIF 2.1.0, as code scanning services read it. Columns count code points, which the run declares."""

from __future__ import annotations

import json
from pathlib import PurePath
from urllib.parse import quote

from ts_lsp import __version__
from ts_lsp.cli.formats.as_json import Json
from ts_lsp.cli.results import Found, FoundEdit, FoundFix, Outcome, Span
from ts_lsp.rules.registry import find_rule, page

_LEVEL = {"error": "error", "warning": "warning", "information": "note", "hint": "note"}


def sarif(outcome: Outcome) -> str:
    codes = sorted({found.code for found in outcome.findings})
    run: Json = {
        "tool": {
            "driver": {"name": "ts-lsp", "version": __version__, "rules": [_rule(code) for code in codes]},
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(found, codes) for found in outcome.findings],
    }
    document: Json = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _rule(code: str) -> Json:
    rule = find_rule(code)
    summary = rule.summary if rule else code
    severity = rule.severity if rule else "error"
    return {
        "id": code,
        "shortDescription": {"text": summary},
        "help": {"text": summary, "markdown": page(code)},
        "defaultConfiguration": {"level": _LEVEL[severity]},
    }


def _result(found: Found, codes: list[str]) -> Json:
    result: dict[str, Json] = {
        "ruleId": found.code,
        "ruleIndex": codes.index(found.code),
        "level": _LEVEL[found.severity],
        "message": {"text": found.message},
        "locations": [{"physicalLocation": _location(found.path, found.span)}],
    }
    if found.related:
        result["relatedLocations"] = [
            {"physicalLocation": _location(each.path, each.span), "message": {"text": each.message}}
            for each in found.related
        ]
    if found.fixes:
        result["fixes"] = [_fix(fix) for fix in found.fixes]
    return result


def _fix(fix: FoundFix) -> Json:
    paths = sorted({edit.path for edit in fix.edits})
    return {
        "description": {"text": fix.title},
        "artifactChanges": [
            {
                "artifactLocation": {"uri": _uri(path)},
                "replacements": [_replacement(edit) for edit in fix.edits if edit.path == path],
            }
            for path in paths
        ],
    }


def _replacement(edit: FoundEdit) -> Json:
    return {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}}


def _location(path: str, span: Span) -> Json:
    return {"artifactLocation": {"uri": _uri(path)}, "region": _region(span)}


def _region(span: Span) -> Json:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _uri(path: str) -> str:
    pure = PurePath(path)
    return pure.as_uri() if pure.is_absolute() else quote(pure.as_posix())
