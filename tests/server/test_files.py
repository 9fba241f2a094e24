"""Files on disk: those that open documents import, libraries, folders, and the compiler itself."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.oracle.client import oracle_python
from tests.server.pipes import Message, Pipes, serving

CREATED, CHANGED, DELETED = 1, 2, 3
USER = "import torch\nfrom library import double\n\n@torch.jit.script\ndef f(x):\n    return double(x)\n"
TAKES_TENSOR = "from torch import Tensor\n\ndef double(x: Tensor) -> Tensor:\n    return x * 2\n"
TAKES_STRING = "def double(x: str) -> str:\n    return x * 2\n"
BROKEN = "import torch\n\n@torch.jit.script\ndef f(x):\n    return x.no_such_method()\n"


@pytest.fixture
def pipes(tmp_path: Path) -> Iterator[Pipes]:
    with serving(tmp_path) as pipes:
        yield pipes


def told(pipes: Pipes, path: Path) -> list[Message]:
    """The diagnostics of a file that come next."""
    message = pipes.notification("textDocument/publishDiagnostics", lambda params: params["uri"] == path.as_uri())
    found: list[Message] = message["diagnostics"]
    return found


def happened(pipes: Pipes, path: Path, kind: int) -> None:
    pipes.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": kind}]})


def test_a_file_that_an_open_one_imports_changes_on_disk(tmp_path: Path, pipes: Pipes) -> None:
    library, user = tmp_path / "library.py", tmp_path / "user.py"
    pipes.start(rootUri=tmp_path.as_uri())
    library.write_text(TAKES_STRING)
    pipes.open(user.as_uri(), USER)
    assert len(told(pipes, user)) == 1
    library.write_text(TAKES_TENSOR)
    happened(pipes, library, CHANGED)
    assert told(pipes, user) == []
    library.unlink()
    happened(pipes, library, DELETED)
    pipes.call("textDocument/hover", {"textDocument": {"uri": user.as_uri()}, "position": {"line": 5, "character": 11}})
    library.write_text(TAKES_STRING)
    happened(pipes, library, CREATED)
    assert len(told(pipes, user)) == 1


def test_a_closed_document_is_what_is_on_disk(tmp_path: Path, pipes: Pipes) -> None:
    library, user = tmp_path / "library.py", tmp_path / "user.py"
    pipes.start(rootUri=tmp_path.as_uri())
    library.write_text(TAKES_STRING)
    pipes.open(library.as_uri(), TAKES_TENSOR)
    pipes.open(user.as_uri(), USER)
    assert pipes.diagnostics(user.as_uri(), 1) == []
    pipes.notify("textDocument/didClose", {"textDocument": {"uri": library.as_uri()}})
    assert len(told(pipes, user)) == 1


def test_nothing_is_said_of_libraries_and_of_other_languages(tmp_path: Path, pipes: Pipes) -> None:
    packages = tmp_path / ".venv/lib/python3.11/site-packages"
    packages.mkdir(parents=True)
    (tmp_path / ".venv/pyvenv.cfg").write_text("home = /usr/bin\n")
    pipes.start(rootUri=tmp_path.as_uri())
    pipes.open((packages / "library.py").as_uri(), BROKEN)
    assert told(pipes, packages / "library.py") == []
    pipes.open((tmp_path / "own.py").as_uri(), BROKEN)
    assert len(told(pipes, tmp_path / "own.py")) == 1
    item = {"uri": (tmp_path / "x.toml").as_uri(), "languageId": "toml", "version": 1, "text": "a = [\n"}
    pipes.notify("textDocument/didOpen", {"textDocument": item})
    place = {"textDocument": {"uri": item["uri"]}, "position": {"line": 0, "character": 0}}
    assert pipes.call("textDocument/hover", place) is None


def test_buffers_without_a_file(pipes: Pipes) -> None:
    pipes.start()
    pipes.open("untitled:Untitled-1", BROKEN)
    assert len(pipes.diagnostics("untitled:Untitled-1", 1)) == 1


def test_each_folder_has_its_settings(tmp_path: Path, pipes: Pipes) -> None:
    for name, settings in (("one", '[tool.ts-lsp]\nignore = ["unknown-attribute"]\n'), ("two", "")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pyproject.toml").write_text(settings)
    folders = [{"uri": (tmp_path / name).as_uri(), "name": name} for name in ("one", "two")]
    pipes.start(workspaceFolders=folders[:1])
    for folder, count in zip(folders, (0, 1), strict=True):
        pipes.open(f"{folder['uri']}/a.py", BROKEN)
        assert len(pipes.diagnostics(f"{folder['uri']}/a.py", 1)) == count
    pipes.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": folders[1:], "removed": folders[:1]}})
    assert [each["verdict"] for each in pipes.call("workspace/executeCommand", {"command": "ts-lsp.showEntryPoints"})]


def test_the_workspace_is_told_of_once(tmp_path: Path, pipes: Pipes) -> None:
    pipes.start({"textDocument": {"diagnostic": {}}}, rootUri=tmp_path.as_uri())
    for name, text in (("broken.py", BROKEN), ("user.py", USER), ("library.py", TAKES_TENSOR), ("plain.py", "x = 1\n")):
        (tmp_path / name).write_text(text)
    reports = pipes.call("workspace/diagnostic", {"previousResultIds": []})["items"]
    assert [(Path(each["uri"]).name, len(each["items"])) for each in reports] == [("broken.py", 1)]
    known = [{"uri": each["uri"], "value": each["resultId"]} for each in reports]
    number = pipes.ask("workspace/diagnostic", {"previousResultIds": known})
    pipes.open((tmp_path / "broken.py").as_uri(), BROKEN.replace("no_such_method", "relu"))
    (changed,) = pipes.answer(number)["result"]["items"]
    assert (changed["uri"], changed["version"], changed["items"]) == ((tmp_path / "broken.py").as_uri(), 1, [])


def test_folders_that_are_no_good(tmp_path: Path, pipes: Pipes) -> None:
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "dangling.py").symlink_to(tmp_path / "nowhere.py")
    (tmp_path / "binary.py").write_bytes(b"torch\0\xff")
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "closed").mkdir(mode=0)
    (tmp_path / "latin.py").write_bytes(b"import torch  # \xe9\n")
    (tmp_path / "broken.py").write_text(BROKEN)
    folders = [{"uri": each, "name": "x"} for each in (tmp_path.as_uri(), "file:///no/such/folder", "untitled:x")]
    pipes.start({"textDocument": {"diagnostic": {}}}, workspaceFolders=folders)
    reports = pipes.call("workspace/diagnostic", {"previousResultIds": []})["items"]
    assert (tmp_path / "broken.py").as_uri() in [each["uri"] for each in reports]
    (tmp_path / "broken.py").unlink()
    happened(pipes, tmp_path / "broken.py", DELETED)
    known = [{"uri": each["uri"], "value": each["resultId"]} for each in reports]
    again = pipes.call("workspace/diagnostic", {"previousResultIds": known})["items"]
    assert [(each["uri"], each["items"]) for each in again] == [((tmp_path / "broken.py").as_uri(), [])]
    assert pipes.end() == 0


def test_projects_are_told_to_a_client_that_wants_them(tmp_path: Path, pipes: Pipes) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.ts-lsp]\ntorch-version = "1.13"\n')
    pipes.start({"experimental": {"tsLspProjects": True}}, rootUri=tmp_path.as_uri())
    pipes.open((tmp_path / "some.py").as_uri(), "")
    (project,) = pipes.notification("ts-lsp/projects")["projects"]
    assert (project["root"], project["torchVersion"]) == (tmp_path.as_uri(), "1.13")


def test_entry_points_of_files_that_nobody_opened(tmp_path: Path, pipes: Pipes) -> None:
    """A function compiles because of them; what they hand over is told as soon as they are ignored no more."""
    library, user = tmp_path / "library.py", tmp_path / "user.py"
    user.write_text("import torch\nfrom library import f\n\ntorch.jit.script(f)\n")
    (tmp_path / ".gitignore").write_text("user.py\n")
    pipes.start(rootUri=tmp_path.as_uri())
    pipes.open(library.as_uri(), "def f(x):\n    return x.no_such_method()\n")
    assert told(pipes, library) == []
    (tmp_path / ".gitignore").write_text("")
    happened(pipes, tmp_path / ".gitignore", CHANGED)
    assert len(told(pipes, library)) == 1
    user.unlink()
    happened(pipes, user, DELETED)
    assert told(pipes, library) == []
    user.write_text("import torch, library\n\ntorch.jit.script(library.f)\n")
    happened(pipes, user, CREATED)
    assert len(told(pipes, library)) == 1


@pytest.mark.parametrize("watches", [True, False])
def test_another_branch_is_checked_out(tmp_path: Path, pipes: Pipes, watches: bool) -> None:
    """Many files change at once; of a client that does not say so it is learnt with its next question."""
    files = [tmp_path / f"library{number}.py" for number in range(60)]
    user = tmp_path / "user.py"
    calls = "".join(f"    x = library{number}.double(x)\n" for number in range(60))
    imports = "".join(f"import library{number}\n" for number in range(60))
    capability = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}} if watches else {}
    for file in files:
        file.write_text(TAKES_STRING)
    pipes.start(capability, rootUri=tmp_path.as_uri())
    pipes.open(user.as_uri(), f"import torch\n{imports}\n@torch.jit.script\ndef f(x):\n{calls}    return x\n")
    assert told(pipes, user)
    place = {"textDocument": {"uri": user.as_uri()}, "position": {"line": 64, "character": 5}}
    pipes.call("textDocument/hover", place)
    for file in files:
        file.write_text(TAKES_TENSOR)
    if watches:
        changes = [{"uri": file.as_uri(), "type": CHANGED} for file in files]
        pipes.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    else:
        time.sleep(1.1)  # it looks once a second
    pipes.ask("textDocument/hover", place)
    assert told(pipes, user) == []


@pytest.mark.oracle
@pytest.mark.skipif(oracle_python() is None, reason="no torch here")
def test_torch_verifies_a_file_after_the_user_agreed(tmp_path: Path, pipes: Pipes) -> None:
    file = tmp_path / "broken.py"
    file.write_text(BROKEN)
    (tmp_path / "pyproject.toml").write_text(f"[tool.ts-lsp]\npython = {oracle_python()!r}\n")
    pipes.start(rootUri=tmp_path.as_uri())
    pipes.open(file.as_uri(), BROKEN)
    assert len(told(pipes, file)) == 1
    for choice, is_told in (("Cancel", False), ("Execute", True)):
        number = pipes.ask("workspace/executeCommand", {"command": "ts-lsp.verify", "arguments": [file.as_uri()]})
        question = pipes.wait(lambda each: each.get("method") == "window/showMessageRequest")
        pipes.send({"jsonrpc": "2.0", "id": question["id"], "result": {"title": choice}})
        if is_told:
            assert {each["source"] for each in told(pipes, file)} == {"ts-lsp", "torch.jit.script"}
        assert bool(pipes.answer(number)["result"]) is is_told
