"""The door: documentation, definitions and deprecations of Python objects that compiled code names.

Owns `PythonBridge`. Invariant: made at no cost, reads when it is asked, keeps what it found, and never runs code of the
environment. Of the standard library, which the server runs on, too, the running modules are asked.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from ts_lsp.pybridge.markdown import as_markdown
from ts_lsp.pybridge.sources import Definition, PythonSources
from ts_lsp.pybridge.torch_docs import TorchDocs

if TYPE_CHECKING:
    from ts_lsp.ide.symbol_at import Spot

_RUNNING = frozenset({"builtins", "math", "cmath", "warnings", "random"})
_DEPRECATED = re.compile(
    r"(?:[Tt]his function|:(?:func|meth):`~?\.?[\w.]+`) is deprecated[^\n]*(?:\n[ \t]*\w[^\n]*)?", re.MULTILINE
)
_FUNCTION = re.compile(r"^def[ \t]+(\w+)", re.MULTILINE)
_TENSOR = "torch.Tensor"
_PARAMETER = re.compile(r"^- `\*{0,2}(\w[\w, *]*)`(.*(?:\n(?!- |\*\*|\n|```).+)*)", re.MULTILINE)
_ALSO: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "torch": ("torch.nn.functional", _TENSOR),
        "torch.Tensor": ("torch", "torch.nn.functional"),
        "torch._C._nn": ("torch.nn.functional",),
    }
)
"""Where else torch explains what is found behind a name."""


class PythonBridge:
    """Questions about dotted paths, such as `torch.nn.functional.interpolate`, in an environment's packages."""

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        self._sources = PythonSources(folders)
        self._documentation: dict[str, str] = {}
        self._deprecated: dict[str, Mapping[str, str]] = {}

    @cached_property
    def _docs(self) -> TorchDocs:
        return TorchDocs(self._sources)

    def documentation(self, path: str) -> str:
        """What the object's author says of it, in Markdown; empty where nothing is found."""
        if path not in self._documentation:
            self._documentation[path] = as_markdown(self._docstring(path))
        return self._documentation[path]

    def parameters(self, path: str) -> Mapping[str, str]:
        """What is said of each parameter of a function, in Markdown; of one told twice the first."""
        found: dict[str, str] = {}
        for match in _PARAMETER.finditer(self.documentation(path)):
            for name in re.split(r"[ ,*]+", match[1]):
                found.setdefault(name, match[2].removeprefix(":").strip())
        return found

    def definition(self, path: str) -> Spot | None:
        """Where the object is defined; None for what no Python source of the environment defines."""
        from ts_lsp.ide.symbol_at import Spot

        found = self._sources.definition(path)
        return Spot(found.path, found.name, found.full) if found is not None else None

    def deprecated(self, owner: str) -> Mapping[str, str]:
        """The names behind `owner.` (a module of torch or `torch.Tensor`) whose end torch announces, with what it says.

        That is read off the texts as a whole, since asking for the documentation of each name takes too long.
        """
        if owner not in self._deprecated:
            inside = self._deprecated_in(owner) if owner.startswith("torch") else {}
            builtins = self._deprecated_builtins
            inside.update({path[len(owner) + 1 :]: text for path, text in builtins.items() if _owner(path) == owner})
            if owner == _TENSOR:  # methods are explained by the functions of their name
                inside |= {
                    name: text for name, text in self.deprecated("torch").items() if self._docs.of(f"{owner}.{name}")
                }
            self._deprecated[owner] = inside
        return self._deprecated[owner]

    def deprecated_note(self, path: str) -> str:
        """What is to be said of the end of an object; empty where torch announces none."""
        owner, _, name = path.rpartition(".")
        said = self.deprecated(owner).get(name)
        return f"deprecated by torch: {said}" if said else ""

    def _deprecated_in(self, module: str) -> dict[str, str]:
        """The functions of a module that are marked, or whose docstrings say so."""
        file = self._sources.file(module)
        text = self._sources.text(file) if file is not None else ""
        found = {}
        for match in re.finditer(r"^@deprecated\(|[Tt]his function is deprecated", text, re.MULTILINE):
            is_mark = match[0].startswith("@")
            around = list(_FUNCTION.finditer(text, *((match.end(),) if is_mark else (0, match.start()))))
            if around:
                name = around[0 if is_mark else -1][1]
                definition = self._sources.definition(f"{module}.{name}")
                said = _end_of(definition.node) if definition is not None else ""
                if said:
                    found[name] = said
        return found

    @cached_property
    def _deprecated_builtins(self) -> dict[str, str]:
        found = {}
        for path in self._docs.paths_whose_source_has("is deprecated"):
            match = _DEPRECATED.search(self._docs.of(path))
            name = path.rpartition(".")[2]
            if match is not None and (match[0].startswith(("This", "this")) or f"{name}`" in match[0]):
                found[path] = _in_one_line(match[0])
        return found

    def _docstring(self, path: str) -> str:
        root = path.partition(".")[0]
        if root in _RUNNING:
            return _running(path)
        return self._docs.of(path) or self._in_source(path) or self._under_another_name(path)

    def _in_source(self, path: str) -> str:
        found = self._sources.definition(path)
        return self._written(found) if found is not None else ""

    def _written(self, found: Definition) -> str:
        node = found.node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return ast.get_docstring(node) or ""
        value = getattr(node, "value", None)
        made = self._docs.made_by(value, found.module)
        return made or self._dispatched(value, found.module)

    def _dispatched(self, value: ast.expr | None, module: str) -> str:
        """The text of a function that is one of two, by a flag: of the one it mostly is."""
        if not isinstance(value, ast.Call) or not ast.unparse(value.func).endswith("boolean_dispatch"):
            return ""
        named = {each.arg: each.value for each in value.keywords}
        either = (named.get("if_false"), named.get("if_true"))
        texts = (self._in_source(f"{module}.{each.id}") for each in either if isinstance(each, ast.Name))
        return next((each for each in texts if each), "")

    def _under_another_name(self, path: str) -> str:
        """`torch.conv2d` is explained as `torch.nn.functional.conv2d`, `torch.Tensor.relu` as `torch.relu`."""
        name = path.rpartition(".")[2]
        others = [f"{place}.{name}" for place in _ALSO.get(_owner(path), ())]
        texts = (self._docs.of(each) or ("" if _owner(each) == _TENSOR else self._in_source(each)) for each in others)
        return next((each for each in texts if each), "")


def _running(path: str) -> str:
    """The docstring of an object of the running standard library."""
    module, *names = path.split(".")
    found: object = importlib.import_module(module)
    for name in names:
        found = getattr(found, name, None)
    return (inspect.getdoc(found) or "") if found is not None else ""


def _end_of(node: ast.stmt) -> str:
    """What a function's decorator or docstring says of its end."""
    for each in getattr(node, "decorator_list", ()):
        if isinstance(each, ast.Call) and ast.unparse(each.func).rpartition(".")[2] == "deprecated" and each.args:
            try:
                return " ".join(str(ast.literal_eval(each.args[0])).split())
            except (ValueError, SyntaxError):
                return "deprecated"
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return ""
    match = _DEPRECATED.search(ast.get_docstring(node) or "")
    return _in_one_line(match[0]) if match is not None else ""


def _in_one_line(text: str) -> str:
    """The first sentence."""
    return " ".join(as_markdown(text).split()).partition(". ")[0]


def _owner(path: str) -> str:
    return path.rpartition(".")[0]
