"""A pytest plugin that writes down what the compiler says about every function, class and module a test scripts.

Only outermost compile calls of definitions that stand in the test folder count. The tests themselves are cut short:
comparing a function with a compiled copy of its text, and running it, tells nothing about the compiler's verdict.
This module imports torch; nothing else of the package does.
"""

from __future__ import annotations

import contextlib
import inspect
import json
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest
import torch
import torch.jit._recursive
import torch.jit._script
from torch import _jit_internal

from scripts.conformance.class_lines import class_line
from scripts.conformance.listings import Listing, read_headline, read_listings, read_message
from scripts.conformance.shortened_checks import shorten_checks

Fact = dict[str, Any]

_TORCH = str(Path(torch.__file__).parent)
_MOST_VALUES = 1500
_TEST_SECONDS = 20  # of processor time


class TestTookTooLong(BaseException):
    """Raised inside a test by the alarm; not an Exception, so that a test's own handlers let it through."""

    __test__ = False


class Recorder:
    """The plugin: `root` is the test folder, `output` receives facts, `started` the names of the tests begun."""

    def __init__(self, root: Path, output: Path, started: Path) -> None:
        self.root = root
        self.output = output
        self.started = started
        self.test = ""
        self.depth = 0

    # What pytest calls

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        done = set(self.started.read_text().splitlines()) if self.started.exists() else set()
        items[:] = [item for item in items if item.nodeid not in done]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.test, self.depth = item.nodeid, 0
        with self.started.open("a") as file:
            file.write(item.nodeid + "\n")
        signal.signal(signal.SIGPROF, _too_long)
        signal.setitimer(signal.ITIMER_PROF, _TEST_SECONDS)
        try:
            yield
        except TestTookTooLong:
            pass
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    # What the wrappers call

    @contextlib.contextmanager
    def compile_call(self, kind: str | None, target: Any) -> Iterator[list[Any]]:
        """Around one call of the compiler; the body appends the result to the list it is given."""
        result: list[Any] = []
        outermost, self.depth = self.depth == 0, self.depth + 1
        try:
            yield result
        except Exception as error:
            # A SystemError is Python's own, when the alarm falls into a parse.
            if outermost and kind and not isinstance(error, SystemError):
                self._write(kind, target, self._failure(error))
            raise
        else:
            if outermost and kind:
                self._write(kind, target, self._success(target, result[0]))
        finally:
            self.depth -= 1

    def _write(self, kind: str, target: Any, outcome: Fact) -> None:
        place = self._place(kind, target)
        if place is None:
            return
        fact = {"test": self.test, "kind": kind, **place, "user_call": self._user_call(), **outcome}
        with self.output.open("a") as file:
            file.write(json.dumps(fact) + "\n")

    def _relative(self, path: str) -> str | None:
        """A path inside the test folder, relative to it; None for any other file."""
        with contextlib.suppress(ValueError, OSError):
            return str(Path(path).resolve().relative_to(self.root))
        return None

    def _place(self, kind: str, target: Any) -> Fact | None:
        if kind == "function":
            function = inspect.unwrap(getattr(target, "__func__", target))
            code = getattr(function, "__code__", None)
            if not isinstance(code, CodeType):
                return None
            path, line, named = code.co_filename, code.co_firstlineno, function
        else:
            named = target if inspect.isclass(target) else type(target)
            found = class_line(named)
            if found is None:
                return None
            path, line = found
        file = self._relative(path)
        if file is None:
            return None
        return {"file": file, "line": line, "name": named.__name__, "qualname": named.__qualname__}

    def _user_call(self) -> Fact | None:
        frame: FrameType | None = sys._getframe()
        while frame is not None:
            file = frame.f_code.co_filename
            if file != __file__ and not file.startswith(_TORCH) and (path := self._relative(file)) is not None:
                return {"file": path, "line": frame.f_lineno}
            frame = frame.f_back
        return None

    def _failure(self, error: Exception) -> Fact:
        text = str(error)
        message = read_message(text).replace(f"{self.root}/", "")
        return {
            "verdict": "error",
            "exception": type(error).__name__,
            "headline": read_headline(message)[:600],
            "message": message[:1500],
            "locs": [_place_of(listing, self._relative(listing.file)) for listing in read_listings(text)],
        }

    def _success(self, target: Any, result: Any) -> Fact:
        fact: Fact = {"verdict": "ok"}
        if isinstance(result, torch.jit.ScriptFunction):
            fact.update(_compiled(result, inspect.unwrap(getattr(target, "__func__", target)).__code__))
        elif isinstance(result, torch.jit.ScriptModule):
            fact["methods"] = [method for module in result.modules() for method in self._module_methods(module)]
            fact["attributes"] = _attributes(result)
        elif inspect.isclass(result):
            fact["methods"] = self._class_methods(result)
        return fact

    def _module_methods(self, module: Any) -> list[Fact]:
        if not isinstance(module, torch.jit.RecursiveScriptModule):
            return []
        source = getattr(module._concrete_type, "py_class", None)
        compiled = {name: module._c._get_method(name) for name in module._c._method_names()}
        return self._methods(source, compiled)

    def _class_methods(self, cls: type) -> list[Fact]:
        class_type = torch.jit._state._get_script_class(cls)
        if class_type is None:
            return []
        unit, prefix = torch.jit._state._python_cu, class_type.qualified_name() + "."
        compiled = {name: unit.find_function(prefix + name) for name in class_type.method_names()}
        return self._methods(cls, {name: method for name, method in compiled.items() if method is not None})

    def _methods(self, source: Any, compiled: dict[str, Any]) -> list[Fact]:
        methods = []
        for name, method in compiled.items():
            function = inspect.unwrap(getattr(source, name, None) or (lambda: None))
            code = getattr(function, "__code__", None)
            file = self._relative(code.co_filename) if code else None
            if code and file and code.co_name == name:
                methods.append({"name": name, "file": file, "line": code.co_firstlineno, **_compiled(method, code)})
        return methods


def _attributes(module: Any) -> dict[str, str] | None:
    """The types of a module's attributes, parameters and buffers; None where it has no type of its own."""
    concrete = getattr(module, "_concrete_type", None)
    found = concrete.get_attributes() if concrete is not None else None
    return None if found is None else {name: type_.annotation_str for name, (type_, _) in sorted(found.items())}


def _compiled(compiled: Any, code: CodeType) -> Fact:
    schema = None
    with contextlib.suppress(RuntimeError):  # some defaults cannot be printed
        schema = str(compiled.schema)
    return {"schema": schema, "values": _values(compiled.graph, code.co_filename)}


def _too_long(signal_number: int, frame: FrameType | None) -> None:
    raise TestTookTooLong


def _place_of(listing: Listing, file: str | None) -> Fact:
    return {
        "file": file or listing.file.replace(_TORCH, "<torch>"),
        "line": listing.line,
        "col_start": listing.column,
        "end_line": listing.end_line,
        "col_end": listing.end_column,
        "role": "called_from" if listing.caller else "error",
    }


def _values(graph: Any, file: str) -> list[list[Any]]:
    """[line, column, end line, end column, node kind, output types] of the graph's nodes that stand in the file."""
    values: list[list[Any]] = []
    waiting = list(graph.nodes())
    while waiting and len(values) < _MOST_VALUES:
        node = waiting.pop()
        waiting += [inner for block in node.blocks() for inner in block.nodes()]
        types = [output.type().annotation_str for output in node.outputs()]
        listings = read_listings(node.sourceRange()) if types else []
        if listings and listings[0].file == file:
            mark = listings[0]
            values.append([mark.line, mark.column, mark.end_line, mark.end_column, node.kind(), types])
    return sorted(values, key=str)


def _kind(target: Any) -> str | None:
    if isinstance(target, (torch.jit.ScriptModule, torch.jit.ScriptFunction, torch.jit.RecursiveScriptClass)):
        return None
    if isinstance(target, torch.nn.Module):
        return "module"
    if inspect.isclass(target):
        return "class"
    if inspect.isfunction(target) or inspect.ismethod(target):
        return "function"
    return None


def install(recorder: Recorder) -> None:
    """Wrap the compiler's front doors for the rest of this process."""
    _hide_own_frames()
    torch._C._jit_set_emit_hooks(None, None)
    torch._C._jit_set_emit_hooks = lambda *hooks: None
    _wrap_script(recorder)
    _wrap_module_constructor(recorder)
    _wrap_interface(recorder)
    shorten_checks()


def _hide_own_frames() -> None:
    """The compiler resolves names in a frame counted from its own; the frames of this file must not count."""
    original = _jit_internal.createResolutionCallbackFromFrame

    def resolution_from_frame(frames_up: int = 0) -> Callable[[str], Any]:
        frame: FrameType | None = sys._getframe()
        wanted, steps = frames_up + 1, 0
        while wanted and frame is not None and frame.f_back is not None:
            frame, steps = frame.f_back, steps + 1
            wanted -= frame.f_code.co_filename not in (__file__, contextlib.__file__)
        callback: Callable[[str], Any] = original(steps)
        return callback

    _jit_internal.createResolutionCallbackFromFrame = resolution_from_frame


def _wrap_script(recorder: Recorder) -> None:
    original = torch.jit._script._script_impl

    def script(obj: Any, *arguments: Any, **keywords: Any) -> Any:
        with recorder.compile_call(_kind(obj), obj) as result:
            result.append(original(obj, *arguments, **keywords))
        return result[0]

    torch.jit._script._script_impl = script


def _wrap_module_constructor(recorder: Recorder) -> None:
    """A subclass of ScriptModule is compiled when it is made, without torch.jit.script."""
    original = torch.jit._recursive.create_script_module

    def create(nn_module: Any, stubs_fn: Any, share_types: bool = True, is_tracing: bool = False) -> Any:
        with recorder.compile_call(None if is_tracing else "module", nn_module) as result:
            result.append(original(nn_module, stubs_fn, share_types, is_tracing))
        return result[0]

    torch.jit._recursive.create_script_module = create


def _wrap_interface(recorder: Recorder) -> None:
    original = torch.jit._script.interface

    def interface(obj: Any) -> Any:
        with recorder.compile_call("interface" if inspect.isclass(obj) else None, obj) as result:
            result.append(original(obj))
        return result[0]

    torch.jit._script.interface = interface
    torch.jit.interface = interface
