"""Settings, files, environments and module search, asked through their doors on folders made for the purpose."""

from __future__ import annotations

from pathlib import Path

import pytest

from ts_lsp.project.environment import ModuleFinder, discover_environment
from ts_lsp.project.files import find_files, read_file
from ts_lsp.project.settings import Settings, find_settings_file, load_settings, read_settings
from ts_lsp.project.sources import DiskSources
from ts_lsp.torchdata.loader import load
from ts_lsp.values.model import ConstantValue, FunctionValue, ModuleValue, UnknownValue
from ts_lsp.values.workspace import Workspace


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def found(root: Path, *paths: str, settings: Settings | None = None) -> list[str]:
    result = find_files([root / path for path in paths or (".",)], settings, root)
    return [path.relative_to(root).as_posix() for path in result.paths]


def test_settings_of_a_project(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "pyproject.toml": """
                [tool.ts-lsp]
                scope = "all"
                entry-points = ["checkScript", "mine.compile"]
                torch-version = "1.13"
                python = "env/bin/python"
                select = ["undefined-name"]
                ignore = []
                exclude = ["build/"]
                inlay-hints = ["refinements"]
                complete-unsupported = true
                [tool.ts-lsp.severity]
                undefined-name = "warning"
            """,
            "inner/pyproject.toml": "[project]\nname = 'inner'\n",
            "inner/deep/file.py": "",
        },
    )
    settings, messages = load_settings(tmp_path / "inner" / "deep" / "file.py")
    assert messages == ()
    assert settings.scope == "all"
    assert settings.entry_points == ("checkScript", "mine.compile")
    assert settings.torch_version == "1.13"
    assert settings.python == "env/bin/python"
    assert settings.select == ("undefined-name",)
    assert settings.ignore == ()
    assert settings.exclude == ("build/",)
    assert settings.inlay_hints == ("refinements",)
    assert settings.complete_unsupported
    assert dict(settings.severity) == {"undefined-name": "warning"}
    assert find_settings_file(tmp_path / "inner") == tmp_path / "pyproject.toml"


def test_bad_settings_are_messages_and_the_rest_holds(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "pyproject.toml": """
                [tool.ts-lsp]
                scop = "all"
                scope = "some"
                entry-points = "checkScript"
                torch_version = "2.0"
                complete-unsupported = 1
                severity = { x = "loud" }
                inlay-hints = ["everything"]
                select = [1]
                ignore = ["unused-suppression"]
            """
        },
    )
    settings, messages = load_settings(tmp_path)
    assert settings == Settings(ignore=("unused-suppression",))
    assert len(messages) == 8
    text = "\n".join(messages)
    assert "unknown setting `scop`; did you mean `scope`?" in text
    assert "unknown setting `torch_version`; did you mean `torch-version`?" in text
    assert 'setting `scope` must be one of "scripted", "modules" or "all"' in text
    assert "setting `entry-points` must be a list of strings" in text
    assert all(message.startswith(str(tmp_path / "pyproject.toml")) for message in messages)


@pytest.mark.parametrize(
    ("text", "complaints"),
    [("[tool.ts-lsp\n", 1), ("[tool]\nts-lsp = 3\n", 1), ("", 0), ("tool = 1\n", 0), ("[tool.other]\nx = 1\n", 0)],
)
def test_files_without_usable_settings(tmp_path: Path, text: str, complaints: int) -> None:
    write(tmp_path, {"pyproject.toml": text})
    settings, messages = load_settings(tmp_path)
    assert settings == Settings()
    assert len(messages) == complaints


def test_nearer_settings_win() -> None:
    base, _ = read_settings({"scope": "modules", "select": ["a"]})
    settings, messages = read_settings({"scope": "all", "torch-version": ""}, base, "editor")
    assert (settings.scope, settings.select, settings.torch_version) == ("all", ("a",), None)
    assert messages == ()


def test_files_of_a_folder(tmp_path: Path) -> None:
    write(
        tmp_path,
        dict.fromkeys(
            [
                "a.py",
                "b.txt",
                "pkg/__init__.py",
                "pkg/c.py",
                "pkg/node_modules/d.py",
                "pkg/__pycache__/e.py",
                ".venv/lib/f.py",
                "env/g.py",
                "env/pyvenv.cfg",
                "build/h.py",
                "out/i.py",
                "out/keep.py",
                "stub.pyi",
            ],
            "",
        ),
    )
    write(tmp_path, {".git/config": "", ".gitignore": "build/\nout/*.py\n!out/keep.py\n", "pkg/.gitignore": "c.py\n"})
    assert found(tmp_path) == ["a.py", "out/keep.py", "pkg/__init__.py"]
    assert found(tmp_path, "out") == ["out/keep.py"]
    assert found(tmp_path, "build/h.py", "b.txt") == ["b.txt", "build/h.py"]
    assert found(tmp_path, ".", "a.py") == ["a.py", "out/keep.py", "pkg/__init__.py"]
    assert found(tmp_path, settings=Settings(exclude=("pkg",))) == ["a.py", "out/keep.py"]
    assert found(tmp_path, settings=Settings(exclude=("*.py", "!a.py"))) == ["a.py"]
    assert found(tmp_path, settings=Settings(include=("stub.*", "/pkg/*.py"))) == ["pkg/__init__.py", "stub.pyi"]


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    write(tmp_path, {"empty/readme.md": "", "a.py": ""})
    result = find_files([tmp_path / "missing", tmp_path / "empty", tmp_path / "a.py"])
    assert result.paths == (tmp_path / "a.py",)
    assert result.messages == (
        f"{tmp_path / 'missing'}: no such file or folder",
        f"{tmp_path / 'empty'}: no Python files in this folder",
    )


def test_reading_files(tmp_path: Path) -> None:
    (tmp_path / "latin.py").write_bytes(b"# coding: latin-1\nx = '\xe9'\n")
    (tmp_path / "broken.py").write_bytes(b"x = '\xe9'\n")
    (tmp_path / "binary.py").write_bytes(b"\0\1\2")
    assert read_file(tmp_path / "latin.py").text == "# coding: latin-1\nx = 'é'\n"
    assert read_file(tmp_path / "latin.py").problem is None
    broken = read_file(tmp_path / "broken.py")
    assert broken.is_readable
    assert broken.problem
    for name in ("binary.py", "missing.py"):
        unreadable = read_file(tmp_path / name)
        assert not unreadable.is_readable
        assert unreadable.problem
        assert unreadable.text == ""


def make_environment(folder: Path, home: Path | None = None) -> None:
    write(folder, {"pyvenv.cfg": f"home = {home or '/nowhere'}\nversion = 3.12.1\n", "bin/python": ""})
    (folder / "lib" / "python3.12" / "site-packages").mkdir(parents=True)


def test_environments_are_found_in_order(tmp_path: Path) -> None:
    for name in ("named", "active", "project/.venv", "conda"):
        make_environment(tmp_path / name)
    project = tmp_path / "project" / "src"
    project.mkdir()
    everything = {"VIRTUAL_ENV": str(tmp_path / "active"), "CONDA_PREFIX": str(tmp_path / "conda")}
    conda = {"CONDA_PREFIX": str(tmp_path / "conda")}
    outside = tmp_path / "outside"
    outside.mkdir()

    def prefix(folder: Path, setting: str | None, variables: dict[str, str]) -> Path | None:
        environment, messages = discover_environment(folder, setting, variables)
        assert messages == ()
        return environment.prefix

    assert prefix(project, "../../named", everything) == tmp_path / "named"
    assert prefix(project, str(tmp_path / "named" / "bin" / "python"), everything) == tmp_path / "named"
    assert prefix(project, None, everything) == tmp_path / "active"
    assert prefix(project, None, conda) == tmp_path / "project" / ".venv"
    assert prefix(outside, None, conda) == tmp_path / "conda"
    assert prefix(outside, None, {}) is None


def test_a_wrong_python_setting_is_said(tmp_path: Path) -> None:
    environment, messages = discover_environment(tmp_path, "nowhere/bin/python", {})
    assert environment.prefix is None
    assert len(messages) == 1
    assert "nowhere/bin/python" in messages[0]


def test_what_an_environment_holds(tmp_path: Path) -> None:
    base = tmp_path / "base"
    write(base, {"bin/python3.12": "", "lib/python3.12/os.py": ""})
    make_environment(tmp_path / "env", base / "bin")
    packages = tmp_path / "env" / "lib" / "python3.12" / "site-packages"
    (tmp_path / "elsewhere").mkdir()
    write(packages, {"torch-2.6.1+cu124.dist-info/METADATA": "", "edit.pth": f"import x\n# no\n{tmp_path}/elsewhere\n"})
    environment, _ = discover_environment(tmp_path, "env", {})
    assert environment.torch_version == "2.6.1+cu124"
    assert environment.python_version == (3, 12)
    assert environment.site_packages == (packages, tmp_path / "elsewhere")
    assert environment.standard_library == base / "lib" / "python3.12"


def test_the_torch_version_of_a_source_tree(tmp_path: Path) -> None:
    make_environment(tmp_path / "env")
    packages = tmp_path / "env" / "lib" / "python3.12" / "site-packages"
    write(packages, {"torchvision-0.9.dist-info/METADATA": "", "torch/version.py": "__version__ = '2.7.0a0+git1'\n"})
    assert discover_environment(tmp_path, "env", {})[0].torch_version == "2.7.0a0+git1"


def test_packages_behind_the_import_hook_of_an_editable_install(tmp_path: Path) -> None:
    """The text is the one that setuptools writes where a `.pth` file with a folder would not do."""
    make_environment(tmp_path / "env")
    packages = tmp_path / "env" / "lib" / "python3.12" / "site-packages"
    write(
        packages,
        {
            "__editable__.thing-1.0.pth": "import __editable___thing_1_0_finder; ...\n",
            "__editable___thing_1_0_finder.py": "from __future__ import annotations\nimport sys\n\n"
            f"MAPPING: dict[str, str] = {{'thing': '{tmp_path}/code/thing', 'single': '{tmp_path}/code/single'}}\n"
            "NAMESPACES: dict[str, list[str]] = {}\n",
            "__editable___broken_finder.py": "MAPPING: dict[str, str] = {f()}\n",
        },
    )
    write(tmp_path, {"code/thing/__init__.py": "", "code/thing/part.py": "", "code/single.py": "", "use.py": ""})
    environment, _ = discover_environment(tmp_path, "env", {})
    search = ModuleFinder([tmp_path], environment)
    found = {
        name: search.find_module(name, tmp_path / "use.py") for name in ("thing", "thing.part", "single", "thing.no")
    }
    assert found == {
        "thing": tmp_path / "code" / "thing" / "__init__.py",
        "thing.part": tmp_path / "code" / "thing" / "part.py",
        "single": tmp_path / "code" / "single.py",
        "thing.no": None,
    }


def finder(tmp_path: Path) -> ModuleFinder:
    make_environment(tmp_path / ".venv")
    packages = ".venv/lib/python3.12/site-packages"
    write(
        tmp_path,
        {
            "top.py": "",
            "pkg/__init__.py": "from .one import f\n",
            "pkg/one.py": "from pkg.two import K\nimport library\ndef f(x): return x\n",
            "pkg/two.py": "K = 3\n",
            "src/inner/__init__.py": "",
            "loose/helper.py": "import top\n",
            "loose/tool.py": "",
            "space/deep/leaf.py": "",
            f"{packages}/library/__init__.py": "x = 1\n",
            f"{packages}/top.py": "",
            f"{packages}/space/__init__.py": "",
            f"{packages}/space/other.py": "",
        },
    )
    environment, _ = discover_environment(tmp_path, None, {})
    return ModuleFinder([tmp_path], environment)


def test_modules_are_found_as_python_finds_them(tmp_path: Path) -> None:
    search = finder(tmp_path)
    packages = tmp_path / ".venv" / "lib" / "python3.12" / "site-packages"

    def find(dotted: str, importing: str) -> Path | None:
        return search.find_module(dotted, tmp_path / importing)

    assert find("top", "pkg/one.py") == tmp_path / "top.py"
    assert find("pkg", "top.py") == tmp_path / "pkg" / "__init__.py"
    assert find("pkg.two", "loose/helper.py") == tmp_path / "pkg" / "two.py"
    assert find("inner", "top.py") == tmp_path / "src" / "inner" / "__init__.py"
    assert find("tool", "loose/helper.py") == tmp_path / "loose" / "tool.py"
    assert find("tool", "top.py") is None
    assert find("loose.tool", "top.py") == tmp_path / "loose" / "tool.py"
    assert find("library", "top.py") == packages / "library" / "__init__.py"
    assert find("space", "top.py") == packages / "space" / "__init__.py"
    assert find("nowhere.at.all", "top.py") is None
    assert search.is_external(packages / "top.py")
    assert not search.is_external(tmp_path / "top.py")


def test_the_finder_looks_again_when_told(tmp_path: Path) -> None:
    search = finder(tmp_path)
    assert search.find_module("fresh", tmp_path / "top.py") is None
    write(tmp_path, {"fresh.py": ""})
    search.refresh()
    assert search.find_module("fresh", tmp_path / "top.py") == tmp_path / "fresh.py"


def test_a_workspace_on_disk(tmp_path: Path) -> None:
    sources = DiskSources(finder(tmp_path))
    assert sources.module_name(str(tmp_path / "pkg" / "one.py")) == ("pkg.one", False)
    assert sources.module_name(str(tmp_path / "pkg" / "__init__.py")) == ("pkg", True)
    assert sources.module_name(str(tmp_path / "loose" / "tool.py")) == ("tool", False)
    world = Workspace(load(), sources)
    main = str(tmp_path / "main.py")
    world.set_source(main, "import pkg\nfrom pkg.one import K, library\nfrom space.deep import leaf\nf = pkg.f\n")
    scope = world.scope(main)
    assert scope is not None
    assert scope.lookup("K") == ConstantValue(3)
    assert isinstance(scope.lookup("f"), FunctionValue)
    assert isinstance(scope.lookup("library"), ModuleValue)
    assert world.member("library", "x") == ConstantValue(1)
    assert isinstance(world.member("library", "missing"), UnknownValue)
    assert world.member("pkg", "missing") is None
    world.set_source(str(tmp_path / "pkg" / "two.py"), "K = 4\n")
    scope = world.scope(main)
    assert scope is not None
    assert scope.lookup("K") == ConstantValue(4)
