"""A process of its own that says what `torch.jit.script` does with functions of importable modules.

One JSON request a line on stdin, one JSON answer a line on stdout. A request names a `module` and a `function`; with
`source` it is the text of that function after a change, which is then executed in a copy of the module's globals, at
the line `first` of an otherwise empty file. So the module is imported once, and the lines are those of the module.
This module imports torch, and it imports the packages it is asked about.
"""

from __future__ import annotations
import __future__

import importlib
import json
import linecache
import os
import signal
import sys
import types
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

_SECONDS = 20


class NotJudged(Exception):
    """There is no such plain function, or its definition cannot be executed."""


class TookTooLong(BaseException):
    """Raised by the alarm; not an Exception, so that nothing on the way swallows it."""


class Judge:
    """Compiles functions; `scratch` is the folder for changed texts."""

    def __init__(self, scratch: Path) -> None:
        import torch

        self.torch = torch
        self.scratch = scratch
        self.counter = 0
        self.failed: dict[str, str] = {}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            function, original = self._function(request)
        except NotJudged as error:
            return {"verdict": "skipped", "reason": str(error)}
        try:
            result = self.torch.jit.script(function)
        except TookTooLong:
            return {"verdict": "skipped", "reason": "took too long"}
        except BaseException as error:
            message = str(error).replace(function.__code__.co_filename, original)
            return {"verdict": "error", "type": type(error).__name__, "message": message}
        schema = getattr(result, "schema", None)
        return {"verdict": "ok", "schema": str(schema) if schema is not None else ""}

    def _function(self, request: dict[str, Any]) -> tuple[types.FunctionType, str]:
        module = self._module(request["module"])
        path = str(module.__file__)
        if "source" not in request:
            found = vars(module).get(request["function"])
            if not isinstance(found, types.FunctionType) or (found.__code__.co_filename, found.__name__) != (
                path,
                request["function"],
            ):
                raise NotJudged("not a plain function of the module")
            return found, path
        return self._changed(module, request), path

    def _module(self, name: str) -> types.ModuleType:
        if name in self.failed:
            raise NotJudged(self.failed[name])
        try:
            return importlib.import_module(name)
        except BaseException as error:
            self.failed[name] = f"import failed: {type(error).__name__}: {error}"[:300]
            raise NotJudged(self.failed[name]) from error

    def _changed(self, module: types.ModuleType, request: dict[str, Any]) -> types.FunctionType:
        self.counter += 1
        path = self.scratch / f"changed_{self.counter}.py"
        text = "\n" * (request["first"] - 1) + request["source"]
        path.write_text(text, encoding="utf-8")
        scope = dict(vars(module))
        flags = __future__.annotations.compiler_flag if request["lazy"] else 0
        try:
            exec(compile(text, str(path), "exec", flags, dont_inherit=True), scope)
        except (Exception, TookTooLong) as error:
            raise NotJudged(f"{type(error).__name__}: {error}"[:300]) from error
        found = scope[request["function"]]
        if not isinstance(found, types.FunctionType):
            raise NotJudged("no plain function")
        return found

    def forget(self) -> None:
        """Drop the text of the last change."""
        linecache.clearcache()
        (self.scratch / f"changed_{self.counter}.py").unlink(missing_ok=True)


def _with_alarm(judge: Callable[[dict[str, Any]], dict[str, Any]], request: dict[str, Any]) -> dict[str, Any]:
    def ring(number: int, frame: object) -> None:
        raise TookTooLong

    signal.signal(signal.SIGALRM, ring)
    signal.alarm(_SECONDS)
    try:
        return judge(request)
    except TookTooLong:
        return {"verdict": "skipped", "reason": "took too long"}
    finally:
        signal.alarm(0)


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what imported packages print is no answer
    warnings.simplefilter("ignore")
    scratch, *packages = sys.argv[1:]
    sys.path[:0] = packages
    judge = Judge(Path(scratch))
    for line in sys.stdin:
        answer = _with_alarm(judge.answer, json.loads(line))
        judge.forget()
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
