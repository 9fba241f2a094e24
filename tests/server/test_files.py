"""Files on disk: those that open documents import, libraries, folders, and the compiler itself."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.oracle.client import oracle_python
from tests.server.pipes import Message, Pipes, serving
from ts_lsp.server.client import Client
from ts_lsp.server.configuration import Configuration
from ts_lsp.server.documents import Documents
from ts_lsp.server.session import Session
from ts_lsp.server.worker import CancelToken

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


NEWER = "import torch\n\n@torch.jit.script\ndef f(x):\n    return torch.nonzero_static(x, size=3)\n"
"""Compiles with torch 2, and not with torch 1."""


def install(environment: Path, version: str) -> None:
    """Another torch takes the place of what an environment has."""
    packages = environment / "lib/python3.11/site-packages"
    packages.mkdir(parents=True, exist_ok=True)
    for each in packages.glob("torch-*.dist-info"):
        each.rmdir()
    (packages / f"torch-{version}.dist-info").mkdir()
    (environment / "pyvenv.cfg").write_text("home = /usr/bin\n")


def test_facts_are_those_of_the_torch_of_the_setting(tmp_path: Path, pipes: Pipes) -> None:
    user = tmp_path / "user.py"
    pipes.start(rootUri=tmp_path.as_uri(), initializationOptions={"torch-version": "1.13.1"})
    pipes.open(user.as_uri(), NEWER)
    assert len(told(pipes, user)) == 1
    install(tmp_path / "other", "2.13.0")
    for settings, count in (({"torch-version": "2.13"}, 0), ({"torch-version": None, "python": "no/where"}, 0)):
        pipes.notify("workspace/didChangeConfiguration", {"settings": {"ts-lsp": settings}})
        assert len(told(pipes, user)) == count
        pipes.notify("workspace/didChangeConfiguration", {"settings": {"ts-lsp": {"torch-version": "1.13"}}})
        assert len(told(pipes, user)) == 1
    install(tmp_path / "older", "1.13.1+cpu")
    for name, count in (("other", 0), ("older", 1)):
        settings = {"torch-version": None, "python": str(tmp_path / name)}
        pipes.notify("workspace/didChangeConfiguration", {"settings": {"ts-lsp": settings}})
        assert len(told(pipes, user)) == count


@pytest.mark.parametrize("watches", [True, False])
def test_an_environment_appears_and_gets_another_torch(tmp_path: Path, watches: bool) -> None:
    user, capability = tmp_path / "user.py", {"didChangeWatchedFiles": {"dynamicRegistration": True}}
    user.write_text(NEWER)
    with serving(tmp_path, variables={"VIRTUAL_ENV": "", "CONDA_PREFIX": ""}) as pipes:
        pipes.start({"workspace": capability if watches else {}}, rootUri=tmp_path.as_uri())
        pipes.open(user.as_uri(), NEWER)
        assert told(pipes, user) == []
        for version, count in (("1.13.1", 1), ("2.13.0", 0)):
            install(tmp_path / ".venv", version)
            assert len(told_when_asked(pipes, user)) == count


def test_a_package_is_installed(tmp_path: Path) -> None:
    user, packages = tmp_path / "user.py", tmp_path / "environment/lib/python3.11/site-packages"
    install(tmp_path / "environment", "2.13.0")
    capability = {"didChangeWatchedFiles": {"dynamicRegistration": True}}
    with serving(tmp_path, variables={"VIRTUAL_ENV": str(tmp_path / "environment")}) as pipes:
        pipes.start({"workspace": capability}, rootUri=(tmp_path / "nothing").as_uri())
        pipes.open(user.as_uri(), USER)
        assert told(pipes, user) == []
        (packages / "library").mkdir()
        (packages / "library/__init__.py").write_text(TAKES_STRING)
        assert len(told_when_asked(pipes, user)) == 1


def told_when_asked(pipes: Pipes, path: Path) -> list[Message]:
    """The diagnostics that come because something was asked, with which the server looks at the disk."""
    time.sleep(1.1)  # it looks once a second
    place = {"line": 0, "character": 0}
    pipes.ask("textDocument/hover", {"textDocument": {"uri": path.as_uri()}, "position": place})
    return told(pipes, path)


def test_names_that_nobody_knew_come_and_go_unwatched(tmp_path: Path, pipes: Pipes) -> None:
    """A branch with other modules is checked out: an import leads somewhere, another file compiles this one."""
    library, user, script = (tmp_path / name for name in ("library.py", "user.py", "script.py"))
    pipes.start(rootUri=tmp_path.as_uri())
    user.write_text(USER)
    pipes.open(user.as_uri(), USER)
    assert told(pipes, user) == []  # what the import leads to is not known
    pipes.call("workspace/symbol", {"query": "f"})
    library.write_text(TAKES_STRING)
    assert len(told_when_asked(pipes, user)) == 1
    library.unlink()
    assert told_when_asked(pipes, user) == []
    library.write_text(TAKES_STRING)
    assert len(told_when_asked(pipes, user)) == 1
    library.write_text(TAKES_TENSOR)
    assert told_when_asked(pipes, user) == []
    plain = tmp_path / "plain.py"
    pipes.open(plain.as_uri(), "def g(x):\n    return x.no_such_method()\n")
    assert told(pipes, plain) == []
    script.write_text("import torch, plain\n\ntorch.jit.script(plain.g)\n")
    assert len(told_when_asked(pipes, plain)) == 1
    (tmp_path / "pyproject.toml").write_text('[tool.ts-lsp]\nignore = ["unknown-attribute"]\n')
    assert told_when_asked(pipes, plain) == []


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


def _ignored(*told: object) -> None:
    pass


def test_files_go_between_the_scan_and_their_reading(tmp_path: Path) -> None:
    files = [tmp_path / f"entry{number}.py" for number in range(4)]
    for file in files:
        file.write_text(BROKEN)
    configuration = Configuration(folders=(str(tmp_path),))
    session = Session(Client(folders=configuration.folders), Documents(), configuration, _ignored, _ignored)

    def while_scanning(count: int, before: int) -> None:
        files[count - 1].unlink(missing_ok=count == 4)  # those that were seen, and have not been read

    paths = session.scan(while_scanning, CancelToken())
    assert len(paths) == 4
    files[0].write_text(BROKEN)
    documents = session.every_document(paths, lambda count: files[0].unlink(missing_ok=True), CancelToken())
    session.show(CancelToken())
    assert {each.path for each in documents} <= {str(files[0])}
    assert session.scan(lambda count, before: None, CancelToken()) == ()
    assert session.document(files[0].as_uri()) is None
