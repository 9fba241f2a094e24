"""`signature-help: label | parameter | n of m`: the active signature, its active parameter (`-` is none), the count."""

from __future__ import annotations

from tests.ide.places import Place
from ts_lsp.ide.signature_help import signature_help


def check(place: Place, text: str) -> list[str]:
    found = signature_help(place.snapshot, place.position)
    if found is None:
        return [] if text == "nothing" else ["there is none"]
    active = found.signatures[found.active]
    parameter = "-"
    if active.active is not None:
        start, end = active.parameters[active.active]
        parameter = active.label[start:end]
    said = f"{active.label} | {parameter} | {found.active + 1} of {len(found.signatures)}"
    return [] if said == text else [f"says {said!r}"]
