"""Definitions and type definitions, as places that a client can go to."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types as lsp

from ts_lsp.ide.definition import Target, definitions_at, type_definitions_at
from ts_lsp.server.view import View


def definition(view: View, params: lsp.DefinitionParams) -> list[lsp.Location]:
    return _locations(view, definitions_at(view.snapshot, view.from_lsp(params.position)))


def type_definition(view: View, params: lsp.TypeDefinitionParams) -> list[lsp.Location]:
    return _locations(view, type_definitions_at(view.snapshot, view.from_lsp(params.position)))


def _locations(view: View, targets: Iterable[Target]) -> list[lsp.Location]:
    found = (view.location(each.path, each.place) for each in targets)
    return [each for each in found if each is not None]
