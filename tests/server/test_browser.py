"""The server as a browser's worker runs it: in one thread, given messages as texts."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

from ts_lsp.server.browser import serve_messages

URI = "file:///playground/program.py"
PROGRAM = """\
import torch


@torch.jit.script
def half(x, count: int):
    steps = 0
    for _ in range(count):
        steps += 0.5
    return x / steps


def untouched(x):
    return x
"""
PATIENCE = 30.0

Message = dict[str, Any]


class Page:
    """The client: sends messages and keeps what comes."""

    def __init__(self) -> None:
        self.came: list[Message] = []
        self._news = asyncio.Event()
        self._take = serve_messages(self._post)

    def _post(self, message: str) -> None:
        self.came.append(json.loads(message))
        self._news.set()

    def tell(self, method: str, params: object, **more: object) -> None:
        self._take(json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}))

    async def ask(self, method: str, params: object) -> Any:
        identity = f"{method} {len(self.came)}"
        self.tell(method, params, id=identity)
        return (await self.message(lambda each: each.get("id") == identity and "method" not in each))["result"]

    async def diagnostics(self, version: int) -> list[Message]:
        """Those told last of a version, when the server has nothing else to do."""

        def told(each: Message) -> bool:
            return each.get("method") == "textDocument/publishDiagnostics" and each["params"]["version"] == version

        found: list[Message] = (await self.message(told))["params"]["diagnostics"]
        return found

    async def message(self, wanted: Callable[[Message], bool]) -> Message:
        while True:
            for each in reversed(self.came):
                if wanted(each):
                    return each
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), PATIENCE)


@pytest.fixture
async def page() -> Page:
    page = Page()
    capabilities = {
        "textDocument": {"hover": {"contentFormat": ["markdown"]}},
        "workspace": {"inlayHint": {"refreshSupport": True}},
    }
    await page.ask("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})
    page.tell("initialized", {})
    document = {"uri": URI, "languageId": "python", "version": 1, "text": PROGRAM}
    page.tell("textDocument/didOpen", {"textDocument": document})
    return page


def change(page: Page, version: int, text: str) -> None:
    changes = {"textDocument": {"uri": URI, "version": version}, "contentChanges": [{"text": text}]}
    page.tell("textDocument/didChange", changes)


async def test_diagnostics_follow_the_text_without_any_thread(page: Page) -> None:
    threads = threading.active_count()
    assert [each["code"] for each in await page.diagnostics(1)] == ["reassigned-type"]
    change(page, 2, PROGRAM.replace("steps = 0", "steps = 0.0"))
    change(page, 3, PROGRAM.replace("0.5", "x.nothing_of_the_kind"))
    assert [each["code"] for each in await page.diagnostics(3)] == ["unknown-attribute"]
    assert not [each for each in page.came if each.get("params", {}).get("version") == 2]
    assert threading.active_count() == threads


async def test_questions_are_answered_in_between(page: Page) -> None:
    place = {"textDocument": {"uri": URI}, "position": {"line": 8, "character": 16}}
    hover = await page.ask("textDocument/hover", place)
    assert "steps: int" in hover["contents"]["value"]


async def test_settings_are_others_from_one_moment_to_the_next(page: Page) -> None:
    page.came.clear()
    change(page, 2, PROGRAM.replace("x / steps", "torch.rms_norm(x, [3])").replace("0.5", "1"))
    assert await page.diagnostics(2) == []
    page.came.clear()
    page.tell("workspace/didChangeConfiguration", {"settings": {"ts-lsp": {"torch-version": "1.13"}}})
    assert [each["range"]["start"]["line"] for each in await page.diagnostics(2)] == [8]
    assert [each["method"] for each in page.came if "id" in each] == ["workspace/inlayHint/refresh"]


async def test_definitions_are_listed_with_verdicts_types_and_reasons(page: Page) -> None:
    told = {"command": "ts-lsp.showDefinitions", "arguments": [URI]}
    found = await page.ask("workspace/executeCommand", told)
    (half,) = found["definitions"]
    assert (half["name"], half["verdict"], half["line"]) == ("half", "error", 4)
    assert half["firstError"] == {"code": "reassigned-type", "uri": URI, "line": 7}
    assert {"name": "steps", "types": ["int"]} in half["variables"]
    assert [(each["name"], each["line"]) for each in found["unreached"]] == [("untouched", 11)]
