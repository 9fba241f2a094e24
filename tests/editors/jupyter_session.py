"""A session in JupyterLab, by a browser's keys and mouse: see sessions.py for what is done and told.

It is run by a Python that has JupyterLab, jupyterlab-lsp, Playwright and ts-lsp. `PROGRAM` lies in a notebook, cut into
cells where two empty lines are. JupyterLab has neither code actions nor inlay hints.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, sync_playwright

_BETWEEN_CELLS = "\n\n\n"
_PATIENCE = 60.0
_QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


def main() -> None:
    opened, seen = Path(os.environ["OPENED"]), Path(os.environ["SEEN"])
    folder = opened.parent
    notebook = folder / "opened.ipynb"
    notebook.write_text(json.dumps(_notebook(opened.read_text("utf-8"))), encoding="utf-8")
    with _jupyter(folder) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=list(_QUIET))
        page = browser.new_page(viewport={"width": 1300, "height": 900})
        page.set_default_timeout(_PATIENCE * 1000)
        page.goto(address, wait_until="domcontentloaded")
        try:
            found = _session(page)
        finally:
            page.screenshot(path=seen.with_name("jupyter.png"))
            browser.close()
    seen.write_text(json.dumps(found), encoding="utf-8")


def _session(page: Page) -> dict[str, Any]:
    cells = page.locator(".jp-Notebook .jp-CodeCell")
    cells.nth(2).locator(".cm-line").first.wait_for()
    diagnostics = _diagnostics(page)
    hover = _hover(page, cells)
    completions = _completions(page, cells)
    return {"diagnostics": diagnostics, "hover": hover, "completions": completions, "text": _renamed(page, cells)}


def _diagnostics(page: Page) -> list[dict[str, Any]]:
    mark = page.locator(".jp-Notebook .cm-lintRange")
    _until("diagnostics, and settings, which Jupyter sends later", lambda: mark.count() == 1)
    mark.first.hover()
    told = page.locator(".cm-tooltip .cm-diagnostic").first
    told.wait_for()
    line = mark.locator("xpath=ancestor::*[contains(@class,'cm-line')]")
    found = {"line": line.inner_text(), "marked": mark.inner_text(), "message": told.inner_text()}
    page.mouse.move(5, 5)
    return [found]


def _hover(page: Page, cells: Locator) -> str:
    x, y = _place_of(cells.nth(2), "copied", 0)
    tooltip = page.locator(".lsp-tooltip, .lsp-hover").first
    page.keyboard.down("Control")

    def is_shown() -> bool:
        page.mouse.move(x - 12, y)  # at another character: one that was looked at already is not looked at again
        page.mouse.move(x, y)
        page.wait_for_timeout(500)
        return tooltip.is_visible()

    _until("hover", is_shown)
    text = str(tooltip.inner_text())
    page.keyboard.up("Control")
    page.mouse.move(5, 5)
    return text


def _place_of(cell: Locator, text: str, number: int) -> tuple[float, float]:
    """Where the occurrence of a text in a cell stands on the screen."""
    box = cell.locator(".cm-content").evaluate(
        """(content, [text, number]) => {
            const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
            for (let node; (node = walker.nextNode());)
                for (let at = -1; (at = node.data.indexOf(text, at + 1)) >= 0;)
                    if (number-- === 0) {
                        const range = document.createRange();
                        range.setStart(node, at);
                        range.setEnd(node, at + text.length);
                        const {x, y, width, height} = range.getBoundingClientRect();
                        return [x + width / 2, y + height / 2];
                    }
            return null;
        }""",
        [text, number],
    )
    assert box is not None, f"{text} is not shown"
    return box[0], box[1]


def _completions(page: Page, cells: Locator) -> list[str]:
    page.mouse.click(*_place_of(cells.nth(2), "copied", 1))
    page.keyboard.press("End")
    page.keyboard.type(".app")
    page.keyboard.press("Tab")
    items = page.locator(".jp-Completer-item .jp-Completer-match")
    items.first.wait_for()
    found = [each.split("(")[0].strip() for each in items.all_inner_texts()]
    page.keyboard.press("Escape")
    for _ in ".app":
        page.keyboard.press("Backspace")
    return found


def _renamed(page: Page, cells: Locator) -> str:
    place = _place_of(cells.nth(2), "copied", 0)
    page.mouse.click(*place)
    page.mouse.click(*place, button="right")
    page.locator(".lm-Menu-itemLabel").get_by_text("Rename symbol").click()
    field = page.locator(".jp-Dialog input")
    field.fill("fresh")
    page.locator(".jp-Dialog .jp-mod-accept").click()
    _until("the new name", lambda: "copied" not in _text(cells.nth(2)))
    return _BETWEEN_CELLS.join(_text(cell) for cell in cells.all()) + "\n"


def _text(cell: Locator) -> str:
    return "\n".join(line.strip("\n\u200b") for line in cell.locator(".cm-line").all_inner_texts())


def _until(what: str, condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + _PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"nothing came: {what}"
        time.sleep(0.05)


def _notebook(program: str) -> dict[str, Any]:
    empty = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    cells = [
        {**empty, "id": f"cell-{number}", "source": source}
        for number, source in enumerate(program.rstrip("\n").split(_BETWEEN_CELLS))
    ]
    language = {"name": "python", "file_extension": ".py", "mimetype": "text/x-python"}
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {
        "cells": cells,
        "metadata": {"kernelspec": kernel, "language_info": language},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


@contextlib.contextmanager
def _jupyter(folder: Path) -> Iterator[str]:
    """A running JupyterLab with settings of its own; the address of the notebook in it."""
    own = folder.parent / "jupyter"
    settings = own / "settings" / "@jupyter-lsp" / "jupyterlab-lsp" / "plugin.jupyterlab-settings"
    settings.parent.mkdir(parents=True)
    configuration = {"ts-lsp.ignore": [os.environ["IGNORED"]]}
    settings.write_text(json.dumps({"language_servers": {"ts-lsp": {"serverSettings": configuration}}}))
    variables = {
        "JUPYTER_CONFIG_DIR": own / "config",
        "JUPYTER_DATA_DIR": own / "data",
        "JUPYTER_RUNTIME_DIR": own / "runtime",
        "JUPYTERLAB_SETTINGS_DIR": own / "settings",
        "JUPYTERLAB_WORKSPACES_DIR": own / "workspaces",
    }
    port, token = _free_port(), secrets.token_hex()
    server = subprocess.Popen(
        [
            *(sys.executable, "-m", "jupyter", "lab", "--no-browser", "--allow-root", "--ip=127.0.0.1"),
            *(f"--port={port}", "--ServerApp.port_retries=0", f"--IdentityProvider.token={token}"),
            *(f"--ServerApp.root_dir={folder}", "--LabApp.extension_manager=readonly", "--LabApp.news_url="),
        ],
        env=os.environ | {name: str(value) for name, value in variables.items()},
        stdout=sys.stderr,
        stderr=sys.stderr,
    )
    try:
        _until("JupyterLab", lambda: _answers(f"http://127.0.0.1:{port}/api/status?token={token}"))
        yield f"http://127.0.0.1:{port}/lab/tree/opened.ipynb?token={token}&reset"
    finally:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()


def _free_port() -> int:
    with socket.socket() as probing:
        probing.bind(("127.0.0.1", 0))
        port: int = probing.getsockname()[1]
        return port


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


if __name__ == "__main__":
    main()
