"""The client's folders and settings, and files that change on disk.

Owns `Configuration`, what holds now, and `Configuring`, which keeps it. Invariant: a client that never answers keeps
the settings it came with.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from ts_lsp.records import dataclass, field, replace
from ts_lsp.server.client import Client, settings_in
from ts_lsp.server.uris import path_of, uri_of

if TYPE_CHECKING:
    from ts_lsp.server.app import Server

SECTION = "ts-lsp"
_WATCHED = ("**/*.py", "**/pyproject.toml", "**/pyvenv.cfg", "**/.gitignore")
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Configuration:
    """The client's folders, as paths, and its settings: one table for all, and one for each folder."""

    folders: tuple[str, ...] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    folder_settings: Mapping[str, Mapping[str, object]] = field(default_factory=dict)


class Configuring:
    """Handles what the client tells of settings, folders and files."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.current = Configuration()

    def serve(self, client: Client) -> None:
        self.current = Configuration(client.folders, client.settings)
        on = self._server.protocol.on
        on(lsp.INITIALIZED, self._initialized, raw=True)
        on(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION, self._settings_changed, raw=True)
        on(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, self._folders_changed, raw=True)
        on(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, self._files_changed, raw=True)

    # What the client tells.

    async def _initialized(self, params: object) -> None:
        wanted = list(_registrations(self._server.client))
        if wanted:
            self._server.protocol.ask_client(lsp.CLIENT_REGISTER_CAPABILITY, {"registrations": wanted})
        await self._ask_for_settings()
        await self._server.count_unopened()

    async def _settings_changed(self, params: Mapping[str, Any]) -> None:
        if self._server.client.has_configuration:
            await self._ask_for_settings()
        else:
            self._use(replace(self.current, settings=self._over_first(settings_in(params.get("settings")))))

    async def _folders_changed(self, params: Mapping[str, Any]) -> None:
        event = params["event"]
        gone = {path_of(each["uri"]) for each in event.get("removed", ())}
        come = [path_of(each["uri"]) for each in event.get("added", ())]
        folders = dict.fromkeys([*(each for each in self.current.folders if each not in gone), *come])
        self._use(replace(self.current, folders=tuple(folders)))
        await self._ask_for_settings()

    def _files_changed(self, params: Mapping[str, Any]) -> None:
        changes = {path_of(each["uri"]): each["type"] for each in params["changes"]}
        came_or_went = any(kind != lsp.FileChangeType.Changed for kind in changes.values())
        self._server.worker.ask(lambda session, token: session.files_changed(changes, came_or_went))
        self._server.tell_all_again()

    # What follows from it.

    async def _ask_for_settings(self) -> None:
        """Asks the client for the settings of everything and of each folder, where it can be asked."""
        if not self._server.client.has_configuration:
            return
        folders = self.current.folders
        items: list[dict[str, str]] = [{"section": SECTION}]
        items += [{"scopeUri": uri_of(folder), "section": SECTION} for folder in folders]
        try:
            answer = await asyncio.wrap_future(
                self._server.protocol.ask_client(lsp.WORKSPACE_CONFIGURATION, {"items": items})
            )
        except Exception as fault:
            log.warning("the client did not tell its settings: %s", fault)
            return
        tables = [settings_in(each) for each in answer] if isinstance(answer, Sequence) else []
        if len(tables) == len(items):
            by_folder = dict(zip(folders, tables[1:], strict=True))
            self._use(replace(self.current, settings=self._over_first(tables[0]), folder_settings=by_folder))

    def _over_first(self, settings: Mapping[str, object]) -> Mapping[str, object]:
        """Settings laid over those that the client came with."""
        return {**self._server.client.settings, **settings}

    def _use(self, configuration: Configuration) -> None:
        if configuration == self.current:
            return
        self.current = configuration
        self._server.worker.ask(lambda session, token: session.configure(configuration))
        self._server.tell_all_again()


def _registrations(client: Client) -> Sequence[dict[str, object]]:
    """What a client that is asked to will tell beside the usual."""
    wanted: dict[str, dict[str, object]] = {}
    if client.registers_configuration:
        wanted[lsp.WORKSPACE_DID_CHANGE_CONFIGURATION] = {"section": SECTION}
    if client.watches_files:
        watchers = [{"globPattern": pattern} for pattern in _WATCHED]
        wanted[lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES] = {"watchers": watchers}
    return [{"id": method, "method": method, "registerOptions": options} for method, options in wanted.items()]
