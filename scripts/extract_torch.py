"""Writes what the running interpreter's torch knows into one data file: `python scripts/extract_torch.py OUT`.

Runs under any torch from 1.13 on. Every fact is the compiler's own answer: operators come from its registry, and each
object that user code can name through a module is put in front of the compiler in a small program whose error message
says what the object became (`M.name.__ts_probe__`) or which signature it has (`M.name(__ts_probe__=0)`).
Probing happens in forked children, because a few objects bring the compiler down.

The keys and texts of the entries are described in `ts_lsp/torchdata/loader.py`, which reads them.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import os
import pkgutil
import re
import sys
import time
import types
import typing
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scripts.torch_custom_classes import custom_class_entries
from scripts.torch_module_facts import module_class_facts
from scripts.torch_probing import (
    PROBE,
    SCHEMA_LINE,
    Refusal,
    compile_probe,
    in_children,
    refusal_of,
    returned,
    signatures,
)
from ts_lsp.torchdata.container import pack

# Modules users import beside torch itself, which `import torch` alone may leave out.
ALSO_IMPORTED = """
torch.amp torch.ao.nn.intrinsic torch.ao.nn.intrinsic.qat torch.ao.nn.intrinsic.quantized torch.ao.nn.qat
torch.ao.nn.quantizable torch.ao.nn.quantized torch.ao.nn.quantized.dynamic torch.ao.quantization
torch.nn.intrinsic torch.nn.qat torch.nn.quantizable torch.nn.quantized torch.nn.quantized.dynamic torch.quantization
torch.distributed.rpc torch.distributions torch.func torch.futures torch.masked torch.monitor torch.nested
torch.nn.attention torch.nn.utils.parametrizations torch.nn.utils.parametrize torch.nn.utils.prune torch.nn.utils.rnn
torch.nn.utils.stateless torch.profiler torch.sparse torch.special torch.utils.checkpoint torch.utils.data
torch.utils.dlpack
"""
STANDARD_MODULES = "builtins cmath functools itertools logging math operator os random sys time warnings"
# Their names of objects that the modules above have too are second names.
MORE_STANDARD_MODULES = """
copy datetime glob io json pickle re shutil string struct subprocess tempfile threading traceback uuid
"""
# Machinery that scripted code does not name: known to be modules, their members are not recorded.
UNWALKED = re.compile(
    r"torch\.(_(?!C\b|VF\b|jit_internal\b|tensor\b|utils\b|linalg_utils\b|lobpcg\b|lowrank\b|classes\b)|_C\._dynamo|ao|compiler\.|"
    r"distributed\.(?!rpc$)|export|fx|library\b|masked\._|mps|mtia|multiprocessing|nn\.(intrinsic|qat|quant)|onnx|"
    r"ops\b|classes\b|optim\.|package|quantization|signal|sparse\._|testing|utils\.(_|backend(?!_registration)|benchmark|bottleneck|bundled|collect|"
    r"cpp|data\.|flop|hip|jit|mkl|mobile|model|tensorboard|throughput|viz|weak|show)|xpu|contrib|lib)"
)
# Modules of which only the nn.Module classes are recorded.
CLASSES_ONLY = re.compile(
    r"torch\.(ao(\.nn)?$|ao\.nn\.(intrinsic|qat|quantizable|quantized(?!\.reference))(\.|$)|ao\.quantization(\.stubs)?$|"
    r"quantization$|nn\.(intrinsic|qat|quantizable|quantized)(\.(modules|dynamic|qat|quantized))*$)"
)
# Names that carry builtin functions written in TorchScript and have no registered operator.
BUILTIN_ONLY = """
aten::_single aten::_pair aten::_triple aten::_quadruple aten::list_with_default aten::_assert_int_or_pair aten::_assert
aten::type prim::ndim prim::T prim::H prim::mT prim::mH prim::shape
"""
PLAIN_TYPES = (bool, int, float, complex, str, tuple, type(None))

Entries = dict[str, str]


def fields(*texts: str) -> str:
    return "\t".join(text.replace("\t", " ") for text in texts)


def lines(texts: Iterable[str]) -> str:
    return "\n".join(texts)


# --- operators ----------------------------------------------------------------------------------------------------


def operator_entries() -> Entries:
    """`o/NAME`: the registered schemas in order, then the builtin functions; never-matching ones carry a `!`."""
    registered: dict[str, list[str]] = {}
    for schema in torch._C._jit_get_all_schemas():
        registered.setdefault(schema.name, []).append(str(schema))
    table = set(torch.jit._builtins._get_builtin_table().values())
    names = sorted(set(registered) | table | set(BUILTIN_ONLY.split()))
    entries: Entries = {}
    for name, listed in in_children(names, candidates_listed):
        known = registered.get(name, [])
        functions = [schema for schema in listed or [] if "::" not in schema.partition("(")[0]]
        shown = set(listed or [])
        hides = len(known) > 1 and bool(shown)
        marked = ["!" + schema if hides and schema not in shown else schema for schema in known]
        if marked or functions:
            entries["o/" + name] = lines(marked + functions)
    entries["names/operators"] = lines(sorted(registered))
    entries["names/unregistered"] = lines(sorted(name for name in table if "o/" + name not in entries))
    return entries


def candidates_listed(name: str) -> list[str]:
    """The candidates the compiler prints for an operator called with nonsense."""

    def stand_in() -> None: ...

    torch.jit._builtins._register_builtin(stand_in, name)
    refusal = refusal_of(f"def f():\n  return op({PROBE}=0)\n", {"op": stand_in})
    return SCHEMA_LINE.findall(refusal.text) if refusal else []


def alias_entries() -> Entries:
    """`alias`: operators that the compiler renames after checking (`aten::absolute` is `aten::abs`)."""
    names = sorted({schema.name for schema in torch._C._jit_get_all_schemas() if schema.name.startswith("aten::")})
    return {"alias": lines(fields(name, target) for name, target in in_children(names, renamed_to) if target)}


def renamed_to(name: str) -> str | None:
    """What a call of the operator is called in the graph, when that is another name."""

    def stand_in() -> None: ...

    torch.jit._builtins._register_builtin(stand_in, name)
    for schema in torch._C._jit_get_schemas_for_operator(name):
        if "..." in str(schema):
            continue
        required = [argument for argument in schema.arguments if not argument.has_default_value()]
        types_ = [str(argument.type) for argument in required]
        if any(re.search(r"\bt\w*\b(?!\.)", text) and "Tensor" not in text for text in types_):
            continue
        parameters = ", ".join(f"a{i}: {text}" for i, text in enumerate(types_))
        passed = ", ".join(
            f"{argument.name}=a{i}" if argument.kwarg_only else f"a{i}" for i, argument in enumerate(required)
        )
        annotations = {
            "Device": torch.device,
            "Generator": torch.Generator,
            "number": typing.Union[int, float, complex],
        }
        try:
            function = compile_probe(f"def f({parameters}):\n  return op({passed})\n", {"op": stand_in, **annotations})
        except Refusal:
            continue
        kinds = [node.kind() for node in function.graph.nodes() if not node.kind().startswith("prim::Constant")]
        if len(kinds) == 1 and kinds[0] != name and kinds[0].startswith("aten::"):
            return str(kinds[0])
        return None
    return None


# --- attributes of builtin types ----------------------------------------------------------------------------------


def attribute_entries() -> Entries:
    """`t/TYPE`: one line for each attribute of the type: name, `property` and its type, or what it is called."""
    operators = {schema.name.partition("::")[2] for schema in torch._C._jit_get_all_schemas()}
    names = operators | {
        name for owner in (torch.Tensor, str, list, dict, tuple, int, torch.device) for name in dir(owner)
    }
    names |= {"seed", "initial_seed", "manual_seed", "type", "index", "name", "value", "wait"}
    usable = sorted(name for name in names if name.isidentifier() and not name.startswith("__"))
    annotations = {
        "Tensor": "Tensor", "Device": "Dev", "Generator": "Gen", "str": "str", "int": "int", "float": "float",
        "complex": "complex", "bool": "bool", "List": "List[int]", "Dict": "Dict[str, int]", "Tuple": "Tuple[int, int]",
        "Future": "Future[int]", "Optional": "Optional[int]",
    }  # fmt: skip
    dunders = sorted(name for name in names if name.startswith("__") and name.isidentifier())
    items = [(kind, written, name) for kind, written in annotations.items() for name in usable + dunders]
    found: dict[str, list[str]] = {}
    for (kind, _, name), result in in_children(items, attribute_kind):
        if result:
            found.setdefault(kind, []).append(fields(name, *result))
    return {"t/" + kind: lines(sorted(texts)) for kind, texts in found.items()}


def attribute_kind(item: tuple[str, str, str]) -> tuple[str, ...] | None:
    _, written, name = item
    names = {"Dev": torch.device, "Gen": torch.Generator}
    refusal = refusal_of(f"def f(x: {written}):\n  return x.{name}.{PROBE}\n", names)
    text = refusal.text if refusal else ""
    if f"has no attribute or method '{PROBE}'" in text:
        return "property", returned(compile_probe(f"def f(x: {written}):\n  return x.{name}\n", names))
    found = re.search(r"attribute lookup is not defined on (\w+):", text)
    kinds = {"builtin": "method", "Cast": "cast"}
    return (kinds.get(found[1], found[1]),) if found else None


# --- what modules hold --------------------------------------------------------------------------------------------


class Walk:
    """Every object of the recorded modules, each under one canonical path."""

    def __init__(self) -> None:
        for name in ALSO_IMPORTED.split():
            import_if_present(name)
        present = [name for name in sys.modules if name == "torch" or name.startswith("torch.")]
        self.modules: dict[str, object] = {
            name: sys.modules[name] for name in sorted(present) if CLASSES_ONLY.match(name) or not UNWALKED.match(name)
        }
        self.modules.update({name: importlib.import_module(name) for name in STANDARD_MODULES.split()})
        self.modules.update({name: importlib.import_module(name) for name in MORE_STANDARD_MODULES.split()})
        self.by_identity = {id(module): name for name, module in reversed(list(self.modules.items()))}
        self.members: dict[str, list[str]] = {name: member_names(module) for name, module in self.modules.items()}

    def objects(self) -> Iterator[tuple[str, str, object]]:
        for module_name, module in self.modules.items():
            for name in self.members[module_name]:
                if not name.isidentifier() or (name.startswith("__") and name != "__version__"):
                    continue
                try:
                    value = getattr(module, name)
                except Exception:  # lazy members of builds that torch was not compiled with
                    continue
                if CLASSES_ONLY.match(module_name) and not (is_module_class(value) or id(value) in self.by_identity):
                    continue
                yield module_name, name, value


def is_module_class(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, torch.nn.Module)


def import_if_present(name: str) -> None:
    try:
        importlib.import_module(name)
    except ImportError:
        print("this torch has no", name, file=sys.stderr)


def member_names(module: object) -> list[str]:
    names = set(dir(module))
    if type(module) is not types.ModuleType:
        # A module object of its own class: properties, and a wrapped module whose names show through.
        names |= set(dir(type(module))) | set(dir(getattr(module, "m", module)))
    if getattr(module, "__name__", "") == "torch._VF":
        names |= {name for name in dir(torch._C._VariableFunctions) if not name.startswith("__")}
    for found in pkgutil.iter_modules(getattr(module, "__path__", None) or []):
        names.add(found.name)
    return sorted(names)


def module_entries(walk: Walk) -> Entries:
    """`m/PATH`: the member names of a module. `p/PATH`: what the path denotes, or `=` and the canonical path."""
    entries: Entries = {"m/" + name: lines(names) for name, names in walk.members.items()}
    entries.update({"p/" + name: fields("module", name) for name in walk.modules})
    canonical: dict[int, str] = {}
    pending: list[tuple[str, str]] = []
    keep: list[object] = []
    for module_name, name, value in sorted(walk.objects(), key=path_order):
        path = f"{module_name}.{name}"
        if isinstance(value, types.ModuleType):
            entries["p/" + path] = fields("module", walk.by_identity.get(id(value), value.__name__))
        elif is_plain_constant(value):
            pending.append((module_name, name))
        elif id(value) in canonical:
            entries["p/" + path] = "=" + canonical[id(value)]
        else:
            keep.append(value)  # so that no identity is used twice
            canonical[id(value)] = path
            pending.append((module_name, name))
            foreign = path_elsewhere(value, walk) if module_name.startswith("torch") else None
            if foreign:
                entries["p/" + path] = "=" + foreign
                canonical[id(value)] = foreign
    for (module_name, name), record in described(pending, walk):
        path = f"{module_name}.{name}"
        path = entries.get("p/" + path, "=" + path)[1:]
        entries["p/" + path] = record or fields("function", "", "", "crash: the compiler ends the process")
    return entries


def module_class_entries(entries: Entries) -> Entries:
    """`n/PATH`: the type of an instance of one of torch's own nn.Module classes."""
    marked = ("class\tmodule\t", "class\tmodule")
    paths = [
        key[2:]
        for key, text in entries.items()
        if key.startswith(("p/torch.nn.", "p/torch.ao.")) and text.startswith(marked)
    ]
    found: Entries = {}
    for path, facts in in_children(sorted(paths), module_class):
        if facts:
            found["n/" + path] = facts
    return found


def module_class(path: str) -> str | None:
    module_name, _, name = path.rpartition(".")
    return module_class_facts(getattr(sys.modules[module_name], name))


def described(paths: list[tuple[str, str]], walk: Walk) -> Iterator[tuple[tuple[str, str], str]]:
    """The records. A class is compiled in a process of its own, and the functions of each module in one: a class half
    compiled by an earlier failure would be taken for a good one."""
    apart: dict[object, list[tuple[str, str]]] = {}
    for path in paths:
        value = getattr(walk.modules[path[0]], path[1])
        key = path if is_python_class(value) else path[0] if isinstance(value, types.FunctionType) else None
        apart.setdefault(key, []).append(path)

    def work(path: tuple[str, str]) -> str:
        return describe(walk.modules[path[0]], *path)

    for together in apart.values():
        yield from in_children(together, work)


def is_python_class(value: object) -> bool:
    """Whether the compiler may try to compile the class: it has methods in Python, and is no nn.Module."""
    if not isinstance(value, type) or issubclass(value, torch.nn.Module):
        return False
    return any(isinstance(member, types.FunctionType) for member in vars(value).values())


def path_order(item: tuple[str, str, object]) -> tuple[object, ...]:
    """The path with the object's own name first, then the public one, the defining one and the short one."""
    module_name, name, value = item
    path = f"{module_name}.{name}"
    try:
        defined = (getattr(value, "__module__", None), getattr(value, "__name__", None)) == (module_name, name)
    except Exception:  # objects with attribute look-ups of their own
        defined = False
    private = sum(part.startswith("_") for part in (*module_name.split("."), name))
    defined = defined or (isinstance(value, (torch.dtype, torch.layout, torch.memory_format)) and str(value) == path)
    renamed = isinstance(value, (types.FunctionType, type)) and value.__name__ != name
    is_own = defined and not hasattr(sys.modules["builtins"], name)
    more = module_name in MORE_STANDARD_MODULES.split() and not is_own
    return more, renamed, private, not defined, module_name.count("."), module_name, name


def path_elsewhere(value: object, walk: Walk) -> str | None:
    """The defining path of what a recorded module took from a module that is not recorded (`typing.Optional`)."""
    try:
        module_name, name = value.__module__, getattr(value, "__name__", None) or value._name  # type: ignore[attr-defined]
        found = getattr(sys.modules[module_name], name)
    except Exception:
        return None
    return f"{module_name}.{name}" if found is value and module_name not in walk.modules else None


def is_plain_constant(value: object) -> bool:
    """Equal constants are not one object that has several paths, whatever their identity."""
    return type(value) in PLAIN_TYPES


# --- one object ---------------------------------------------------------------------------------------------------


def describe(module: object, module_name: str, name: str) -> str:
    """The record of `module.name`: its category, then tab-separated fields (see the loader)."""
    value = getattr(module, name)
    dispatch = boolean_dispatch(value)
    if dispatch:
        return dispatch
    refusal = refusal_of(f"def f():\n  return M.{name}.{PROBE}\n", {"M": module})
    text = refusal.text if refusal else ""
    if refusal is None or refusal.inside_callee:
        return refused(value, refusal)
    kind = constant_kind(value)
    if kind and "object has no attribute or method" in text:
        return constant(module, name, value, kind)
    lookups = {
        "not defined on builtin": operator,
        "not defined on function": function,
        "unknown attribute on class": script_class,
        "not defined on Python exception": lambda *_: fields("class", "exception"),
        "not defined on LegacyTypedConstructor": lambda *_: fields(
            "class", "legacy_tensor", "", "", "", "", "", annotated_type(value)
        ),
        "not defined on __torch__": lambda *_: fields("class", "namedtuple", "", lines(signatures(module, name))),
        "Python builtin": lambda *_: fields("opaque", "python_builtin", type(value).__name__, ""),
        "not defined on python value": opaque,
    }
    for mark, describe_it in lookups.items():
        if mark in text:
            return describe_it(module, name, value)
    if text.lstrip().startswith("Enum<"):
        return fields("class", "enum", "", "", "", "", lines(f"{member}" for member in value.__members__))
    if "attribute lookup is not defined on" in text:
        return fields("special", text.partition("not defined on ")[2].partition("\n")[0].rstrip(":"))
    return refused(value, refusal)


def refused(value: object, refusal: Refusal | None) -> str:
    reason = refusal.first_line if refusal else "the probe compiles"
    if isinstance(value, type):
        if issubclass(value, torch.Tensor):
            return fields("class", "tensor", "", "", "", reason, "", annotated_type(value))
        kind = "exception" if issubclass(value, BaseException) else "other"
        return fields("class", kind, "", "", "", reason)
    return fields("function", "", "", reason)


def constant_kind(value: object) -> str | None:
    for plain in (torch.dtype, torch.layout, torch.memory_format, torch.qscheme, torch.device, *PLAIN_TYPES):
        if isinstance(value, plain):
            return "None" if value is None else plain.__name__
    return None


def constant(module: object, name: str, value: object, kind: str) -> str:
    if kind in ("dtype", "layout", "memory_format", "qscheme"):
        compiled = compile_probe(f"def f():\n  return M.{name}\n", {"M": module})
        for node in compiled.graph.nodes():
            return fields("constant", kind, str(node.i("value")))
    if kind == "str" and os.path.exists(str(value)):
        return fields("constant", kind, "")  # a place on the disk of whoever extracts
    if isinstance(value, int) and kind == "int":
        value = int(value)  # a member of an enum that derives from int is an int to the compiler
    return fields("constant", kind, str(value) if kind in ("str", "device", "None") else repr(value))


def operator(module: object, name: str, value: object) -> str:
    op = torch.jit._builtins._find_builtin(value)
    if getattr(module, "__name__", "") == "torch.cuda" or not op:
        # torch.cuda maps some of its functions to operators of its own, whatever the table says.
        refusal = refusal_of(f"def f():\n  return M.{name}({PROBE}=0)\n", {"M": module})
        unknown = re.search(r"Unknown builtin op: ([\w.]+::\w+)", refusal.text) if refusal else None
        known = SCHEMA_LINE.search(refusal.text) if refusal else None
        op = unknown[1] if unknown else known[1].partition("(")[0].partition(".")[0] if known else op
    if not isinstance(value, type):
        return fields("operator", str(op))
    kind = "tensor" if issubclass(value, torch.Tensor) else "other"
    kind = "exception" if issubclass(value, BaseException) else kind
    return fields("class", kind, str(op), "", "", "", "", annotated_type(value))


def function(module: object, name: str, value: object) -> str:
    found = signatures(module, name) or [composed_schema(torch.jit.script(value).schema)]
    return fields("function", lines(found), inferred_parameters(value) if len(found) == 1 else "", "")


def composed_schema(schema: typing.Any) -> str:
    """The text of a schema that torch itself fails to print (a plain number as the default of a sized list)."""
    parts: list[str] = []
    for argument in schema.arguments:
        if argument.kwarg_only and "*" not in parts:
            parts.append("*")
        written = argument.type.str()
        written = written.replace("[]", f"[{argument.N}]", 1) if argument.N else written
        value = argument.default_value if argument.has_default_value() else None
        default = f"={json.dumps(value) if isinstance(value, str) else value}" if argument.has_default_value() else ""
        parts.append(f"{written} {argument.name}{default}")
    return f"{schema.name}({', '.join(parts)}) -> {schema.returns[0].type.str()}"


def boolean_dispatch(value: object) -> str | None:
    try:
        found = torch._jit_internal.boolean_dispatched.get(value)
    except TypeError:
        return None
    if not found or not isinstance(value, types.FunctionType):
        return None
    if_true, if_false = (path_of_branch(found[branch]) for branch in ("if_true", "if_false"))
    return fields("dispatch", found["arg_name"], str(found["index"]), str(found["default"]), if_true, if_false)


def path_of_branch(branch: typing.Any) -> str:
    for name, value in vars(sys.modules[branch.__module__]).items():
        if value is branch:
            return f"{branch.__module__}.{name}"
    return f"{branch.__module__}.{branch.__name__}"


def inferred_parameters(value: object) -> str:
    """The positions of parameters without annotation, where the compiler takes Tensor for granted."""
    try:
        source = inspect.getsource(inspect.unwrap(value))  # type: ignore[arg-type]
        parameters = inspect.signature(value).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError, OSError):
        return ""
    if "# type:" in source or any(parameter.annotation is not parameter.empty for parameter in parameters):
        return ""
    return ",".join(str(i) for i in range(len(parameters)))


def script_class(module: object, name: str, value: type) -> str:
    """A Python class that compiles as a TorchScript class: `__init__`, what `with` gives, attributes and methods."""
    methods: list[str] = []
    attributes: list[str] = []
    for member in sorted(set(dir(value))):
        schema = bound_method(value, member)
        if schema:
            methods.append(schema)
    born = getattr(getattr(value, "__init__", None), "__code__", None)
    for member in sorted(set(born.co_names)) if born else []:
        try:
            compiled = compile_probe(f"def f(c: C):\n  return c.{member}\n", {"C": value})
        except Refusal:
            continue
        attributes.append(f"{returned(compiled)} {member}")
    try:
        entered = returned(compile_probe("def f(c: C):\n  return c.__enter__()\n", {"C": value}))
    except Refusal:
        entered = ""
    kind = "context" if entered else "script_class"
    found = signatures(module, name)
    return fields("class", kind, "", lines(found), entered, "", lines(methods), "", lines(attributes))


def bound_method(value: type, member: str) -> str | None:
    if not isinstance(inspect.getattr_static(value, member, None), types.FunctionType):
        return None
    refusal = refusal_of(f"def f(c: C):\n  return c.{member}({PROBE}=0)\n", {"C": value})
    found = SCHEMA_LINE.findall(refusal.text) if refusal else []
    return found[0] if found else None


def opaque(module: object, name: str, value: object) -> str:
    if isinstance(value, type):
        kind = "module" if issubclass(value, torch.nn.Module) else "other"
        kind = "tensor" if issubclass(value, torch.Tensor) else kind
        kind = "native" if kind == "other" and not has_source(value) else kind
        return fields("class", kind, "", "", "", "", "", annotated_type(value))
    if getattr(value, "__module__", "") in ("typing", "typing_extensions") or typing.get_origin(value):
        return fields("opaque", "typing", re.sub(r" at 0x[0-9a-f]+", "", repr(value)), "", annotated_type(value))
    called = lines(signatures(module, name)) if callable(value) else ""
    category = "ignored" if isinstance(value, types.FunctionType) else "callable" if callable(value) else "value"
    return fields("opaque", category, type(value).__name__, called)


def has_source(value: type) -> bool:
    """Whether the compiler can see that a call would make an object."""
    try:
        inspect.getsource(value)
    except (OSError, TypeError):
        return False
    return True


def annotated_type(value: object) -> str:
    """The type an annotation with this object means, as a schema writes it."""
    try:
        return returned(compile_probe("def f(x: T):\n  return x\n", {"T": value}))
    except Refusal:
        return ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="the data file to write, or a folder for VERSION.facts")
    out: Path = parser.parse_args().out
    warnings.simplefilter("ignore")
    version = ".".join(torch.__version__.split(".")[:2])
    entries: Entries = {"version": version}
    parts = (
        operator_entries,
        alias_entries,
        attribute_entries,
        lambda: module_entries(Walk()),
        lambda: module_class_entries(entries),
        custom_class_entries,
    )
    for part in parts:
        started = time.monotonic()
        entries.update(part())
        print(len(entries), "entries", f"{time.monotonic() - started:.1f} s", file=sys.stderr)
    target = out / f"{version}.facts" if out.is_dir() else out
    target.write_bytes(pack(entries))
    print(target, target.stat().st_size, "bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
