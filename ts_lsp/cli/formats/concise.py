"""One line a finding: `path:line:column: severity[code] message`."""

from __future__ import annotations

from ts_lsp.cli.results import Found, Outcome


def concise(outcome: Outcome) -> str:
    return "".join(f"{headline(found)}\n" for found in outcome.findings)


def headline(found: Found) -> str:
    message = " ".join(found.message.split())
    return f"{found.path}:{found.span.line}:{found.span.column}: {found.severity}[{found.code}] {message}"
