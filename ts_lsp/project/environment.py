"""The Python environment of a project, read from its files.

Owns the discovery of the environment, its torch version and the search for modules. Invariant: no interpreter is
started and nothing is imported.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ts_lsp.records import dataclass

_VERSION_FOLDER = re.compile(r"python(\d+)\.(\d+)$")
_TORCH_INFO = re.compile(r"torch-(\d[^-]*)\.dist-info$")
_TORCH_VERSION = re.compile(r"^__version__\s*(?::[^=]*)?=\s*['\"]([^'\"]+)['\"]", re.MULTILINE)
_EDITABLE_FINDER = re.compile(r"__editable___.*_finder\.py$")
_EDITABLE_MAPPING = re.compile(r"^MAPPING\s*(?::[^=]*)?=\s*(\{.*?\})", re.MULTILINE | re.DOTALL)
_LOCAL_ENVIRONMENTS = (".venv", "venv")
_INTERPRETERS = (("bin", "python"), ("bin", "python3"), ("Scripts", "python.exe"), ("python.exe",))


@dataclass(frozen=True, slots=True)
class Environment:
    """An environment as its folders show it; all None and empty when there is none.

    `origin` says for people how it was found.
    """

    prefix: Path | None = None
    site_packages: tuple[Path, ...] = ()
    standard_library: Path | None = None
    python_version: tuple[int, int] | None = None
    torch_version: str | None = None
    origin: str = "no Python environment found"
    editable: tuple[tuple[str, Path], ...] = ()
    """Top-level names that an import hook of an editable install maps to folders."""

    @property
    def interpreter(self) -> str | None:
        """The path of its Python."""
        candidates = [self.prefix.joinpath(*parts) for parts in _INTERPRETERS] if self.prefix is not None else []
        return next((str(each) for each in candidates if each.exists()), None)


def discover_environment(
    folder: Path, setting: str | None = None, variables: Mapping[str, str] | None = None
) -> tuple[Environment, tuple[str, ...]]:
    """The environment of a project folder, and a message if the one the setting names is not usable.

    Asked in this order: the setting (an interpreter or an environment's folder, relative to `folder`), `VIRTUAL_ENV`,
    `.venv` or `venv` in the folder or above it, `CONDA_PREFIX`. `variables` are by default the process's own.
    """
    known = os.environ if variables is None else variables
    messages: tuple[str, ...] = ()
    for prefix, origin in _candidates(folder, setting, known):
        environment = _described(prefix, origin)
        if environment is not None:
            return environment, messages
        if origin == "the setting `python`":
            messages = (f"{setting}: no Python environment there (setting `python`)",)
    return Environment(), messages


def environment_files(folder: Path) -> Iterator[Path]:
    """The files by which environments in a project folder or above it are known, also those that there are not."""
    absolute = Path(os.path.abspath(folder))
    for each in (absolute, *absolute.parents):
        yield from (each / name / "pyvenv.cfg" for name in _LOCAL_ENVIRONMENTS)


def _candidates(folder: Path, setting: str | None, variables: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
    if setting:
        path = Path(os.path.abspath(folder / os.path.expanduser(setting)))
        yield _prefix_of(path), "the setting `python`"
    if variables.get("VIRTUAL_ENV"):
        yield Path(variables["VIRTUAL_ENV"]), "VIRTUAL_ENV"
    for file in environment_files(folder):
        if file.is_file():
            yield file.parent, f"{file.parent.name} in {file.parent.parent}"
    if variables.get("CONDA_PREFIX"):
        yield Path(variables["CONDA_PREFIX"]), "CONDA_PREFIX"


def _prefix_of(path: Path) -> Path:
    """The environment of an interpreter's path (symbolic links not followed); a folder is taken as it is."""
    if path.is_dir():
        return path
    return path.parent.parent if path.parent.name in ("bin", "Scripts") else path.parent


def _described(prefix: Path, origin: str) -> Environment | None:
    libraries = list(_libraries(prefix))
    packages = [folder for library, _ in libraries for folder in _package_folders(library)]
    packages += [each for each in (prefix / "lib" / "python3" / "dist-packages",) if each.is_dir()]
    if not packages:
        return None
    version = next((found for _, found in libraries if found), None)
    candidates = _standard_libraries(prefix, libraries)
    standard = next((library for library in candidates if (library / "os.py").is_file()), None)
    editable = tuple(found for folder in packages for found in _editable_names(folder))
    return Environment(prefix, tuple(packages), standard, version, _torch_version(packages), origin, editable)


def _libraries(prefix: Path) -> Iterator[tuple[Path, tuple[int, int] | None]]:
    """The library folders of a prefix with the Python version in their name, newest first."""
    found: list[tuple[tuple[int, int], Path]] = []
    lib64 = () if os.path.realpath(prefix / "lib64") == os.path.realpath(prefix / "lib") else (prefix / "lib64",)
    for lib in (prefix / "lib", *lib64, prefix / "local" / "lib"):
        for folder in _children(lib):
            match = _VERSION_FOLDER.match(folder.name)
            if match:
                found.append(((int(match[1]), int(match[2])), folder))
    for version, folder in sorted(found, key=lambda each: each[0], reverse=True):
        yield folder, version
    if (prefix / "Lib").is_dir() and not found:
        yield prefix / "Lib", _configured_version(prefix)


def _package_folders(library: Path) -> Iterator[Path]:
    for name in ("site-packages", "dist-packages"):
        folder = library / name
        if folder.is_dir():
            yield folder
            yield from _linked_folders(folder)


def _linked_folders(packages: Path) -> Iterator[Path]:
    """Folders that `.pth` files add to the search path, as editable installs do."""
    for file in _children(packages):
        if file.suffix != ".pth":
            continue
        for line in _text(file).splitlines():
            written = line.strip()
            if written and not written.startswith(("#", "import ", "import\t")):
                folder = packages / written
                if folder.is_dir():
                    yield Path(os.path.normpath(folder))


def _editable_names(packages: Path) -> Iterator[tuple[str, Path]]:
    """What the finders that setuptools writes for editable installs map: read from their text, never run."""
    for file in _children(packages):
        if not _EDITABLE_FINDER.match(file.name):
            continue
        match = _EDITABLE_MAPPING.search(_text(file))
        try:
            mapping = ast.literal_eval(match[1]) if match else {}
        except (SyntaxError, ValueError):
            continue
        if isinstance(mapping, dict):
            yield from ((str(name), Path(str(folder))) for name, folder in mapping.items())


def _standard_libraries(prefix: Path, libraries: Sequence[tuple[Path, tuple[int, int] | None]]) -> Iterator[Path]:
    yield from (library for library, _ in libraries)
    home = _configuration(prefix).get("home")
    if home:
        base = Path(home).parent
        yield from (base / "lib" / library.name for library, _ in libraries)
        yield Path(home) / "Lib"


def _configuration(prefix: Path) -> dict[str, str]:
    pairs = (line.partition("=") for line in _text(prefix / "pyvenv.cfg").splitlines())
    return {key.strip().lower(): value.strip() for key, separator, value in pairs if separator}


def _configured_version(prefix: Path) -> tuple[int, int] | None:
    configuration = _configuration(prefix)
    match = re.match(r"(\d+)\.(\d+)", configuration.get("version", "") or configuration.get("version_info", ""))
    return (int(match[1]), int(match[2])) if match else None


def _torch_version(packages: Sequence[Path]) -> str | None:
    for folder in packages:
        for entry in _children(folder):
            match = _TORCH_INFO.match(entry.name)
            if match:
                return match[1]
        match = _TORCH_VERSION.search(_text(folder / "torch" / "version.py"))
        if match:
            return match[1]
    return None


def _children(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


class ModuleFinder:
    """Finds the source of modules along the search path, as Python's import does for source files.

    Searched in order: the importing file's own package root, each workspace root and its `src`, then the
    environment's packages and standard library. Answers are kept until `refresh`.
    """

    def __init__(self, roots: Sequence[Path] = (), environment: Environment | None = None) -> None:
        chosen = environment or Environment()
        self._roots = tuple(Path(os.path.abspath(each)) for root in roots for each in (root, root / "src"))
        self._library = (*chosen.site_packages, *((chosen.standard_library,) if chosen.standard_library else ()))
        self._editable = dict(chosen.editable)
        folders = (*((each, False) for each in self._roots), *((each, True) for each in self._library))
        self._owners = tuple((f"{folder}{os.sep}", is_library) for folder, is_library in folders)
        self._found: dict[tuple[str, Path], Path | None] = {}

    def find_module(self, dotted: str, importing_path: Path) -> Path | None:
        """The file of a module (`__init__.py` of a package, the folder of a namespace package); None if none."""
        own_root = package_root(importing_path)
        key = (dotted, own_root)
        if key not in self._found:
            self._found[key] = self._search((own_root, *self._roots, *self._library), dotted.split("."))
        return self._found[key]

    def _search(self, path: Sequence[Path], parts: Sequence[str]) -> Path | None:
        found = _first_match(path, parts)
        if found is not None and not found.is_dir():
            return found
        for length in range(len(parts), 0, -1):
            folder = self._editable.get(".".join(parts[:length]))
            if folder is not None:
                return _source_of(folder.joinpath(*parts[length:])) or found
        return found

    def is_external(self, path: Path) -> bool:
        """Whether a file belongs to the environment and not to the workspace: the nearest folder around decides."""
        nearest, external = 0, False
        for folder, is_library in self._owners:
            if len(folder) > nearest and str(path).startswith(folder):
                nearest, external = len(folder), is_library
        return external

    def refresh(self) -> None:
        """Looks again: files came or went."""
        self._found.clear()


def package_root(path: Path) -> Path:
    """The folder from which a file's package is imported: the first one above that has no `__init__.py`."""
    folder = path.parent
    while (folder / "__init__.py").is_file() and folder.parent != folder:
        folder = folder.parent
    return folder


def _first_match(path: Sequence[Path], parts: Sequence[str]) -> Path | None:
    namespace: Path | None = None
    for root in path:
        folder = root.joinpath(*parts)
        found = _source_of(folder)
        if found is not None:
            return found
        if namespace is None and folder.is_dir():
            namespace = folder
    return namespace


def _source_of(folder: Path) -> Path | None:
    """The file of the package in a folder, or of the module beside it."""
    candidates = (folder / "__init__.py", folder.with_name(f"{folder.name}.py"))
    return next((each for each in candidates if each.is_file()), None)
