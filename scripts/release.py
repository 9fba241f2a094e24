"""One version for everything that is released: `python -m scripts.release 1.2.3` writes it wherever it stands.

Owns `PLACES`. Invariant: nothing is written unless every place was found, and what is unreleased in the changelog
becomes what is new in the version.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_NUMBER = r"\d+\.\d+\.\d+"
PLACES: Mapping[str, tuple[str, int]] = {
    "ts_lsp/__init__.py": (rf'(?<=^__version__ = "){_NUMBER}', 1),
    "vscode-extension/package.json": (rf'(?<=^  "version": "){_NUMBER}', 1),
    "vscode-extension/package-lock.json": (
        rf'(?:(?<=^  "version": ")|(?<="": {{\n      "name": "ts-lsp",\n      "version": ")){_NUMBER}',
        2,
    ),
    "editors/emacs/ts-lsp.el": (rf"(?<=^;; Version: ){_NUMBER}", 1),
    "docs/continuous-integration.md": (rf"(?:(?<=rev: v)|(?<=ts-lsp@v)){_NUMBER}", 2),
}
"""Where the version stands: a pattern that finds nothing else, and how often it does."""
CHANGELOGS = ("CHANGELOG.md", "vscode-extension/CHANGELOG.md")
_UNRELEASED = "## Unreleased\n"


class Unreleasable(Exception):
    """Says what is in the way of a release."""


def versions() -> Mapping[str, set[str]]:
    """The versions that stand in each place."""
    return {name: set(_found(name, (ROOT / name).read_text("utf-8"))) for name in PLACES}


def _found(name: str, text: str) -> list[str]:
    pattern, count = PLACES[name]
    found = re.findall(pattern, text, re.MULTILINE)
    if len(found) != count:
        raise Unreleasable(f"{name}: the version stands in {len(found)} places instead of {count}")
    return found


def changed(version: str, today: date) -> Mapping[str, str]:
    """The text of every file that a release changes."""
    if not re.fullmatch(_NUMBER, version):
        raise Unreleasable(f"{version!r} is no version: write three numbers, such as 1.2.3")
    texts: dict[str, str] = {}
    for name, (pattern, _) in PLACES.items():
        text = (ROOT / name).read_text("utf-8")
        _found(name, text)
        texts[name] = re.sub(pattern, version, text, flags=re.MULTILINE)
    for name in CHANGELOGS:
        text = (ROOT / name).read_text("utf-8")
        if _UNRELEASED not in text:
            raise Unreleasable(f"{name}: nothing is said below `{_UNRELEASED.strip()}`")
        texts[name] = text.replace(_UNRELEASED, f"## {version} ({today.isoformat()})\n", 1)
    return texts


def main(arguments: list[str]) -> int:
    try:
        (version,) = arguments
        texts = changed(version, date.today())
    except (ValueError, Unreleasable) as problem:
        print(f"release: {problem if isinstance(problem, Unreleasable) else __doc__}", file=sys.stderr)
        return 2
    for name, text in texts.items():
        (ROOT / name).write_text(text, encoding="utf-8")
        print(name)
    print(f"Look at the changes, then: git commit -am 'Version {version}' && git tag v{version}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
