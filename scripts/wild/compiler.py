"""Asking the process that holds torch, and keeping its answers between runs.

Owns `Compiler` and `Verdict`. Invariant: an answer is kept under everything it depends on: the torch and Python
versions, the judging program, and the text of the module with the name of the function.
"""

from __future__ import annotations

import hashlib
import json
import selectors
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from scripts.conformance.listings import read_listings
from scripts.wild.packages import Function

_PROGRAM = Path(__file__).with_name("judge_process.py")
_SECONDS = 90


@dataclass(frozen=True)
class Verdict:
    """What the compiler did: `ok`, `error` or `skipped`. `places` are the files and lines it names, innermost first."""

    verdict: str
    schema: str = ""
    message: str = ""
    places: tuple[tuple[str, int], ...] = ()

    @property
    def headline(self) -> str:
        return next((line for line in self.message.split("\n") if line.strip()), "")


class Compiler:
    """The compiler over a folder for its answers; `packages` are folders to import from."""

    def __init__(self, cache: Path, packages: Sequence[Path] = ()) -> None:
        self._packages = [str(each) for each in packages]
        self._process: subprocess.Popen[str] | None = None
        self._scratch = tempfile.TemporaryDirectory(prefix="ts-lsp-wild-")
        self._kept = cache / "answers.jsonl"
        self._base = "\0".join((version("torch"), sys.version, _PROGRAM.read_text(encoding="utf-8")))
        self._answers: dict[str, dict[str, Any]] = {}
        if self._kept.exists():
            for line in self._kept.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                self._answers[row["key"]] = row["answer"]

    def judge(self, function: Function, source: str | None = None) -> Verdict:
        """What becomes of a function, as it stands or with `source` in its place."""
        request: dict[str, Any] = {"module": function.module, "function": function.name}
        if source is not None:
            lazy = "\nfrom __future__ import annotations" in "\n" + function.text
            request |= {"source": source, "first": function.node.lineno, "lazy": lazy}
        written = json.dumps([self._base, request, function.text], sort_keys=True)
        key = hashlib.sha256(written.encode()).hexdigest()[:32]
        answer = self._answers.get(key)
        if answer is None:
            answer = self._answers[key] = self._ask(request)
            with self._kept.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps({"key": key, "answer": answer}) + "\n")
        return _verdict(answer)

    def close(self) -> None:
        """End the process; a later question starts a new one."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            with selectors.DefaultSelector() as selector:
                selector.register(process.stdout, selectors.EVENT_READ)
                line = process.stdout.readline() if selector.select(_SECONDS) else ""
        except OSError:
            line = ""
        if not line:
            self.close()
            return {"verdict": "skipped", "reason": "the compiler's process ended or stalled"}
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _start(self) -> subprocess.Popen[str]:
        self._process = subprocess.Popen(
            [sys.executable, "-W", "ignore", str(_PROGRAM), self._scratch.name, *self._packages],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        return self._process


def _verdict(answer: dict[str, Any]) -> Verdict:
    if answer["verdict"] == "ok":
        return Verdict("ok", schema=answer["schema"])
    if answer["verdict"] == "skipped":
        return Verdict("skipped", message=answer["reason"])
    return Verdict("error", message=answer["message"], places=_places(answer["message"]))


def _places(message: str) -> tuple[tuple[str, int], ...]:
    """The places named, innermost first. Of a name not set on all paths, the place that reads it comes first."""
    places = [(each.file, each.line) for each in read_listings(message)]
    if "\nand was used here:\n" in message and len(places) > 1:
        places[0], places[1] = places[1], places[0]
    return tuple(places)
