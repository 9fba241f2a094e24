"""Places in the units of the client: whatever they are, the same pieces of the text are meant.

The text holds letters outside the basic plane, names with combining characters and strings with both, each left of what
is asked about. Every place of an answer is turned into the text that it covers, as the client would read it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.pipes import Message, Pipes, serving

EDITOR = json.loads((Path(__file__).parent / "data/vscode.json").read_text())["capabilities"]
CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
URI = "untitled:places.py"
TEXT = """\
import torch
from torch import Tensor


def doubled(𐌀, s: str = "😋e\u0301"):
    "😋"; return "😋", 𐌀 + 1  # ts-lsp: ignore[unknown-attribute]


@torch.jit.script
def f(x: Tensor, n: int):
    é = [("😋e\u0301", x)]; 𐌁 = doubled(x, s="e\u0301😋"); return 𐌁[1].no_such(), doubled(é[0][1])
"""
LINES = TEXT.split("\n")


class Asking:
    """A server with the text open, asked and answering in the text's own words."""

    def __init__(self, pipes: Pipes, encoding: str) -> None:
        self.pipes = pipes
        self._codec, self._width = CODECS[encoding]
        general = {**EDITOR["general"], "positionEncodings": [encoding]}
        assert pipes.start({**EDITOR, "general": general})["positionEncoding"] == encoding
        pipes.open(URI, TEXT)

    def place(self, line: int, before: str) -> Message:
        """Behind the first occurrence of `before` in a line."""
        text = LINES[line][: LINES[line].index(before) + len(before)]
        return {"line": line, "character": len(text.encode(self._codec)) // self._width}

    def column(self, line: int, units: int) -> int:
        """In code points; fails inside of a character."""
        return len(LINES[line].encode(self._codec)[: units * self._width].decode(self._codec))

    def covered(self, place: Message) -> str:
        """The text of a range."""
        start, end = (self._offset(place[side]) for side in ("start", "end"))
        return TEXT[start:end]

    def _offset(self, place: Message) -> int:
        line = place["line"]
        return sum(len(each) + 1 for each in LINES[:line]) + self.column(line, place["character"])

    def edited(self, edits: list[Message]) -> str:
        text = TEXT
        for edit in sorted(edits, key=lambda each: -self._offset(each["range"]["start"])):
            start, end = (self._offset(edit["range"][side]) for side in ("start", "end"))
            text = text[:start] + edit["newText"] + text[end:]
        return text

    def ask(self, feature: str, **more: object) -> Any:
        return self.pipes.call(f"textDocument/{feature}", {"textDocument": {"uri": URI}, **more})

    def at(self, feature: str, line: int, before: str, **more: object) -> Any:
        return self.ask(feature, position=self.place(line, before), **more)

    def told(self, answer: Any) -> Any:
        """All that an answer covers, in its order."""
        return list(self._told(answer))

    def _told(self, answer: Any) -> Iterator[str]:
        if isinstance(answer, list):
            for each in answer:
                yield from self._told(each)
        elif isinstance(answer, dict) and {"start", "end"} <= answer.keys():
            yield self.covered(answer)
        elif isinstance(answer, dict):
            for each in answer.values():
                yield from self._told(each)


@pytest.fixture(params=CODECS, scope="module")
def asking(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asking]:
    with serving(tmp_path_factory.mktemp("places")) as pipes:
        yield Asking(pipes, request.param)


WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": len(LINES), "character": 0}}
DOUBLED = "\n".join(LINES[4:6]).partition("  #")[0]
BODY = LINES[10].strip()
F = f"def f(x: Tensor, n: int):\n    {BODY}"
CALL, USE, NAME = " 𐌁 = doub", "return 𐌁", "doubled(é"
"""Beginnings of the last line, at whose ends something is asked."""


def test_diagnostics_and_links(asking: Asking) -> None:
    assert asking.told(asking.ask("diagnostic")) == ["# ts-lsp: ignore[unknown-attribute]", "𐌁[1].no_such"]
    assert asking.told(asking.ask("documentLink")) == ["unknown-attribute"]


@pytest.mark.parametrize(
    ("feature", "before", "expected"),
    [
        ("hover", CALL, ["doubled"]),
        ("hover", USE, ["𐌁"]),
        ("hover", NAME, ["é"]),
        ("definition", CALL, [DOUBLED, "doubled"]),
        ("definition", USE, ["𐌁", "𐌁"]),
        ("references", CALL, ["doubled"] * 3),
        ("references", NAME, ["é", "é"]),
        ("documentHighlight", CALL, ["doubled"] * 3),
        ("documentHighlight", USE, ["𐌁", "𐌁"]),
        ("prepareRename", USE, ["𐌁"]),
        ("prepareCallHierarchy", CALL, [DOUBLED, "doubled"]),
    ],
)
def test_what_stands_at_a_place(asking: Asking, feature: str, before: str, expected: list[str]) -> None:
    assert asking.told(asking.at(feature, 10, before, context={"includeDeclaration": True})) == expected


def test_calls_of_a_function(asking: Asking) -> None:
    (item,) = asking.at("prepareCallHierarchy", 10, CALL)
    (caller,) = asking.pipes.call("callHierarchy/incomingCalls", {"item": item})
    assert asking.told(caller) == [F, "f", "doubled", "doubled"]


def test_renaming(asking: Asking) -> None:
    for before, name in ((USE, "𐌁"), (CALL, "doubled"), (NAME, "é")):
        changes = asking.at("rename", 10, before, newName="𐌂new")["documentChanges"]
        assert asking.edited(changes[0]["edits"]) == TEXT.replace(name, "𐌂new")


def test_completion_and_signature(asking: Asking) -> None:
    found = asking.at("completion", 10, "𐌁[1].no")
    assert asking.covered(found["itemDefaults"]["editRange"]) == "no_such"
    shown = asking.at("signatureHelp", 10, "doubled(")
    label = shown["signatures"][0]["label"].encode("utf-16-le")
    start, end = shown["signatures"][0]["parameters"][shown["activeParameter"]]["label"]
    assert label[2 * start : 2 * end].decode("utf-16-le") == "Tensor 𐌀"  # these count so in every encoding


def test_hints_and_actions_write_at_the_same_places(asking: Asking) -> None:
    hints = asking.ask("inlayHint", range=WHOLE)
    behind = [
        LINES[line][: asking.column(line, units)]
        for line, units in ((each["position"]["line"], each["position"]["character"]) for each in hints)
    ]
    before_value = LINES[10].partition(" = doubled")[0]
    assert behind == [LINES[4].removesuffix(":"), "    é", before_value]
    typed = (
        TEXT.replace('e\u0301"):', 'e\u0301") -> tuple[str, Tensor]:')
        .replace("é =", "é: list[tuple[str, Tensor]] =")
        .replace("𐌁 =", "𐌁: tuple[str, Tensor] =")
    )
    assert asking.edited([edit for each in hints for edit in each["textEdits"]]) == typed
    actions = {each["title"]: each for each in asking.ask("codeAction", range=WHOLE, context={"diagnostics": []})}
    all_types = asking.pipes.call("codeAction/resolve", actions["Write all inferred annotations"])
    written = asking.edited(all_types["edit"]["changes"][URI])
    assert written == "\n".join([*typed.split("\n")[:10], *LINES[10:]]).replace("(𐌀,", "(𐌀: Tensor,")
    (parameter,) = [each for title, each in actions.items() if "`𐌀: Tensor`" in title]
    assert asking.edited(parameter["edit"]["changes"][URI]) == TEXT.replace("(𐌀,", "(𐌀: Tensor,")


def test_an_action_is_offered_where_its_finding_stands(asking: Asking) -> None:
    _, finding = asking.ask("diagnostic")["items"]
    titles = [
        each["title"]
        for each in asking.ask("codeAction", range=finding["range"], context={"diagnostics": [finding]})
        if finding in each.get("diagnostics", ())
    ]
    assert any("unknown-attribute" in each for each in titles)


def test_stretches_of_the_text(asking: Asking) -> None:
    grown = asking.told(asking.ask("selectionRange", positions=[asking.place(10, "𐌁[")]))
    assert grown == [
        "1",
        "𐌁[1]",
        "𐌁[1].no_such",
        "𐌁[1].no_such()",
        "𐌁[1].no_such(), doubled(é[0][1])",
        "return 𐌁[1].no_such(), doubled(é[0][1])",
        f"@torch.jit.script\n{F}",
    ]
    assert asking.told(asking.ask("documentSymbol")) == [DOUBLED, "doubled", F, "f"]
    assert [(each["startLine"], each["endLine"]) for each in asking.ask("foldingRange")] == [(4, 5), (9, 10)]
    assert asking.told(asking.ask("codeLens")) == ["doubled", "f", "f"]


def test_tokens(asking: Asking) -> None:
    data = asking.ask("semanticTokens/full")["data"]
    line = units = 0
    found: list[str] = []
    for lines, start, length, _, _ in zip(*[iter(data)] * 5, strict=True):
        line, units = line + lines, start + (units if not lines else 0)
        place = {"start": {"line": line, "character": units}, "end": {"line": line, "character": units + length}}
        found.append(asking.covered(place))
    assert (
        {"𐌀", "𐌁", "é", "doubled"} <= set(found) <= {"𐌀", "𐌁", "é", "doubled", "f", "x", "n", "s", "Tensor", "no_such"}
    )
