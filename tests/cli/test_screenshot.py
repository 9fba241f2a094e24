"""The picture in the readme shows what the command says today."""

from __future__ import annotations

import re
from html import unescape

import click

from scripts.screenshot import PICTURE, said


def test_the_picture_is_up_to_date() -> None:
    pieces = re.findall(r"<text [^>]*clip-path[^>]*>(.*?)</text>", PICTURE.read_text("utf-8"), re.DOTALL)
    shown = "".join(unescape(piece).replace("\xa0", " ") for piece in pieces)
    wanted = "$ ts-lsp check examples/mistakes.py" + click.unstyle(said())
    assert "".join(shown.split()) == "".join(wanted.split())
    assert "optional-operand" in wanted


def test_the_picture_fetches_nothing() -> None:
    assert "url(http" not in PICTURE.read_text("utf-8")
    assert "@import" not in PICTURE.read_text("utf-8")
