"""What the server tells a client that it can do."""

from __future__ import annotations

from ts_lsp.server.client import Client
from ts_lsp.server.commands import COMMANDS
from ts_lsp.server.diagnostics import SOURCE
from ts_lsp.server.handlers import FEATURES

_INCREMENTAL = 2


def server_capabilities(client: Client) -> dict[str, object]:
    """Everything that this client can use, by the names that the protocol has for it."""
    told: dict[str, object] = {
        "positionEncoding": client.encoding,
        "textDocumentSync": {"openClose": True, "change": _INCREMENTAL, "save": False},
        "executeCommandProvider": {"commands": list(COMMANDS)},
        "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
    }
    if client.pulls_diagnostics:
        told["diagnosticProvider"] = {
            "identifier": SOURCE,
            "interFileDependencies": True,
            "workspaceDiagnostics": True,
        }
    if client.has_notebooks:
        told["notebookDocumentSync"] = {"notebookSelector": [{"notebook": "*", "cells": [{"language": "python"}]}]}
    for feature in FEATURES:
        announced = feature.announced_to(client)
        if feature.provider and announced is not None:
            told[_in_camel_case(feature.provider)] = announced
    return told


def _in_camel_case(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))
