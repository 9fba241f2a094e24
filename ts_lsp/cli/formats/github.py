"""GitHub's workflow commands: findings as annotations of a pull request."""

from __future__ import annotations

from ts_lsp.cli.results import Found, Outcome

_LEVEL = {"error": "error", "warning": "warning", "information": "notice", "hint": "notice"}


def github(outcome: Outcome) -> str:
    return "".join(_command(found) for found in outcome.findings)


def _command(found: Found) -> str:
    properties = {
        "title": f"ts-lsp ({found.code})",
        "file": found.path,
        "line": str(found.span.line),
        "col": str(found.span.column),
        "endLine": str(found.span.end_line),
        "endColumn": str(found.span.end_column),
    }
    listed = ",".join(f"{name}={_escape_property(value)}" for name, value in properties.items())
    notes = [f"{each.path}:{each.span.line}:{each.span.column}: {each.message}" for each in found.related]
    return f"::{_LEVEL[found.severity]} {listed}::{_escape(chr(10).join([found.message, *notes]))}\n"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
