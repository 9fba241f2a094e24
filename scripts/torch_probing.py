"""The running torch as an oracle: small programs in, the compiler's answer out. A part of `extract_torch.py`."""

from __future__ import annotations

import os
import pickle
import re
import sys
import typing
from collections.abc import Callable, Iterator

import torch

PROBE = "__ts_probe__"
SCHEMA_LINE = re.compile(r"^ *((?:[\w.]+::)?[\w.]+\(.*\) -> .*):$", re.MULTILINE)


class Refusal(Exception):
    """The compiler's message for a probe program."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(str(error))
        self.kind = type(error).__name__
        self.text = str(error)
        # The first excerpt of a message is the place of the error; another place is inside what the probe names.
        self.inside_callee = self.kind != "RuntimeError" or PROBE not in self.text.partition("<--- HERE")[0]

    @property
    def first_line(self) -> str:
        stripped = self.text.strip().partition("\n")[0].strip()
        stripped = re.sub(r" at 0x[0-9a-f]+| \(of Python compilation unit at: 0x[0-9a-f]+\)", "", stripped)
        return f"{self.kind}: {re.sub(r'/[^ ]*/(?=(?:site|dist)-packages|python3)', '', stripped)}"


def compile_probe(source: str, names: dict[str, object]) -> typing.Any:
    """Compiles `def f...` and gives the script function; raises `Refusal`."""
    unit = torch._C.CompilationUnit()
    try:
        unit.define(source, names.get)
        return unit.find_function("f")
    except Exception as error:
        raise Refusal(error) from None


def returned(function: typing.Any) -> str:
    """The return type of a script function as its schema writes it."""
    text: str = str(function.schema).partition(") -> ")[2]
    return text[1:-1] if text.startswith("(") else text


def refusal_of(source: str, names: dict[str, object]) -> Refusal | None:
    try:
        compile_probe(source, names)
    except Refusal as refusal:
        return refusal
    return None


def signatures(module: object, name: str) -> list[str]:
    """The schemas the compiler lists when `module.name` is called with a keyword nothing has."""
    refusal = refusal_of(f"def f():\n  return M.{name}({PROBE}=0)\n", {"M": module})
    return SCHEMA_LINE.findall(refusal.text) if refusal and not refusal.inside_callee else []


def in_children(
    items: list[typing.Any], work: Callable[[typing.Any], object]
) -> Iterator[tuple[typing.Any, typing.Any]]:
    """Maps `work` over the items in a forked child; an item that kills the child yields None and is passed over."""
    done = 0
    while done < len(items):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            answer_in_child(items[done:], work, writing)
        os.close(writing)
        with os.fdopen(reading, "rb") as stream:
            while done < len(items):
                try:
                    result = pickle.load(stream)
                except EOFError:
                    break
                yield items[done], result
                done += 1
        os.waitpid(child, 0)
        if done < len(items):
            print("the compiler died on", items[done], file=sys.stderr)
            yield items[done], None
            done += 1


def answer_in_child(items: list[typing.Any], work: Callable[[typing.Any], object], writing: int) -> typing.NoReturn:
    status = 0
    with os.fdopen(writing, "wb") as stream:
        for item in items:
            try:
                pickle.dump(work(item), stream)
            except Exception as error:
                print("cannot describe", item, repr(error), file=sys.stderr)
                pickle.dump(None, stream)
                status = 1
            stream.flush()
    os._exit(status)
