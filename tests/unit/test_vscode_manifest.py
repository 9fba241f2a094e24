"""The manifest of the VS Code extension agrees with the server."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scripts.vscode_manifest import MANIFEST, properties, written
from ts_lsp.project.settings import Settings, read_settings
from ts_lsp.server.commands import COMMANDS
from ts_lsp.server.token_data import TOKEN_MODIFIERS, TOKEN_TYPES

STANDARD_MODIFIERS = {"defaultLibrary", "definition"}


@pytest.fixture(scope="module")
def contributes() -> Any:
    return json.loads(MANIFEST.read_text("utf-8"))["contributes"]


def test_version_and_settings_are_up_to_date() -> None:
    text = MANIFEST.read_text("utf-8")
    assert written(text) == text, "run `make docs`"


def test_the_defaults_of_the_form_are_those_of_the_server() -> None:
    table = {name.removeprefix("ts-lsp."): form["default"] for name, form in properties().items()}
    assert read_settings(table) == (Settings(), ())


def test_modifiers_of_tokens_are_declared(contributes: Any) -> None:
    declared = {each["id"] for each in contributes["semanticTokenModifiers"]}
    assert declared == set(TOKEN_MODIFIERS) - STANDARD_MODIFIERS


def test_scopes_are_for_tokens_that_there_are(contributes: Any) -> None:
    (group,) = contributes["semanticTokenScopes"]
    for selector in group["scopes"]:
        kind, *modifiers = selector.split(".")
        assert kind in {"*", *TOKEN_TYPES}
        assert set(modifiers) <= set(TOKEN_MODIFIERS)


def test_commands_of_the_palette_are_not_those_of_the_server(contributes: Any) -> None:
    """The client registers the server's own, and VS Code refuses a second one of the same name."""
    assert {each["command"] for each in contributes["commands"]}.isdisjoint(COMMANDS)
