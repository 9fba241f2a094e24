"""Writes what the manifest of the VS Code extension shares with the server: the version, and the form of the settings.

`python -m scripts.vscode_manifest --write` writes it, `--check` ends with 1 where it is not up to date.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ts_lsp import __version__
from ts_lsp.project.settings import Settings
from ts_lsp.records import fields

MANIFEST = Path(__file__).resolve().parent.parent / "vscode-extension" / "package.json"
SECTION = "Checking"


def written(text: str) -> str:
    """The manifest as it should be, given as it is."""
    manifest = json.loads(text)
    manifest["version"] = __version__
    (section,) = (each for each in manifest["contributes"]["configuration"] if each["title"] == SECTION)
    section["properties"] = properties()
    return json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"


def properties() -> dict[str, dict[str, Any]]:
    """The form of every setting of the server, in the order of their class."""
    default = Settings()
    return {
        f"ts-lsp.{field.name.replace('_', '-')}": {
            **_schema(field.metadata["kind"], field.metadata["choices"], getattr(default, field.name)),
            "scope": "resource",
            "order": number,
            "markdownDescription": field.metadata["description"],
        }
        for number, field in enumerate(fields(Settings))
    }


def _schema(kind: str, choices: Sequence[str], default: object) -> Mapping[str, Any]:
    """A value's JSON Schema, with its default."""
    one_of = {"type": "string", "enum": list(choices)}
    if kind == "choice":
        return {**one_of, "default": default}
    if kind == "choices":
        return {"type": "array", "items": one_of, "uniqueItems": True, "default": list(_sequence(default))}
    if kind == "strings":
        return {"type": "array", "items": {"type": "string"}, "default": list(_sequence(default))}
    if kind == "string":
        return {"type": "string", "default": default or ""}
    if kind == "boolean":
        return {"type": "boolean", "default": default}
    if kind == "choice-by-name":
        return {"type": "object", "additionalProperties": one_of, "default": {}}
    raise ValueError(f"settings of the kind {kind} have no form yet")


def _sequence(value: object) -> Sequence[str]:
    assert isinstance(value, tuple)
    return value


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--write", action="store_true")
    mode.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    before = MANIFEST.read_text("utf-8")
    after = written(before)
    if arguments.write:
        MANIFEST.write_text(after, encoding="utf-8")
    return 1 if arguments.check and before != after else 0


if __name__ == "__main__":
    sys.exit(main())
