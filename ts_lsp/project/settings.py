"""What a user can choose: one frozen class, read from tables of any origin.

Owns `Settings` and the reading of `[tool.ts-lsp]`. Invariant: reading never fails; a key that is unknown or ill-typed
gives one message and leaves everything else as it is. A setting is one field below: its metadata say what it means,
and the documentation and the editors' forms are made from them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from ts_lsp.records import dataclass, field, fields, replace

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SCOPES = ("scripted", "modules", "all")
SEVERITIES = ("error", "warning", "information", "hint", "off")
INLAY_HINT_KINDS = ("variable-types", "parameter-types", "return-types", "refinements", "conversions")
CODE_LENS_KINDS = ("compiled-by", "failures", "verify")
FADED_KINDS = ("dropped-branches", "unreached-methods")
_NONE: Mapping[str, str] = MappingProxyType({})
_Value = TypeVar("_Value")


def _setting(default: _Value, kind: str, description: str, choices: tuple[str, ...] = ()) -> _Value:
    """A field with what a form needs to know. `kind`: choice, choices, strings, string, boolean or choice-by-name."""
    metadata = {"kind": kind, "description": description, "choices": choices}
    value: _Value = (
        field(default_factory=lambda: default, metadata=metadata)
        if isinstance(default, Mapping)
        else field(default=default, metadata=metadata)
    )
    return value


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a project. Written in kebab-case wherever people write them."""

    scope: str = _setting(
        "scripted",
        "choice",
        "What is checked: what entry points reach, every `nn.Module` too, or every function and class.",
        SCOPES,
    )
    entry_points: tuple[str, ...] = _setting(
        (),
        "strings",
        "Callables and decorators that hand their argument to the compiler: dotted names or their last parts.",
    )
    torch_version: str | None = _setting(
        None, "string", "The torch version to answer for, as `X.Y`. By default that of the project's environment."
    )
    python: str | None = _setting(
        None, "string", "The project's Python interpreter or its environment's folder, relative to the project."
    )
    select: tuple[str, ...] = _setting((), "strings", "Report these rules only.")
    ignore: tuple[str, ...] = _setting((), "strings", "Do not report these rules.")
    severity: Mapping[str, str] = _setting(
        _NONE, "choice-by-name", "The severity of single rules, by their code.", SEVERITIES
    )
    exclude: tuple[str, ...] = _setting((), "strings", "Files and folders to leave out, as in a `.gitignore`.")
    include: tuple[str, ...] = _setting(
        (), "strings", "The files to look at in folders, as in a `.gitignore`. By default `*.py`."
    )
    inlay_hints: tuple[str, ...] = _setting(
        ("variable-types", "return-types"), "choices", "What is shown between the code in editors.", INLAY_HINT_KINDS
    )
    code_lens: tuple[str, ...] = _setting(
        CODE_LENS_KINDS,
        "choices",
        "What stands above definitions in editors: what compiles them, that they fail, a way to ask the real compiler.",
        CODE_LENS_KINDS,
    )
    fade: tuple[str, ...] = _setting(
        ("dropped-branches",), "choices", "What is shown paler in editors, as it is not compiled.", FADED_KINDS
    )
    complete_unsupported: bool = _setting(
        False, "boolean", "Offer names in completions that the compiler does not support, marked as such."
    )
    complete_calls: bool = _setting(
        True, "boolean", "Write completed functions as calls, with the required arguments to fill in."
    )


def read_settings(
    table: Mapping[str, object], base: Settings | None = None, origin: str = ""
) -> tuple[Settings, tuple[str, ...]]:
    """The settings of `table` laid over `base`, and a message for each key that cannot be used.

    `origin` says in messages where the table stands.
    """
    settings = base or Settings()
    settable = {each.name.replace("_", "-"): each for each in fields(Settings)}
    changes: dict[str, object] = {}
    messages: list[str] = []
    where = f"{origin}: " if origin else ""
    for key, value in table.items():
        described = settable.get(key)
        if described is None:
            import difflib

            close = difflib.get_close_matches(key, list(settable), n=1)
            hint = f"; did you mean `{close[0]}`?" if close else ""
            messages.append(f"{where}unknown setting `{key}`{hint}")
            continue
        kind, choices = described.metadata["kind"], described.metadata["choices"]
        try:
            changes[described.name] = _READERS[kind](value, choices)
        except _IllTyped as problem:
            messages.append(f"{where}setting `{key}` must be {problem}")
    return replace(settings, **changes), tuple(messages)  # type: ignore[arg-type]


def find_settings_file(start: Path) -> Path | None:
    """The nearest `pyproject.toml` with a `[tool.ts-lsp]` table, in the folder of `start` or above."""
    folder = start if start.is_dir() else start.parent
    for candidate in (folder, *folder.absolute().parents):
        file = candidate / "pyproject.toml"
        table, message = _table_of(file) if file.is_file() else (None, "")
        if table is not None or message:
            return file
    return None


def load_settings(start: Path) -> tuple[Settings, tuple[str, ...]]:
    """The settings that hold for a file or folder, and messages about what could not be read."""
    file = find_settings_file(start)
    if file is None:
        return Settings(), ()
    table, message = _table_of(file)
    if table is None:
        return Settings(), (message,)
    return read_settings(table, origin=str(file))


def _table_of(file: Path) -> tuple[Mapping[str, object] | None, str]:
    """The `[tool.ts-lsp]` table; None and a message if there is one that cannot be read, or no message if none."""
    try:
        content = tomllib.loads(file.read_bytes().decode("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as problem:
        return None, f"{file}: not readable as TOML ({problem}); the default settings hold"
    tools = content.get("tool")
    table = tools.get("ts-lsp") if isinstance(tools, dict) else None
    if table is None:
        return None, ""
    return (table, "") if isinstance(table, dict) else (None, f"{file}: `tool.ts-lsp` must be a table")


class _IllTyped(Exception):
    """Says what a value must be."""


def _choice(value: object, choices: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in choices:
        raise _IllTyped(f"one of {_listed(choices)}")
    return value


def _string(value: object, choices: tuple[str, ...]) -> str | None:
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise _IllTyped("a string")
    return value


def _strings(value: object, choices: tuple[str, ...]) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(part, str) for part in value):
        raise _IllTyped("a list of strings")
    return tuple(value)


def _choices(value: object, choices: tuple[str, ...]) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(part in choices for part in value):
        raise _IllTyped(f"a list of {_listed(choices)}")
    return tuple(value)


def _boolean(value: object, choices: tuple[str, ...]) -> bool:
    if not isinstance(value, bool):
        raise _IllTyped("true or false")
    return value


def _choice_by_name(value: object, choices: tuple[str, ...]) -> Mapping[str, str]:
    if not isinstance(value, Mapping) or not all(isinstance(part, str) and part in choices for part in value.values()):
        raise _IllTyped(f"a table whose values are {_listed(choices)}")
    return MappingProxyType({str(name): str(choice) for name, choice in value.items()})


def _listed(choices: tuple[str, ...]) -> str:
    return ", ".join(f'"{choice}"' for choice in choices[:-1]) + f' or "{choices[-1]}"'


_READERS: Mapping[str, Callable[[object, tuple[str, ...]], object]] = MappingProxyType(
    {
        "choice": _choice,
        "string": _string,
        "strings": _strings,
        "choices": _choices,
        "boolean": _boolean,
        "choice-by-name": _choice_by_name,
    }
)
