"""Asking the oracle: starts the process that holds torch, talks to it, and survives its crashes.

Owns `Oracle` and the shapes of its answers. Invariant: an answer depends on the program and the torch version alone,
so answers may be kept on disk between runs under a key made of the program, the torch version and the oracle's text.
"""

from __future__ import annotations

import hashlib
import json
import os
import selectors
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

SERVER = Path(__file__).with_name("server.py")
SECONDS_PER_PROGRAM = 60


class OracleCrash(Exception):
    """The compiler took its process down, or did not answer in time."""


@dataclass(frozen=True)
class Listing:
    """A source listing of an error text. `role`: `error`, `use` (where an undefined name is read) or `caller`."""

    file: str
    line: int
    role: str
    marked: str | None


@dataclass(frozen=True)
class Entry:
    """What the compiler did with one object that the program hands to `torch.jit.script`."""

    file: str
    line: int
    kind: str
    name: str
    verdict: str
    definitions: tuple[tuple[str, int, int], ...]
    exception: str = ""
    message: str = ""
    listings: tuple[Listing, ...] = ()
    schemas: Mapping[str, str] | None = None

    def place(self, files: Mapping[str, str]) -> tuple[str, int] | None:
        """The compiler's line in the program's own files: the innermost listing, or where an undefined name is read."""
        own = [listing for listing in self.listings if listing.file in files]
        if not own:
            return None
        chosen = own[1] if len(own) > 1 and own[1].role == "use" else own[0]
        return chosen.file, chosen.line


@dataclass(frozen=True)
class ImportFailure:
    """The program could not even be imported."""

    exception: str
    message: str
    file: str | None
    line: int | None


@dataclass(frozen=True)
class Answer:
    entries: tuple[Entry, ...]
    import_failure: ImportFailure | None = None


def oracle_python() -> str | None:
    """The interpreter that has torch: `TS_LSP_ORACLE_PYTHON`, else this one if it has torch, else none."""
    chosen = os.environ.get("TS_LSP_ORACLE_PYTHON")
    if chosen:
        return chosen
    return sys.executable if find_spec("torch") is not None else None


class Oracle:
    """A running oracle. `cache` is a folder for answers of earlier runs, or None to ask afresh."""

    def __init__(self, python: str, cache: Path | None = None) -> None:
        self._python = python
        self._cache = cache
        self._process: subprocess.Popen[str] | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="ts-lsp-oracle-")
        self._answers: dict[str, Answer] = {}
        self._version = ""
        self._own_text = hashlib.sha256(SERVER.read_bytes()).hexdigest()

    def close(self) -> None:
        """End the process; a later question starts a new one."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        self._folder.cleanup()

    @property
    def torch_version(self) -> str:
        if not self._version:
            self._start()
        return self._version

    def judge(
        self, files: Mapping[str, str], main: str, scope: str = "scripted", only: Sequence[str] | None = None
    ) -> Answer:
        """What the compiler says about every entry of the program (or those called `only`)."""
        request = json.dumps({"files": dict(files), "main": main, "scope": scope, "only": only}, sort_keys=True)
        key = hashlib.sha256("\0".join((self.torch_version, sys.version, self._own_text, request)).encode()).hexdigest()
        if key not in self._answers:
            self._answers[key] = _answer(self._kept(key, request))
        return self._answers[key]

    def _kept(self, key: str, request: str) -> dict[str, Any]:
        path = self._cache / f"{key}.json" if self._cache is not None else None
        if path is not None and path.exists():
            return cast("dict[str, Any]", json.loads(path.read_text(encoding="utf-8")))
        answer = self._ask(request)
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(answer), encoding="utf-8")
        return answer

    def _ask(self, request: str) -> dict[str, Any]:
        process = self._process or self._start()
        assert process.stdin is not None
        try:
            process.stdin.write(request + "\n")
            process.stdin.flush()
            answer = self._read_line(process)
        except (BrokenPipeError, OSError):
            answer = ""
        if not answer:
            code = process.poll()
            self.close()
            raise OracleCrash(f"the oracle did not answer (exit code {code})")
        decoded: dict[str, Any] = json.loads(answer)
        if "fault" in decoded:
            raise OracleCrash(decoded["fault"])
        return decoded

    def _start(self) -> subprocess.Popen[str]:
        Path(self._folder.name).mkdir(exist_ok=True)
        self._process = subprocess.Popen(
            [self._python, "-W", "ignore", str(SERVER), self._folder.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONSAFEPATH": "1"},
        )
        hello = self._read_line(self._process)
        if not hello:
            self.close()
            raise OracleCrash(f"{self._python} cannot import torch")
        self._version = json.loads(hello)["torch"]
        return self._process

    def _read_line(self, process: subprocess.Popen[str]) -> str:
        assert process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            return process.stdout.readline() if selector.select(SECONDS_PER_PROGRAM) else ""


def _answer(raw: dict[str, Any]) -> Answer:
    failure = raw.get("import_error")
    return Answer(
        tuple(_entry(entry) for entry in raw["entries"]),
        ImportFailure(failure["type"], failure["message"], failure["file"], failure["line"]) if failure else None,
    )


def _entry(raw: dict[str, Any]) -> Entry:
    return Entry(
        raw["file"],
        raw["line"],
        raw["kind"],
        raw["name"],
        raw["verdict"],
        tuple((file, first, end) for file, first, end in raw["definitions"]),
        raw.get("type", ""),
        raw.get("message", ""),
        tuple(Listing(item["file"], item["line"], item["role"], item["marked"]) for item in raw.get("listings", ())),
        raw.get("schemas"),
    )
