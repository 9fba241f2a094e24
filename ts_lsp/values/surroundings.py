"""What a workspace asks of the world around it: facts about torch, and the sources of imported modules.

Owns the protocols; the command line and the server implement them. Invariant: all input and output is behind these.
"""

from __future__ import annotations

from typing import Protocol

from ts_lsp.torchdata.objects import ModuleFacts, TorchObject
from ts_lsp.types.schema import Schema


class TorchFacts(Protocol):
    """What must be known of torch: which dotted paths exist, what they are, and what a module contains."""

    def python_object(self, path: str) -> TorchObject | None: ...

    def canonical_path(self, path: str) -> str: ...

    def schemas(self, op: str) -> tuple[Schema, ...]: ...

    def members(self, module_path: str) -> frozenset[str] | None: ...

    def module_facts(self, path: str) -> ModuleFacts | None: ...


class ModuleSource(Protocol):
    """A module that can be imported: its file, its dotted name and its text.

    `external`: it belongs to the environment, so a name it seems not to have may exist all the same.
    A namespace package has its folder as path and no text.
    """

    @property
    def path(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def text(self) -> str: ...

    @property
    def is_package(self) -> bool: ...

    @property
    def external(self) -> bool: ...


class SourceReader(Protocol):
    """How imports find source. All I/O is behind this."""

    def find_module(self, dotted: str, importing_path: str) -> ModuleSource | None:
        """The module of that absolute dotted name, as seen from a file; None if there is no Python source for it."""

    def module_name(self, path: str) -> tuple[str, bool]:
        """The dotted name under which a file is imported, and whether it is a package's `__init__`."""


class NoSources:
    """A reader for a world without files: every file stands alone."""

    def find_module(self, dotted: str, importing_path: str) -> ModuleSource | None:
        return None

    def module_name(self, path: str) -> tuple[str, bool]:
        return path.replace("\\", "/").rpartition("/")[2].removesuffix(".py"), False
