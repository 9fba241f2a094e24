"""Input that no good client sends, and files that nobody writes by hand: an answer or a logged line, never an end."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.pipes import Pipes, serving

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
