"""The files that hand something to the compiler are found by their text, and nothing is read twice."""

from __future__ import annotations

import os
import sysconfig
from collections.abc import Generator, Mapping
from pathlib import Path

import pytest

from tests.cases.format import read_sections
from ts_lsp.project.environment import ModuleFinder
from ts_lsp.project.settings import Settings
from ts_lsp.project.sources import DiskSources
from ts_lsp.server import scanning
from ts_lsp.server.scanning import Scanner
from ts_lsp.torchdata.loader import load
from ts_lsp.values.entries.words import EntryWords
from ts_lsp.values.torchnames import INTERFACE, MODIFIERS, SCRIPT, SCRIPT_MODULES
from ts_lsp.values.workspace import Workspace

CASES = Path(__file__).parents[1] / "cases"
ENTRY = "import torch\n\n@torch.jit.script\ndef f(x):\n    return x\n"
HANDING = "import torch\n\ndef compiled(f):\n    return torch.jit.script(f)\n"
BASE = "import torch\n\nclass Base(torch.jit.ScriptModule):\n    pass\n"
GIVEN = "def g(x):\n    return x\n\n"


def written(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", errors="surrogatepass", newline="")


def scanned(folder: Path, scanner: Scanner | None = None, settings: Settings | None = None) -> set[str]:
    """What a scan of a folder finds, by names relative to it."""
    workspace = Workspace(load(), DiskSources(ModuleFinder([folder])))

    def names(path: str) -> frozenset[str]:
        workspace.set_source(path, Path(path).read_text(encoding="utf-8", errors="replace"))
        return workspace.handing_names(path)

    found: list[str] = []

    def steps() -> Generator[int, None, None]:
        found.extend((yield from (scanner or Scanner()).scan([(str(folder), settings or Settings())], names)))

    assert all(count >= 0 for count in steps())
    return {os.path.relpath(path, folder) for path in found}


def scripting(folder: Path) -> set[str]:
    """The files in which the analysis finds entry points, when it knows all files."""
    workspace = Workspace(load(), DiskSources(ModuleFinder([folder])))
    paths = [path for path in sorted(folder.rglob("*.py")) if path.is_file()]
    for path in paths:
        workspace.set_source(str(path), path.read_text(encoding="utf-8", errors="replace"))
    return {os.path.relpath(path, folder) for path in paths if workspace.definitions(str(path)).entry_points}


WAYS: dict[str, dict[str, str]] = {
    "module": {"a.py": "from torch import jit\n\nclass A:\n    pass\n\njit.script(A)\n"},
    "alias": {"a.py": "from torch.jit import script as s\n\n@s\ndef f(x):\n    return x\n"},
    "text": {"a.py": "import torch\nunit = torch.jit.CompilationUnit('def f(x):\\n    return x\\n')\n"},
    "tracing": {"a.py": "import torch\n\n@torch.jit.script_if_tracing\ndef f(x):\n    return x\n"},
    "function": {"a.py": HANDING, "b.py": f"from a import compiled\n\n{GIVEN}compiled(g)\n"},
    "attribute": {"a.py": HANDING, "b.py": f"import a\n\n{GIVEN}a.compiled(g)\n"},
    "lines": {"p/a.py": HANDING, "p/b.py": f"from .a import (  # (\n    compiled,\n)\n\n{GIVEN}compiled(g)\n"},
    "backslash": {"p/a.py": HANDING, "p/b.py": f"from \\\n    .a import compiled\n\n{GIVEN}compiled(g)\n"},
    "name of torch": {"a.py": "from torch.jit import script\n", "b.py": f"from a import script\n\n{GIVEN}script(g)\n"},
    "star": {
        "a.py": "from torch.jit import script\n",
        "b.py": "from a import *\n",
        "c.py": f"import b\n\n{GIVEN}b.script(g)\n",
    },
    "base": {"a.py": BASE, "b.py": "from a import Base\n\nclass B(Base):\n    pass\n"},
    "base of a base": {
        "a.py": BASE,
        "b.py": "from a import Base as X\n\nclass B(X):\n    pass\n",
        "c.py": "import b\n\nclass C(b.B):\n    pass\n",
    },
    "package": {
        "p/__init__.py": "from . import a\n",
        "p/a.py": BASE,
        "b.py": "import p\n\nclass B(p.a.Base):\n    pass\n",
    },
}


@pytest.mark.parametrize("files", WAYS.values(), ids=list(WAYS))
def test_every_way_to_the_compiler_is_found(tmp_path: Path, files: Mapping[str, str]) -> None:
    plain = {"plain.py": "import torch\n\ndef script(x):\n    return x\n", "empty.py": ""}
    written(tmp_path, {"p/__init__.py": "", **files, **plain})
    expected = scripting(tmp_path)
    assert expected
    found = scanned(tmp_path)
    assert expected <= found <= files.keys()


def test_no_case_is_lost(tmp_path: Path) -> None:
    for number, path in enumerate(sorted(CASES.rglob("*.md"))):
        for place, section in enumerate(read_sections(path) if path.name != "README.md" else []):
            written(tmp_path / f"{number}_{place}", section.files)
    for folder in tmp_path.iterdir():
        silent = {
            os.path.relpath(path, folder)
            for path in folder.rglob("*.py")
            if path.is_file() and not EntryWords().tell(path.read_bytes())
        }
        if silent:  # what counts by its own text is found in any case
            assert scripting(folder) & silent <= scanned(folder)


def test_torch_leads_to_its_entry_points_through_the_word_jit() -> None:
    compiling = {path for path, modifier in MODIFIERS.items() if modifier in ("script", "script_if_tracing")}
    assert all("jit" in path for path in compiling | SCRIPT | INTERFACE)
    assert all(EntryWords().tell(path.encode()) for path in compiling | SCRIPT | INTERFACE | SCRIPT_MODULES)


@pytest.mark.parametrize("package", ["torch/_refs", "torch/testing/_internal/jit_metaprogramming_utils.py"])
def test_no_file_of_a_library_is_lost(package: str) -> None:
    place = Path(sysconfig.get_path("purelib")) / package
    if not place.exists():
        pytest.skip("no torch here")
    workspace = Workspace(load())
    for path in [place] if place.is_file() else sorted(place.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        workspace.set_source(str(path), text)
        assert EntryWords().tell(text.encode()) or not workspace.definitions(str(path)).entry_points


def test_the_user_s_own_names(tmp_path: Path) -> None:
    written(tmp_path, {"a.py": f"{GIVEN}hand_over(g)\n", "b.py": GIVEN})
    assert scanned(tmp_path, settings=Settings(entry_points=("tools.hand_over",))) == {"a.py"}
    assert scanned(tmp_path) == set()


def test_only_changed_files_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, {"a.py": ENTRY, "b.py": "x = 1\n", "c.py": "y = 1\n"})
    scanner, read = Scanner(), scanning._read
    assert scanned(tmp_path, scanner) == {"a.py"}
    seen: list[str] = []

    def noted(path: str) -> bytes:
        seen.append(os.path.basename(path))
        return read(path)

    monkeypatch.setattr(scanning, "_read", noted)
    (tmp_path / "b.py").write_text(ENTRY)
    (tmp_path / "c.py").unlink()
    assert scanned(tmp_path, scanner) == {"a.py", "b.py"}
    assert "b.py" in seen
    assert "c.py" not in seen
    assert scanner.known == 2


def test_what_is_no_file_is_left_alone(tmp_path: Path) -> None:
    written(tmp_path, {"a.py": ENTRY, "folder.py/inner.py": ENTRY})
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "itself.py").symlink_to(tmp_path / "itself.py")
    (tmp_path / "nowhere.py").symlink_to(tmp_path / "gone")
    (tmp_path / "above").symlink_to(tmp_path)
    assert scanned(tmp_path) == {"a.py", "folder.py/inner.py"}
