"""Asking `ts-lsp dump` about test files: one process a file, a few at a time, answers kept by content and version."""

from __future__ import annotations

import hashlib
import json
import shlex
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

Dump = dict[str, Any]

# The test suite's own checks compile what they are given.
_ENTRY_POINTS = ("checkScript", "checkModule", "checkScriptRaisesRegex", "_script")
_SECONDS = 900


@dataclass(frozen=True)
class Answer:
    """What the product said about one file: a dump, or why there is none."""

    dump: Dump | None
    fault: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Product:
    """The command under test; `source` is the package whose content makes the version."""

    command: str
    source: Path
    cache: Path

    def answers(self, root: Path, files: list[str], jobs: int) -> dict[str, Answer]:
        """One answer for each file, named relative to `root`."""
        self.cache.mkdir(parents=True, exist_ok=True)
        with ThreadPoolExecutor(jobs) as pool:
            return dict(pool.map(lambda name: (name, self._answer(root / name)), files))

    def _answer(self, path: Path) -> Answer:
        kept = self.cache / f"{self._key(path)}.json"
        if kept.exists():
            return Answer(json.loads(kept.read_text()))
        answer = self._ask(path)
        if answer.dump is not None:
            kept.write_text(json.dumps(answer.dump))
        return answer

    def _key(self, path: Path) -> str:
        return hashlib.sha256(b"\0".join((self._version, str(path).encode(), path.read_bytes()))).hexdigest()

    @cached_property
    def _version(self) -> bytes:
        digest = hashlib.sha256(self.command.encode())
        for path in sorted(self.source.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(path.read_bytes())
        return digest.digest()

    def _ask(self, path: Path) -> Answer:
        options = ["--scope", "all", *(part for name in _ENTRY_POINTS for part in ("--entry-point", name))]
        started = time.monotonic()
        try:
            done = subprocess.run(
                [*_resolve(self.command), *options, str(path)], capture_output=True, text=True, timeout=_SECONDS
            )
            dumps = json.loads(done.stdout)["files"]
            dump = next(dump for dump in dumps if Path(dump["path"]).name == path.name)
        except subprocess.TimeoutExpired:
            return Answer(None, f"no answer within {_SECONDS} s")
        except (ValueError, KeyError, StopIteration):
            return Answer(None, f"exit {done.returncode}: {done.stderr.strip()[-300:]}")
        return Answer(dump, seconds=time.monotonic() - started)


def _resolve(command: str) -> list[str]:
    """The command's words; a bare program name is looked for beside this interpreter first."""
    program, *arguments = shlex.split(command)
    beside = Path(sys.executable).parent / program
    if "/" not in program and beside.exists():
        program = str(beside)
    return [shutil.which(program) or program, *arguments]
