"""A process of its own that says what becomes of the models of a package when they are scripted.

One JSON request a line on stdin, one JSON answer a line on stdout. `{"list": PACKAGE}` asks for the expressions that
make the package's models, `{"program": TEXT}` for what its `torch.jit.script` call gives: the verdict, and what was
compiled as methods of the modules. It runs under the Python that has the packages, and imports nothing of this project.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import time
import warnings
from collections.abc import Iterator
from typing import Any

_SECONDS = 240
_TIMM_EACH = 2
# fmt: off
_TOO_LARGE = (
    "vit_h_", "128gf", "giant", "huge", "enormous", "_7b", "so400m", "so150m", "xxlarge", "xlarge", "_h_", "_g_",
    "large", "_l_",
)
# fmt: on
_WITHOUT_BACKBONE = "weights=None, weights_backbone=None"
_TORCHVISION = {"detection": _WITHOUT_BACKBONE, "segmentation": _WITHOUT_BACKBONE}
_SUBPACKAGES = frozenset({"detection", "segmentation", "video", "optical_flow", "quantization"})


class TookTooLong(BaseException):
    """Raised by the alarm; not an Exception, so that nothing on the way swallows it."""


class _Scripted(BaseException):
    """The program has handed something to the compiler: what that was."""

    def __init__(self, original: object) -> None:
        super().__init__()
        self.original = original


def _torchvision_models() -> Iterator[str]:
    """The models torchvision registers, by the function that makes them."""
    import torchvision

    for name in sorted(torchvision.models.list_models()):
        function = torchvision.models.get_model_builder(name)
        part = function.__module__.removeprefix("torchvision.models.").partition(".")[0]
        package = f"torchvision.models.{part}" if part in _SUBPACKAGES else "torchvision.models"
        if not any(word in name for word in ("vit_h_", "128gf")):
            yield f"{package}.{function.__name__}({_TORCHVISION.get(part, 'weights=None')})"


def _timm_models() -> Iterator[str]:
    """Some models of each module of timm, once by their function and once by name."""
    import timm

    for module in sorted(timm.list_modules()):
        names = [each for each in timm.list_models(module=module) if not any(word in each for word in _TOO_LARGE)]
        for name in names[:: max(1, len(names) // _TIMM_EACH)][:_TIMM_EACH]:
            yield f"timm.models.{module}.{name}(pretrained=False)"
            yield f'timm.create_model("{name}", pretrained=False, scriptable=True)'


_LISTS = {"torchvision": _torchvision_models, "timm": _timm_models}


def _judged(program: str) -> dict[str, Any]:
    """What the compiler does with the argument of the program's `torch.jit.script` call."""
    import torch

    compile_ = torch.jit.script

    def take_note(original: object, *others: object, **options: object) -> object:
        if isinstance(original, torch.nn.Module):
            raise _Scripted(original)
        return compile_(original, *others, **options)

    torch.jit.script = take_note
    try:
        exec(compile(program, "model.py", "exec"), {"__name__": "model"})
    except _Scripted as scripted:
        original = scripted.original
    except Exception as error:
        return {"verdict": "skipped", "message": f"{type(error).__name__}: {error}"[:300]}
    finally:
        torch.jit.script = compile_
    start = time.perf_counter()
    try:
        result = compile_(original)
    except Exception as error:
        return {"verdict": "error", "message": f"{type(error).__name__}: {error}"}
    seconds = time.perf_counter() - start
    return {"verdict": "ok", "seconds": round(seconds, 2), "methods": sorted(set(_methods(original, result)))}


def _methods(original: Any, scripted: Any) -> Iterator[tuple[str, str, str, str]]:
    """What compiled: class and method, the class of the method's text, and the schema."""
    import torch

    if not isinstance(scripted, torch.jit.ScriptModule) or isinstance(original, torch.jit.ScriptModule):
        return
    for name in scripted._c._method_names():
        schema = str(scripted._c._get_method(name).schema)
        yield _name(type(original)), name, _defining(type(original), name), schema
    for name, child in original._modules.items():
        if child is not None and name in scripted._modules:
            yield from _methods(child, scripted._modules[name])


def _defining(cls: type, method: str) -> str:
    plain = method.partition("__")[0] or method
    return next((_name(each) for each in cls.__mro__ if method in vars(each) or plain in vars(each)), "")


def _name(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def _with_alarm(program: str) -> dict[str, Any]:
    def ring(number: int, frame: object) -> None:
        raise TookTooLong

    signal.signal(signal.SIGALRM, ring)
    signal.alarm(_SECONDS)
    try:
        return _judged(program)
    except TookTooLong:
        return {"verdict": "skipped", "message": "took too long"}
    finally:
        signal.alarm(0)


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what imported packages print is no answer
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        request = json.loads(line)
        answer = list(_LISTS[request["list"]]()) if "list" in request else _with_alarm(request["program"])
        gc.collect()
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
