"""What the twin makes of constructor calls of torch's modules: from the shipped facts, or from torch's own sources.

Owns `from_facts`, `from_sources` and `Found`. Invariant: from the sources, nothing is known of a class or function of
`torch.nn.modules` but its text; only `nn.Module` and the containers are what the shipped facts say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ts_lsp.semantic.analysis import Analysis
from ts_lsp.semantic.modules import ModuleDefinition
from ts_lsp.semantic.program import Program
from ts_lsp.torchdata.loader import TorchData
from ts_lsp.torchdata.objects import ModuleFacts, ScriptFunction, TorchClass, TorchObject
from ts_lsp.types.display import annotation_form, operator_schema_text
from ts_lsp.values.model import ConstantValue, InstanceValue, ModuleObject
from ts_lsp.values.workspace import Workspace

SOURCED = ("torch.nn.", "torch.ao.")
_UNSOURCED = ("torch.nn.modules.module.", "torch.nn.modules.container.", "torch.nn.parameter.", "torch.nn.functional.")
_NOISE = re.compile(r"___torch_mangle_\d+\.| \(of Python compilation unit at: \w+\)|\b(?:[A-Za-z_]\w*\.)+(?=[A-Za-z_])")
_MANGLED = re.compile(r"___torch_mangle_\d+\.")
HEADER = "import torch\nimport torch.nn as nn\nimport torch.ao.nn.quantized\n"


@dataclass(frozen=True)
class Found:
    """The type of a module: verdict (`ok`, `error`, `unknown`), names with types, methods with schemas."""

    verdict: str = "unknown"
    reason: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, object] = field(default_factory=dict)
    modules: Mapping[str, str] = field(default_factory=dict)
    schemas: Mapping[str, str] = field(default_factory=dict)


def normal(text: str) -> str:
    """A type or schema without modules and mangling."""
    return _NOISE.sub("", text).strip()


def from_facts(expressions: Sequence[str], data: TorchData) -> list[Found]:
    return _found(expressions, data, Workspace(data))


def from_sources(expressions: Sequence[str], data: TorchData, site: Path) -> list[Found]:
    """`site` is the folder that holds torch."""
    masked = _Masked(data)
    workspace = Workspace(masked, _Sources(site))
    for path in (site / "torch/nn/__init__.py", *sorted((site / "torch/nn/modules").glob("*.py"))):
        workspace.set_source(str(path), path.read_text())
    return _found(expressions, masked, workspace)


class _Masked(TorchData):
    """The shipped facts without the modules of torch and what only they use."""

    def __init__(self, data: TorchData) -> None:
        super().__init__(data._container)

    def python_object(self, path: str) -> TorchObject | None:
        found = super().python_object(path)
        is_class = isinstance(found, TorchClass)
        is_text = is_class or isinstance(found, ScriptFunction)
        if not is_text or path.startswith(_UNSOURCED) or found.path.startswith(_UNSOURCED):
            return found
        is_module = is_class and found.kind == "module" and found.path.startswith(SOURCED)
        return None if is_module or found.path.startswith("torch.nn.modules.") else found

    def module_facts(self, path: str) -> ModuleFacts | None:
        return None


@dataclass(frozen=True)
class _Sources:
    """How torch's files are imported. They are all given to the workspace; none is found on the way."""

    site: Path

    def find_module(self, dotted: str, importing_path: str) -> None:
        return None

    def module_name(self, path: str) -> tuple[str, bool]:
        place = Path(path)
        if not place.is_relative_to(self.site):
            return place.stem, False
        parts = place.relative_to(self.site).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        return ".".join(parts[:-1] if is_package else parts), is_package


def _found(expressions: Sequence[str], data: TorchData, workspace: Workspace) -> list[Found]:
    text = HEADER + "".join(f"torch.jit.script({expression})\n" for expression in expressions)
    workspace.set_source("main.py", text)
    program = Analysis(data, workspace).program
    by_line = {
        each.node.lineno + each.unit.first_line: each.target
        for each in workspace.definitions("main.py").entry_points
        if isinstance(each.target, (InstanceValue, ModuleObject))
    }
    first = HEADER.count("\n") + 1
    return [_described(program, workspace, by_line.get(line)) for line in range(first, first + len(expressions))]


def _described(program: Program, workspace: Workspace, target: InstanceValue | ModuleObject | None) -> Found:
    worlds = workspace.instantiate(target) if target is not None else ()
    if len(worlds) != 1:
        return Found(reason=f"{len(worlds)} worlds")
    definition = program.compile_module(worlds[0])
    refused = definition.failure is not None or definition.refusal is not None
    unknown = definition.saw_unknown or definition.is_unsure_below
    return Found(
        "error" if refused else "unknown" if unknown else "ok",
        definition.failure.code if definition.failure is not None else definition.unknown_reason,
        {name: normal(annotation_form(each)) for name, each in definition.attributes.items()},
        {name: normal(annotation_form(each)) for name, each in definition.constant_types.items()},
        {name: each.value for name, each in definition.constants.items() if isinstance(each, ConstantValue)},
        {name: _class_of(child) for name, child in definition.submodules.items()},
        {name: normal(text[text.index("(") :]) for name, text in _schemas(program, definition)},
    )


def _class_of(child: object) -> str:
    if not isinstance(child, ModuleDefinition):
        return ""
    return _MANGLED.sub("", child.type.qualname).removeprefix("__torch__.")


def _schemas(program: Program, definition: ModuleDefinition) -> Iterator[tuple[str, str]]:
    for schemas in definition.schemas.values():
        yield from ((each.name, operator_schema_text(each)) for each in schemas)
    for (value, owner, declaration), compiled in program.functions.items():
        if owner is definition and compiled.schema is not None and compiled.failure is None:
            number = f"__{value.overloads.index(declaration)}" if declaration is not None else ""
            yield f"{value.name}{number}", operator_schema_text(compiled.schema)
