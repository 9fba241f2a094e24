"""Where the functions come from: modules of the installed torch, and packages that pip fetches into the cache.

Fetched packages are unpacked, not installed, and without what they depend on: a module that does not import is left
out.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

PACKAGES = (
    "torchvision==0.28.0",
    "timm==1.0.31",
    "kornia==0.9.0",
    "e3nn==0.6.0",
    "geoopt==0.5.1",
    "torchani==2.9.0",
)

_TORCH = (
    "functional.py",
    "nn/functional.py",
    "nn/init.py",
    "nn/parallel/*.py",
    "nn/utils/*.py",
    "_decomp/*.py",
    "_refs/**/*.py",
    "_prims_common/*.py",
    "_lobpcg.py",
    "_lowrank.py",
    "_linalg_utils.py",
    "_meta_registrations.py",
    "_tensor_str.py",
    "ao/**/*.py",
    "autograd/*.py",
    "distributions/*.py",
    "fft/*.py",
    "jit/*.py",
    "_jit_internal.py",
    "masked/**/*.py",
    "nested/**/*.py",
    "optim/*.py",
    "quantization/*.py",
    "signal/**/*.py",
    "sparse/*.py",
    "testing/*.py",
    "utils/*.py",
)
"""Files of torch that hold plain functions over tensors, lists and numbers, relative to the package."""


@dataclass(frozen=True)
class Function:
    """A function at the top level of a module; `node` stands at its lines in `text`."""

    module: str
    path: Path
    text: str
    node: ast.FunctionDef

    @property
    def name(self) -> str:
        return self.node.name


def fetch(cache: Path) -> Path:
    """The folder that holds the unpacked packages."""
    folder = cache / "packages"
    for requirement in PACKAGES:
        done = cache / f"{requirement}.unpacked"
        if done.exists():
            continue
        wheels = cache / "wheels" / requirement
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet", "--dest", str(wheels), requirement]
        if subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode:
            print(f"wild: {requirement} could not be fetched", file=sys.stderr)
            continue
        for wheel in wheels.glob("*.whl"):
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(folder)
        done.touch()
    return folder


def torch_functions() -> Iterator[Function]:
    """The functions of torch's own files."""
    found = find_spec("torch")
    assert found is not None
    assert found.origin is not None
    root = Path(found.origin).parent
    paths = {path for pattern in _TORCH for path in root.glob(pattern)}
    yield from _functions(sorted(paths), root.parent)


def package_functions(folder: Path) -> Iterator[Function]:
    """The functions of the fetched packages."""
    for requirement in PACKAGES:
        name = requirement.partition("=")[0]
        yield from _functions(sorted((folder / name).rglob("*.py")), folder)


def _functions(paths: list[Path], root: Path) -> Iterator[Function]:
    for path in paths:
        text = path.read_text(encoding="utf-8")
        try:
            tree = ast.parse(text)
        except SyntaxError:
            continue
        parts = path.relative_to(root).with_suffix("").parts
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        last = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
        for node in last.values():
            yield Function(module, path, text, node)
