"""What `ts-lsp verify` runs in a process of its own: imports the given files under torch and notes each verdict.

Invariant: this is the only file that imports torch; nothing of ts_lsp imports it, and it imports nothing of ts_lsp.
Its last line on stdout is JSON: for each file its compile calls, or why it could not be run.
"""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import json
import os
import re
import sys
from collections.abc import Callable
from typing import Any

import torch

_PLACE = re.compile(r'File "([^"]+)", line (\d+)')


def recorder(script: Callable[..., Any], calls: list[dict[str, Any]]) -> Callable[..., Any]:
    """`torch.jit.script`, but a refusal is noted and the program goes on with what it handed in."""

    depth = 0

    def record(obj: Any, *arguments: Any, **keywords: Any) -> Any:
        nonlocal depth
        # The compiler looks names up in the frame that called it, so it has to be told how deep that lies.
        keywords["_frames_up"] = keywords.get("_frames_up", 0) + 1
        if depth:
            # The compiler itself, on its way through what an entry point calls.
            return script(obj, *arguments, **keywords)
        call: dict[str, Any] = {**_target(obj), "verdict": "ok"}
        calls.append(call)
        depth += 1
        try:
            return script(obj, *arguments, **keywords)
        except Exception as error:
            place = _PLACE.search(str(error))
            call.update(verdict="error", message=str(error), exception=type(error).__name__)
            call.update(error_path=place[1] if place else None, error_line=int(place[2]) if place else None)
            return obj
        finally:
            depth -= 1

    return record


def _target(obj: Any) -> dict[str, Any]:
    """The name and place of what is handed in."""
    subject = obj if inspect.isroutine(obj) or inspect.isclass(obj) else type(obj)
    try:
        line = inspect.getsourcelines(subject)[1]
        path = inspect.getsourcefile(subject)
    except (OSError, TypeError):
        line, path = 0, None
    return {"target": getattr(subject, "__qualname__", str(subject)), "path": path, "line": line}


def run(path: str) -> dict[str, Any]:
    calls: list[dict[str, Any]] = []
    script = torch.jit.script
    torch.jit.script = recorder(script, calls)
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    name = os.path.splitext(os.path.basename(path))[0]
    try:
        specification = importlib.util.spec_from_file_location(name, path)
        assert specification is not None
        assert specification.loader is not None
        module = importlib.util.module_from_spec(specification)
        sys.modules[name] = module
        specification.loader.exec_module(module)
    except BaseException as error:
        return {"path": path, "calls": calls, "fault": f"{type(error).__name__}: {error}"}
    finally:
        torch.jit.script = script
        sys.path.pop(0)
    return {"path": path, "calls": calls, "fault": None}


def main() -> None:
    with contextlib.redirect_stdout(sys.stderr):
        answers = [run(path) for path in sys.argv[1:]]
    print(json.dumps({"torch_version": torch.__version__, "files": answers}))


if __name__ == "__main__":
    main()
