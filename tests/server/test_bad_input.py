"""Input that no good client sends, and files that nobody writes by hand: an answer or a logged line, never an end."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.pipes import Message, Pipes, serving
from ts_lsp.server.handlers import DOCUMENT_FEATURES, FEATURES

EDITOR = json.loads((Path(__file__).parent / "data/vscode.json").read_text())["capabilities"]
NOT_INITIALIZED, INVALID_REQUEST, INVALID_PARAMS, CANCELLED = -32002, -32600, -32602, -32800
LONE = "\ud83d"
"""Half of a character, which JSON can spell."""
CUT = f'import torch\n\n@torch.jit.script\ndef f(x):\n    return "😋{LONE}", x.no_such(\n    y = "😋"; y\n'
PLACES = {
    "negative": (-1, -5),
    "before the line": (4, -7),
    "behind the line": (4, 999),
    "inside of a character": (5, 10),
    "behind the text": (999, 0),
    "largest": (2**31 - 1, 2**31 - 1),
    "too large": (2**63, 10**30),
    "no whole number": (1.5, 2),
    "no number": ("a", None),
}
URI = "untitled:bad"
BROKEN = "import torch\n\n@torch.jit.script\ndef f(x):\n    return x.no_such_method()\n"
ODD_FILES = {
    "nul.py": b"import torch\n\0\n",
    "latin.py": b"import torch  # \xe9\n",
    "long.py": b"import torch\nx = '" + b"a" * 5_000_000 + b"'\n",
    "deep.py": b"import torch\nx = " + b"(" * 10_000 + b")" * 10_000 + b"\n",
    "deeper.py": b"import torch\nx = " + b"-" * 10_000 + b"1\n",
    "sum.py": b"import torch\n\n@torch.jit.script\ndef f(x: int):\n    return " + b"x + " * 10_000 + b"x\n",
    "cycle_a.py": b"import torch\nfrom cycle_b import g\n\n@torch.jit.script\ndef f(x):\n    return g(x)\n",
    "cycle_b.py": b"import torch\nfrom cycle_a import f\n\n@torch.jit.script\ndef g(x):\n    return f(x)\n",
}


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Pipes]:
    with serving(tmp_path) as pipes:
        pipes.start()
        yield pipes


def test_thousands_of_changes(running: Pipes) -> None:
    """In one message, and in one message each: the text is that of the last."""
    running.open(URI, "")
    place = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    changes = [{"range": place, "text": letter} for letter in reversed(BROKEN * 30)]
    document = {"uri": URI, "version": 2}
    running.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})
    assert len(running.diagnostics(URI, 2)) == 30
    for version in range(3, 2000):
        running.change(URI, version, "x", 0, 0, 0, 0)
    running.change(URI, 2000, BROKEN)
    assert len(running.diagnostics(URI, 2000)) == 1
    assert running.end() == 0


def test_a_document_is_opened_twice_and_closed_twice(running: Pipes) -> None:
    running.open(URI, "x = 1\n")
    running.open(URI, BROKEN, 2)
    assert len(running.diagnostics(URI, 2)) == 1
    for _ in range(2):
        running.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    running.change(URI, 3, "", 0, 0, 1, 0)
    running.open(URI, BROKEN, 4)
    assert len(running.diagnostics(URI, 4)) == 1


@pytest.mark.parametrize("name", ODD_FILES)
def test_odd_files(tmp_path: Path, name: str) -> None:
    for each, content in ODD_FILES.items():
        if each == name or each.startswith("cycle"):
            (tmp_path / each).write_bytes(content)
    (tmp_path / "broken.py").write_text(BROKEN)
    with serving(tmp_path) as pipes:
        pipes.start({"textDocument": {"diagnostic": {}}}, rootUri=tmp_path.as_uri())
        pipes.open((tmp_path / name).as_uri(), ODD_FILES[name].decode("utf-8", "replace"))
        place = {"line": 4, "character": 12}
        pipes.call("textDocument/hover", {"textDocument": {"uri": (tmp_path / name).as_uri()}, "position": place})
        reports = pipes.call("workspace/diagnostic", {"previousResultIds": []})["items"]
        told = {each["uri"]: [item["code"] for item in each["items"]] for each in reports}
        assert told[(tmp_path / "broken.py").as_uri()] == ["unknown-attribute"]
        assert pipes.end() == 0


def test_a_check_of_odd_files(tmp_path: Path) -> None:
    for name, content in ODD_FILES.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "broken.py").write_text(BROKEN)
    command = [sys.executable, "-m", "ts_lsp", "check", "--output-format", "json", "."]
    environment = {"PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False, timeout=120)
    assert done.returncode == 1, done.stderr
    assert b"internal fault" not in done.stderr
    assert "no_such_method" in json.dumps(json.loads(done.stdout))


def question(method: str, uri: str, position: object) -> Message:
    """The parameters of any request, of which each takes what it knows."""
    stretch = {"start": position, "end": position}
    item = {"name": LONE, "kind": 12, "uri": uri, "range": stretch, "selectionRange": stretch}
    context = {"context": {"diagnostics": [], "includeDeclaration": True}}
    return {
        "textDocument": {"uri": uri},
        "position": position,
        "positions": [position],
        "range": stretch,
        "item": item,
        "newName": f"z{LONE}",
        "query": LONE,
        "label": LONE,
        "title": LONE,
        "kind": "source.organizeTypes" if method == "codeAction/resolve" else 1,
        "data": {"uri": uri},
        "previousResultId": LONE,
        **(context if method in ("textDocument/codeAction", "textDocument/references") else {}),
    }


@pytest.mark.parametrize("place", PLACES.values(), ids=list(PLACES))
def test_every_feature_at_odd_places_of_an_odd_text(tmp_path: Path, place: tuple[object, object]) -> None:
    uri = f"untitled:{LONE}.py"
    with serving(tmp_path) as pipes:
        pipes.start(EDITOR)
        pipes.open(uri, CUT)
        position = {"line": place[0], "character": place[1]}
        codes = {
            answer["error"]["code"]
            for feature in FEATURES
            if "error" in (answer := pipes.answer(pipes.ask(feature.method, question(feature.method, uri, position))))
        }
        assert codes <= {INVALID_PARAMS}
        assert [each for each in pipes.seen if each.get("method") == "window/logMessage"] == []
        assert pipes.end() == 0


def test_every_feature_too_early_and_too_late(tmp_path: Path) -> None:
    place = {"line": 4, "character": 11}
    with serving(tmp_path) as pipes:
        questions = [(feature.method, question(feature.method, URI, place)) for feature in FEATURES]
        assert {pipes.refused(*each) for each in questions} == {NOT_INITIALIZED}
        pipes.start(EDITOR)
        pipes.open(URI, BROKEN)
        pipes.call("shutdown")
        assert {pipes.refused(*each) for each in questions} == {INVALID_REQUEST}
        pipes.notify("exit")
        assert pipes.process.wait(30) == 0


@pytest.mark.parametrize("uri", ["file:///no/file.py", "untitled:x", "", "no address", "file://[", "file:///%ff%00.py"])
def test_every_feature_of_a_file_that_is_not_there(tmp_path: Path, uri: str) -> None:
    with serving(tmp_path) as pipes:
        pipes.start(EDITOR)
        for feature in DOCUMENT_FEATURES:
            about = question(feature.method, uri, {"line": 0, "character": 0})
            assert pipes.refused(feature.method, about) == INVALID_PARAMS, feature.method
        assert pipes.end() == 0


def test_versions_out_of_order_are_logged_and_messages_count_as_they_come(running: Pipes) -> None:
    running.open(URI, BROKEN, 5)
    assert len(running.diagnostics(URI, 5)) == 1
    for version, before, text in ((3, 5, "relu"), (3, 3, "no_such"), (-1, 3, "sigmoid")):
        end = 13 + len("no_such_method" if before == 5 else "relu" if text == "no_such" else "no_such")
        running.change(URI, version, text, 4, 13, 4, end)
        told = running.notification("window/logMessage")["message"]
        assert f"version {version} of {URI} after version {before}" in told
        assert len(running.diagnostics(URI, version)) == (text == "no_such")


def test_queued_running_and_finished_requests_are_cancelled(running: Pipes) -> None:
    running.open(URI, BROKEN * 100)
    hover = {"textDocument": {"uri": URI}, "position": {"line": 4, "character": 11}}
    asked = [running.ask("textDocument/hover", hover) for _ in range(50)]
    kept = asked[25]
    for number in asked:
        if number != kept:
            running.notify("$/cancelRequest", {"id": number})
    answers = {number: running.answer(number) for number in asked}
    assert "Tensor" in answers[kept]["result"]["contents"]["value"]
    refused = {each["error"]["code"] for each in answers.values() if "error" in each}
    assert refused == {CANCELLED}
    for each in (*asked, -1, "x"):
        running.notify("$/cancelRequest", {"id": each})
    running.call("textDocument/hover", hover)
    answered = [each["id"] for each in running.seen if "method" not in each]
    assert answered == []
    assert running.end() == 0


def test_whatever_the_server_asks_is_never_answered(tmp_path: Path) -> None:
    """Settings, registrations, progress and edits; what needs no answer goes on."""
    (tmp_path / "broken.py").write_text(BROKEN)
    for number in range(300):
        (tmp_path / f"plain{number}.py").write_text("x = 1\n")
    with serving(tmp_path) as pipes:
        pipes.start(EDITOR, workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "x"}])
        reports = pipes.call("workspace/diagnostic", {"previousResultIds": []})["items"]
        assert [(each["uri"], len(each["items"])) for each in reports] == [((tmp_path / "broken.py").as_uri(), 1)]
        pipes.notify("workspace/didChangeConfiguration", {"settings": None})
        pipes.open(URI, BROKEN)
        place = {"textDocument": {"uri": URI}, "position": {"line": 4, "character": 11}}
        assert "Tensor" in pipes.call("textDocument/hover", place)["contents"]["value"]
        asked = {each["method"] for each in pipes.seen if "id" in each and "method" in each}
        assert {"client/registerCapability", "workspace/configuration"} <= asked
        assert pipes.end() == 0
