"""Plain Python is the work of other servers: outside scripted code nothing is told, whatever is asked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.pipes import Message, Pipes, serving

EDITOR = json.loads((Path(__file__).parent / "data/vscode.json").read_text())["capabilities"]
AT_A_PLACE = (
    "hover",
    "completion",
    "signatureHelp",
    "definition",
    "typeDefinition",
    "implementation",
    "references",
    "documentHighlight",
    "prepareRename",
    "prepareCallHierarchy",
    "selectionRange",
)
OF_A_STRETCH = ("inlayHint", "codeAction", "semanticTokens/range")
OF_THE_WHOLE = ("codeLens", "documentSymbol", "foldingRange", "documentLink", "semanticTokens/full", "diagnostic")

PLAIN = '''\
import os
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from typing import List, Optional

LIMIT = 3
total: float = undefined_name + LIMIT


class Plain(nn.Module):
    """Nobody compiles this."""

    def __init__(self, width=4):
        super().__init__()
        self.linear = nn.Linear(width, 4)

    def forward(self, x, y: Optional[Tensor] = None):
        if y is not None:
            return self.linear(x + y).no_such_method()
        return torch.no_such_function(F.relu(x, inplace=True), out=[i for i in x])


@torch.no_grad()
def plain(value, count: int = LIMIT) -> List[int]:
    found = []
    for each in range(count):  # type: ignore
        found.append(os.getpid() + each * value.size(0))
    return Plain(3).forward(found, y=value)


print(plain(torch.ones(3), count=2))
'''
SCRIPTED = """

@torch.jit.script
def scripted(x: Tensor, n: int = 3):
    return F.relu(x) + n
"""


@pytest.fixture(scope="module")
def pipes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipes]:
    folder = tmp_path_factory.mktemp("silent")
    with serving(folder) as pipes:
        pipes.start(EDITOR, rootUri=folder.as_uri())
        yield pipes


def asked(pipes: Pipes, uri: str, feature: str, **more: object) -> Any:
    params: Message = {"textDocument": {"uri": uri}, **more}
    if feature == "references":
        params["context"] = {"includeDeclaration": True}
    if feature == "codeAction":
        params["context"] = {"diagnostics": []}
    if feature == "selectionRange":
        params["positions"] = [more["position"]]
    return pipes.call(f"textDocument/{feature}", params)


def says_nothing(answer: Any) -> bool:
    if isinstance(answer, dict):
        return not answer.get("items", answer.get("data", True))
    return not answer


def places(text: str) -> Iterator[tuple[int, int, str]]:
    """Where somebody may ask: at the start and the end of every word, and behind every mark."""
    for number, line in enumerate(text.splitlines()):
        columns = {0, len(line)} | {each for found in re.finditer(r"\w+|[^\w\s]", line) for each in found.span()}
        yield from ((number, column, line) for column in sorted(columns))


@pytest.mark.parametrize("behind", ["", SCRIPTED], ids=["plain file", "beside scripted code"])
@pytest.mark.parametrize("feature", AT_A_PLACE)
def test_at_every_place_of_plain_code(pipes: Pipes, behind: str, feature: str) -> None:
    uri = "untitled:" + ("mixed.py" if behind else "plain.py")
    pipes.open(uri, PLAIN + behind)
    told = [
        f"{number}:{column} {line.strip()}: {answer}"
        for number, column, line in places(PLAIN)
        if not says_nothing(answer := asked(pipes, uri, feature, position={"line": number, "character": column}))
    ]
    assert told == []


@pytest.mark.parametrize("behind", ["", SCRIPTED], ids=["plain file", "beside scripted code"])
@pytest.mark.parametrize("feature", OF_A_STRETCH)
def test_in_every_stretch_of_plain_code(pipes: Pipes, behind: str, feature: str) -> None:
    uri = "untitled:" + ("mixed.py" if behind else "plain.py")
    pipes.open(uri, PLAIN + behind)
    count = len(PLAIN.splitlines())
    for first, last in [(0, count), *((line, line + 1) for line in range(count))]:
        stretch = {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}
        answer = asked(pipes, uri, feature, range=stretch)
        assert says_nothing(answer), (first, answer)


@pytest.mark.parametrize("feature", OF_THE_WHOLE)
def test_of_a_plain_file(pipes: Pipes, feature: str) -> None:
    pipes.open("untitled:plain.py", PLAIN)
    assert says_nothing(asked(pipes, "untitled:plain.py", feature))


@pytest.mark.parametrize("feature", OF_THE_WHOLE)
def test_of_the_plain_part_of_a_file(pipes: Pipes, feature: str) -> None:
    pipes.open("untitled:mixed.py", PLAIN + SCRIPTED)
    answer = asked(pipes, "untitled:mixed.py", feature)
    assert says_nothing(answer) is (feature in ("diagnostic", "documentLink"))
    if feature.startswith("semanticTokens"):
        first = [answer["data"][0]]
    else:
        found = re.findall(r'"(?:start|startLine)": (?:\{"line": )?(\d+)', json.dumps(answer))
        first = [int(each) for each in found]
    assert all(line > len(PLAIN.splitlines()) for line in first)


def test_nothing_of_plain_code_is_a_symbol_or_an_entry_point(pipes: Pipes) -> None:
    pipes.open("untitled:plain.py", PLAIN)
    assert pipes.call("workspace/symbol", {"query": "plain"}) in (None, [])
    entries = pipes.call("workspace/executeCommand", {"command": "ts-lsp.showEntryPoints"})
    assert [each for each in entries if each["uri"] == "untitled:plain.py"] == []
