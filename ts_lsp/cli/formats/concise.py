"""One line a finding: `path:line:column: severity[code] message`, and where else to look if that is another file."""

from __future__ import annotations

from ts_lsp.cli.results import Found, Outcome


def concise(outcome: Outcome) -> str:
    return "".join(f"{headline(found)}{_elsewhere(found)}\n" for found in outcome.findings)


def headline(found: Found) -> str:
    message = " ".join(found.message.split())
    return f"{found.path}:{found.span.line}:{found.span.column}: {found.severity}[{found.code}] {message}"


def _elsewhere(found: Found) -> str:
    """The places in other files that a finding speaks of."""
    places = [each for each in found.related if each.path != found.path]
    return "".join(f" (see {each.path}:{each.span.line}:{each.span.column})" for each in places)
