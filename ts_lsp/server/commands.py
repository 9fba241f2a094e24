"""What a person can have done by name.

Owns `COMMANDS` and `Commands`, which does them. Invariant: only `verify` executes code of the workspace, in a process
of its own, and only after the user said yes.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

from ts_lsp.server.diagnostics import Json, line_item
from ts_lsp.server.documents import Document
from ts_lsp.server.uris import is_file, path_of

if TYPE_CHECKING:
    from ts_lsp.server.app import Server

_NAMES = ("restart", "showFacts", "showDefinitions", "showEntryPoints", "showEntryPoint", "verify", "apply")
COMMANDS = tuple(f"ts-lsp.{name}" for name in _NAMES)
RESTART, SHOW_FACTS, SHOW_DEFINITIONS, SHOW_ENTRY_POINTS, SHOW_ENTRY_POINT, VERIFY, APPLY = COMMANDS
_COMPILER = "torch.jit.script"
_YES = "Execute"
log = logging.getLogger(__name__)


class Commands:
    """Does commands. `verified` is what torch said of documents that have not changed since."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._verified: dict[Document, list[Json]] = {}
        self._by_name: Mapping[str, Callable[[Sequence[Any]], Any]] = {
            RESTART: self._restart,
            SHOW_FACTS: self._show_facts,
            SHOW_DEFINITIONS: self._show_definitions,
            SHOW_ENTRY_POINTS: self._show_entry_points,
            SHOW_ENTRY_POINT: self._show_entry_point,
            VERIFY: self._verify,
            APPLY: self._apply,
        }

    async def execute(self, params: lsp.ExecuteCommandParams) -> object:
        command = self._by_name.get(params.command)
        if command is None:
            raise JsonRpcInvalidParams(f"there is no command {params.command}")
        return await command(params.arguments or ())

    def verified(self, document: Document) -> list[Json]:
        """What torch said of a document, as diagnostics."""
        return self._verified.get(document, [])

    async def _restart(self, arguments: Sequence[Any]) -> None:
        """Everything is read and worked out again."""
        await self._server.ask(lambda session, token: session.start_again())
        self._server.tell_all_again()

    async def _show_facts(self, arguments: Sequence[Any]) -> object:
        """The facts at a place: arguments are the document's address and a position."""
        uri, position = _argument(arguments, 0, str), _argument(arguments, 1, dict)
        from ts_lsp.server.listings import facts_at

        return await self._server.ask(
            lambda session, token: facts_at(session, uri, position.get("line", 0), position.get("character", 0), token)
        )

    async def _show_definitions(self, arguments: Sequence[Any]) -> object:
        """The definitions of a document: the argument is its address."""
        uri = _argument(arguments, 0, str)
        from ts_lsp.server.listings import definitions

        return await self._server.ask(lambda session, token: definitions(session, uri, token))

    async def _show_entry_points(self, arguments: Sequence[Any]) -> object:
        """The entry points of all files that are known."""
        from ts_lsp.server.listings import entry_points

        return await self._server.ask(entry_points)

    async def _show_entry_point(self, arguments: Sequence[Any]) -> None:
        """Has the client show a place: arguments are an address and a position."""
        uri, position = _argument(arguments, 0, str), _argument(arguments, 1, dict)
        selection = {"start": position, "end": position}
        params = {"uri": uri, "takeFocus": True, "selection": selection}
        self._server.protocol.ask_client(lsp.WINDOW_SHOW_DOCUMENT, params)

    async def _apply(self, arguments: Sequence[Any]) -> None:
        """Has the client make the edit of a code action that it was offered as a command, with these arguments."""
        data = _argument(arguments, 0, dict)
        from ts_lsp.server.handlers.code_action import edit_of_command

        edit = await self._server.ask(partial(edit_of_command, data))
        if edit is not None:
            self._server.protocol.ask_client(
                lsp.WORKSPACE_APPLY_EDIT, lsp.ApplyWorkspaceEditParams(edit, data["title"])
            )

    # Verify.

    async def _verify(self, arguments: Sequence[Any]) -> object:
        """Compiles a file with the installed torch and shows what that says; None where the user did not agree."""
        uri = _argument(arguments, 0, str)
        path, document = path_of(uri), self._server.documents.get(uri)
        if not is_file(path) or not os.path.isfile(path):
            raise JsonRpcInvalidParams(f"{uri} is no file")
        if not await self._agreed(path):
            return None
        calls = await _verdicts(path, await self._server.ask(lambda session, token: session.interpreter(path)))
        items = [_item(each) for each in calls if each["path"] == path]
        if document is not None and self._server.documents.get(uri) is document:
            self._verified = {document: items}
            await self._tell(document, items)
        return {"refused": calls}

    async def _tell(self, document: Document, items: list[Json]) -> None:
        """Shows what torch said: beside other diagnostics where the client does not ask for those."""
        if self._server.client.pulls_diagnostics:
            self._server.tell(document, items)
        else:
            await self._server.ask(lambda session, token: session.tell_again(document.path))
            self._server.worker.concern_all()

    async def _agreed(self, path: str) -> bool:
        question = {
            "type": lsp.MessageType.Warning.value,
            "message": f"Verifying executes {os.path.basename(path)} with the project's Python.",
            "actions": [{"title": _YES}, {"title": "Cancel"}],
        }
        answer = await asyncio.wrap_future(self._server.protocol.ask_client(lsp.WINDOW_SHOW_MESSAGE_REQUEST, question))
        return isinstance(answer, dict) and answer.get("title") == _YES


def _item(refused: Mapping[str, Any]) -> Json:
    return line_item(refused["line"], f"torch refuses {refused['target']}: {refused['message']}", _COMPILER)


async def _verdicts(path: str, python: str | None) -> list[dict[str, Any]]:
    """What `ts-lsp verify` finds that torch refuses, with the Python of the file's project."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "ts_lsp",
        "verify",
        "--yes",
        "--json",
        *(("--python", python) if python is not None else ()),
        path,
        cwd=os.path.dirname(path),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        out, err = await process.communicate()
    except asyncio.CancelledError:
        process.kill()
        raise
    try:
        found: list[dict[str, Any]] = json.loads(out)
    except ValueError:
        last = (err.decode(errors="replace").strip().splitlines() or ["it printed nothing"])[-1]
        raise JsonRpcInvalidParams(last) from None
    return found


def _argument(arguments: Sequence[Any], index: int, kind: type) -> Any:
    if len(arguments) <= index or not isinstance(arguments[index], kind):
        raise JsonRpcInvalidParams(f"argument {index + 1} must be a {kind.__name__}")
    return arguments[index]
