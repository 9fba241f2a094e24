"""What a torch knows of classes written in C++ (`torch.classes.NAMESPACE.CLASS`). A part of `extract_torch.py`.

The registry lists the methods of all such classes; the class of a static method is found by asking each class for it,
and what a property is by compiling a program that uses it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

import torch

from scripts.torch_probing import Refusal, compile_probe, refusal_of, returned

PREFIX = "__torch__.torch.classes."
MENTIONED = re.compile(re.escape(PREFIX) + r"([\w.]+)")
# Libraries that the wheels of torch bring along without loading them.
SHIPPED_LIBRARIES = "libtorchbind_test.so"


def custom_class_entries() -> dict[str, str]:
    """`m/torch.classes.NS`: the classes of a namespace; `p/torch.classes.NS.CLASS`: a class."""
    load_shipped_libraries()
    schemas = [str(schema) for schema in torch._C._jit_get_custom_class_schemas()]
    names = sorted({name for schema in schemas for name in MENTIONED.findall(schema)})
    methods: dict[str, list[str]] = {name: [] for name in names}
    static: dict[str, list[str]] = {name: [] for name in names}
    for schema in schemas:
        receiver = MENTIONED.match(schema.partition("(")[2])
        method = schema.partition("(")[0]
        owners = [name for name in names if has_static_method(name, method)]
        for owner in owners:
            static[owner].append(schema)
        if not owners and receiver:
            methods[receiver[1]].append(schema)
    entries: dict[str, str] = {}
    for namespace in sorted({name.partition(".")[0] for name in names}):
        members = [name.partition(".")[2] for name in names if name.partition(".")[0] == namespace]
        entries[f"m/torch.classes.{namespace}"] = "\n".join(members)
        entries[f"p/torch.classes.{namespace}"] = f"module\ttorch.classes.{namespace}"
    for name in names:
        listed = ("\n".join(each) for each in (methods[name], static[name], properties(name, methods[name])))
        entries[f"p/torch.classes.{name}"] = "\t".join(("custom_class", *listed))
    return entries


def load_shipped_libraries() -> None:
    folder = Path(torch.__file__).parent / "lib"
    for name in SHIPPED_LIBRARIES.split():
        if (folder / name).exists():
            torch.ops.load_library(str(folder / name))
        else:
            print("this torch has no", name, file=sys.stderr)


def class_object(name: str) -> object:
    namespace, _, last = name.partition(".")
    return getattr(getattr(torch.classes, namespace), last)


def has_static_method(name: str, method: str) -> bool:
    # Special methods are those of the Python object that stands for the class.
    return not method.startswith("__") and hasattr(class_object(name), method)


def properties(name: str, methods: Iterable[str]) -> list[str]:
    """`TYPE NAME` for each property, `TYPE NAME=` where it can be set: accessors are methods of the class too."""
    found: list[str] = []
    names = {"C": class_object(name)}
    for method in methods:
        accessor = method.partition("(")[0]
        if not accessor.endswith("_getter"):
            continue
        member = accessor[: -len("_getter")]
        try:
            kind = returned(compile_probe(f"def f(c: C):\n  return c.{member}\n", names))
        except Refusal:
            continue
        settable = refusal_of(f"def f(c: C):\n  c.{member} = c.{member}\n", names) is None
        found.append(f"{kind} {member}{'=' if settable else ''}")
    return found
