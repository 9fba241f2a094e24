"""What real editors show of one program: the same, whatever they count columns in.

TS_LSP_EDITORS says which editors are meant; by default those that are installed. CI does not go without Neovim.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import pytest

from tests.editors.sessions import EDITORS, PROGRAM, Editor, held

_IN_CI = os.environ.get("CI", "").lower() in ("1", "true")
_NAMED = os.environ.get("TS_LSP_EDITORS", "").split()


def _is_meant(editor: Editor) -> bool:
    if _NAMED:
        return editor.name in _NAMED
    return (_IN_CI and editor.name == "neovim") or editor.command() is not None


_MEANT = [
    pytest.param(each, id=each.name, marks=pytest.mark.xdist_group(f"session in {each.name}"))
    for each in EDITORS
    if _is_meant(each)
]
Seen = Mapping[str, Any]


@pytest.fixture(scope="module", params=_MEANT)
def editor(request: pytest.FixtureRequest) -> Editor:
    chosen: Editor = request.param
    return chosen


@pytest.fixture(scope="module")
def seen(editor: Editor, tmp_path_factory: pytest.TempPathFactory) -> Seen:
    return held(editor, tmp_path_factory.mktemp(editor.name))


def test_the_encoding_is_the_one_that_the_editor_likes_best(editor: Editor, seen: Seen) -> None:
    assert seen.get("encoding") == editor.encoding


def test_diagnostics_mark_what_they_are_about_and_obey_settings(seen: Seen) -> None:
    (found,) = seen["diagnostics"]
    assert (found["line"], found["marked"]) == ('        mark = "é😋"; total += value', "total")
    assert found.get("code", "reassigned-type") == "reassigned-type"  # not everybody tells
    assert "cannot become `float`" in found["message"]


def test_hover_tells_the_type(seen: Seen) -> None:
    assert "copied: List[float]" in seen["hover"]


def test_completions_are_those_of_the_value(seen: Seen) -> None:
    assert "append" in seen["completions"]
    assert "print" not in seen["completions"]


def test_a_fix_is_applied(editor: Editor, seen: Seen) -> None:
    assert seen.get("fixed") == ('    unit = "é😋"; total = 0.0' if editor.has_fixes else None)


def test_hints_stand_behind_the_names(editor: Editor, seen: Seen) -> None:
    told = [(each["before"], each["label"]) for each in seen.get("hints", ())]
    assert (('    unit = "é😋"; total', ": float") in told) is editor.has_hints
    assert (('    text = "é😋"; copied', ": List[float]") in told) is editor.has_hints


def test_a_renaming_reaches_every_use(editor: Editor, seen: Seen) -> None:
    before = PROGRAM.replace("total = 0", "total = 0.0") if editor.has_fixes else PROGRAM
    assert seen["text"] == before.replace("copied", "fresh")
