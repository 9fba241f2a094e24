"""The servers that are measured: ts-lsp of these sources, and others, fetched from PyPI and npm when they are wanted.

What is fetched stays in a folder of its own below `.bench/`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

CACHE = Path(__file__).parents[2] / ".bench"
_SOURCES = Path(__file__).parents[2]


@dataclass(frozen=True)
class Peer:
    """A server and how it is started: `program` is a path in its folder, or a module. `package` is from `registry`."""

    name: str
    registry: str  # "pypi" | "npm" | ""
    package: str
    program: str
    arguments: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        return CACHE / self.name

    @property
    def command(self) -> list[str]:
        if self.registry == "npm":
            return ["node", str(self.folder / self.program), *self.arguments]
        if "/" in self.program:
            return [str(self.folder / self.program), *self.arguments]
        return [sys.executable, "-m", self.program, *self.arguments]

    @property
    def environment(self) -> Mapping[str, str]:
        """That of this process, with this Python's environment as the one where torch is looked for."""
        chosen = {
            **os.environ,
            "VIRTUAL_ENV": sys.prefix,
            "PYTHONPATH": str(self.folder if self.registry else _SOURCES),
        }
        chosen.pop("PYTHONDONTWRITEBYTECODE", None)
        return chosen


OURS = Peer("ts-lsp", "", "", "ts_lsp", ("server",))
PEERS = (
    Peer("ruff", "pypi", "ruff", "bin/ruff", ("server",)),
    Peer("ty", "pypi", "ty", "bin/ty", ("server",)),
    Peer("pyrefly", "pypi", "pyrefly", "bin/pyrefly", ("lsp",)),
    Peer("zuban", "pypi", "zuban", "bin/zuban", ("server",)),
    Peer("basedpyright", "npm", "basedpyright", "node_modules/basedpyright/langserver.index.js", ("--stdio",)),
    Peer("pyright", "npm", "pyright", "node_modules/pyright/langserver.index.js", ("--stdio",)),
    Peer("jedi-language-server", "pypi", "jedi-language-server", "bin/jedi-language-server"),
)


def available(peers: Iterable[Peer]) -> Iterator[tuple[Peer, str]]:
    """The peers, fetched, each with why it cannot be had, or nothing."""
    for peer in peers:
        yield peer, _fetch(peer)


def _fetch(peer: Peer) -> str:
    ready = peer.folder / "ready"
    if ready.exists():
        return ""
    installer = _installer(peer)
    if not installer:
        return "npm and node are not installed"
    shutil.rmtree(peer.folder, ignore_errors=True)
    peer.folder.mkdir(parents=True)
    try:
        done = subprocess.run(installer, capture_output=True, text=True, timeout=300, cwd=peer.folder, check=False)
    except subprocess.TimeoutExpired:
        return f"{installer[0]} took too long"
    if done.returncode:
        return (done.stderr.strip().splitlines() or [f"{installer[0]} failed"])[-1]
    ready.touch()
    return ""


def _installer(peer: Peer) -> list[str]:
    if peer.registry == "pypi":
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        return [*pip, "--target", str(peer.folder), peer.package]
    if shutil.which("npm") and shutil.which("node"):
        return ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(peer.folder), peer.package]
    return []
