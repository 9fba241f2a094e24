"""`faded: text` of what begins at the place and is not compiled, for that reason; `faded: nothing`."""

from __future__ import annotations

from tests.ide.places import Place
from ts_lsp.ide.faded import faded
from ts_lsp.project.settings import FADED_KINDS


def check(place: Place, text: str) -> list[str]:
    shown = [each.message for each in faded(place.snapshot, FADED_KINDS) if each.range.start == place.position]
    agrees = not shown if text == "nothing" else len(shown) == 1 and text in shown[0]
    return [] if agrees else [f"shows {shown}"]
