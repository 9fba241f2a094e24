"""The oracle: a process of its own that imports torch once and says what `torch.jit.script` does with programs.

Started with the folder to which it may write programs. It reads one JSON request a line on stdin and answers with one
JSON line on stdout. A request holds the `files` of a program (name to text), which of them is `main`, the `scope`, and
optionally `only` (names of entries to compile).
While the program is imported `torch.jit.script` only notes what it is given, so that one failing definition does not
stop the import; then every noted object is compiled by itself.
It executes the given programs: it is meant for the project's own cases.
"""

from __future__ import annotations

import importlib
import inspect
import itertools
import json
import os
import re
import shutil
import sys
import traceback
import types
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

_FILE = re.compile(r'^(?P<lead>.* at )?(?:Serialized )? *File "(?P<file>[^"]*)", line (?P<line>\d+)')
_CALL = re.compile(r"^'.*' is being compiled since it was called from '.*'$")
_UNDERLINE = re.compile(r"^(?P<blank> *)(?P<run>~+)(?P<here> <--- HERE)?$")


def listings(text: str, names: dict[str, str]) -> list[dict[str, object]]:
    """The source listings of an error text: file, 1-based line, role and the underlined text (None without one)."""
    found = []
    lines = text.split("\n")
    role = "error"
    for number, line in enumerate(lines):
        if _CALL.match(line):
            role = "caller"
        match = _FILE.match(line)
        if match is None:
            continue
        if number and lines[number - 1].strip() == "and was used here:":
            role = "use"
        listing = itertools.takewhile(lambda text: not _FILE.match(text) and not _CALL.match(text), lines[number + 1 :])
        found.append(
            {
                "file": names.get(match["file"], match["file"]),
                "line": int(match["line"]),
                "role": role,
                "marked": underlined(list(listing)),
            }
        )
    return found


def underlined(lines: list[str]) -> str | None:
    """The text that the first line of tildes underlines."""
    for above, line in itertools.pairwise(lines):
        if match := _UNDERLINE.match(line):
            start = len(match["blank"])
            return above.encode()[start : start + len(match["run"])].decode(errors="replace")
    return None


class Entries:
    """What a program hands to `torch.jit.script` while it is imported."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.noted: list[dict[str, Any]] = []

    def script(self, obj: Any, *ignored: object, **also_ignored: object) -> Any:
        frame = sys._getframe(1)
        names = self.torch._jit_internal.createResolutionCallbackFromFrame(1) if inspect.isclass(obj) else None
        self.noted.append({"object": obj, "file": frame.f_code.co_filename, "line": frame.f_lineno, "rcb": names})
        return obj

    def interface(self, real: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def note(obj: Any) -> Any:
            frame = sys._getframe(1)
            entry = {"object": obj, "file": frame.f_code.co_filename, "line": frame.f_lineno, "kind": "interface"}
            self.noted.append(entry)
            try:
                return real(obj)
            except Exception as error:
                entry["error"] = error
                return obj

        return note

    def add_all(self, module: types.ModuleType) -> None:
        """Scope `all`: every function and class of the module's own text that is not noted yet."""
        for obj in list(vars(module).values()):
            own = getattr(obj, "__module__", None) == module.__name__
            if (
                own
                and isinstance(obj, (types.FunctionType, type))
                and all(entry["object"] is not obj for entry in self.noted)
            ):
                line = (
                    obj.__code__.co_firstlineno
                    if isinstance(obj, types.FunctionType)
                    else inspect.getsourcelines(obj)[1]
                )
                names = (lambda name: getattr(module, name)) if isinstance(obj, type) else None
                self.noted.append({"object": obj, "file": module.__file__, "line": line, "rcb": names})


def kind_of(obj: object) -> str:
    import torch

    if isinstance(obj, torch.nn.Module):
        return "module"
    return "class" if inspect.isclass(obj) else "function" if callable(obj) else "object"


def name_of(obj: object) -> str:
    return getattr(obj, "__qualname__", type(obj).__qualname__)


def schemas(result: Any) -> dict[str, str]:
    """The compiled schemas by method name (a function's under its own name)."""
    import torch

    if isinstance(result, torch.jit.ScriptFunction):
        return {result.name: str(result.schema)}
    if isinstance(result, torch.jit.ScriptModule):
        return {name: str(result._c._get_method(name).schema) for name in result._c._method_names()}
    return {}


class Program:
    """One program on disk, imported under a name that no other program of this process had."""

    counter = itertools.count()

    def __init__(self, request: dict[str, Any], folder: str) -> None:
        self.request = request
        self.stem = f"case_{next(self.counter)}"
        self.folder = Path(folder) / self.stem
        self.names: dict[str, str] = {}
        for name, text in request["files"].items():
            path = self.folder / (f"{self.stem}.py" if name == request["main"] else name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
            self.names[str(path)] = name

    def judge(self, torch: Any) -> dict[str, Any]:
        entries = Entries(torch)
        before = set(sys.modules)
        sys.path.insert(0, str(self.folder))
        importlib.invalidate_caches()
        real = (torch.jit.script, torch.jit.interface)
        torch.jit.script, torch.jit.interface = entries.script, entries.interface(real[1])
        try:
            try:
                module = importlib.import_module(self.stem)
            finally:
                torch.jit.script, torch.jit.interface = real
            if self.request.get("scope") == "all":
                entries.add_all(module)
            return {"entries": [self.verdict(torch, entry) for entry in self.wanted(entries.noted)]}
        except SyntaxError as error:
            name = self.names.get(error.filename or "", error.filename)
            return {
                "entries": [],
                "import_error": {
                    "type": type(error).__name__,
                    "message": error.msg,
                    "file": name,
                    "line": error.lineno,
                },
            }
        except Exception as error:
            lines = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in self.names]
            place = (
                {"file": self.names[lines[-1].filename], "line": lines[-1].lineno}
                if lines
                else {"file": None, "line": None}
            )
            return {"entries": [], "import_error": {"type": type(error).__name__, "message": str(error), **place}}
        finally:
            sys.path.remove(str(self.folder))
            for name in set(sys.modules) - before:
                if str(self.folder) in str(getattr(sys.modules[name], "__file__", "")):
                    del sys.modules[name]
            shutil.rmtree(self.folder, ignore_errors=True)

    def wanted(self, noted: list[dict[str, Any]]) -> list[dict[str, Any]]:
        only = self.request.get("only")
        return [entry for entry in noted if only is None or name_of(entry["object"]) in only]

    def verdict(self, torch: Any, entry: dict[str, Any]) -> dict[str, Any]:
        obj = entry["object"]
        answer = {
            "file": self.names.get(entry["file"], entry["file"]),
            "line": entry["line"],
            "kind": entry.get("kind") or kind_of(obj),
        }
        answer["name"] = name_of(obj)
        answer["definitions"] = self.definitions(obj)
        try:
            if "error" in entry:
                raise entry["error"]
            result = obj if answer["kind"] == "interface" else torch.jit.script(obj, _rcb=entry.get("rcb"))
        except BaseException as error:
            if isinstance(error, (KeyboardInterrupt, SystemExit)):
                raise
            text = str(error)
            return answer | {
                "verdict": "error",
                "type": type(error).__name__,
                "message": next((line for line in text.split("\n") if line.strip()), ""),
                "listings": [] if isinstance(error, RecursionError) else listings(text, self.names),
            }
        return answer | {"verdict": "ok", "schemas": schemas(result)}

    def definitions(self, obj: object) -> list[list[object]]:
        """Where the text of the entry stands: file and 1-based half-open lines of the function or of the classes."""
        found = (source_place(subject) for subject in subjects_of(obj))
        return [[self.names[path], first, end] for path, first, end in found if path in self.names]


def subjects_of(obj: object) -> list[object]:
    """What holds an entry's text: a function itself, a class and its bases, the classes of an instance."""
    if inspect.isroutine(obj):
        return [inspect.unwrap(obj)]
    return list(obj.__mro__ if isinstance(obj, type) else type(obj).__mro__)


def source_place(subject: object) -> tuple[str, int, int]:
    """File and 1-based half-open lines of a function or class; an empty file name where there is no source."""
    try:
        lines, first = inspect.getsourcelines(subject)  # type: ignore[arg-type]
        return inspect.getsourcefile(subject) or "", first, first + len(lines)  # type: ignore[arg-type]
    except (OSError, TypeError):
        return "", 0, 0


def forget_classes(torch: Any) -> None:
    """Back to a process in which no class or module of a case was compiled."""
    torch._C._jit_clear_class_registry()
    torch.jit._recursive.concrete_type_store = torch.jit._recursive.ConcreteTypeStore()
    torch.jit._state._clear_class_state()


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the programs print must not end up between the answers
    warnings.simplefilter("ignore")
    import torch

    sys.dont_write_bytecode = True
    print(json.dumps({"torch": torch.__version__}), file=answers, flush=True)
    for line in sys.stdin:
        forget_classes(torch)
        try:
            answer = Program(json.loads(line), sys.argv[1]).judge(torch)
        except Exception:
            answer = {"fault": traceback.format_exc()}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
