"""What the compiler makes of torch's own nn.Module classes: a part of `extract_torch.py`.

Each class is built with small example arguments and compiled as a program would compile it; then every parameter is
given other arguments in turn, and what changes in the module's type is written down, for a whole kind of arguments
where all that were tried agree. Two arguments that together do something else than one after the other are written
down as a pair. The lines are described in `ts_lsp/torchdata/module_facts.py`.
"""

from __future__ import annotations

import inspect
import itertools
import re
import typing
from dataclasses import dataclass

import torch

from scripts.torch_module_arguments import candidates, constructor_parameters, required

Key = tuple[str, str]
Facts = dict[Key, str]
"""Kind and name of a fact, and the rest of its line."""
_PLAIN = (bool, int, float, str, type(None))
_LARGEST_TEXT = 60
_LARGEST_REASON = 160


@dataclass
class Sample:
    """Arguments other than the usual ones, what they change, and all that then holds."""

    options: dict[str, object]
    changed: Facts
    missing: frozenset[Key]
    facts: Facts

    @property
    def refused(self) -> bool:
        return ("refusal", "") in self.facts

    @property
    def lines(self) -> list[str]:
        changed = [line_of(key, without_type(rest)) for key, rest in self.changed.items()]
        return changed + ["\t".join(("missing", *key)) for key in sorted(self.missing)]

    @property
    def names(self) -> set[Key]:
        return {*self.changed, *self.missing}


def module_class_facts(cls: type[torch.nn.Module]) -> str | None:
    """The lines of one class; None for a class that the example arguments do not build."""
    usual = built_facts(cls, {})
    if usual is None:
        return None
    parameters = constructor_parameters(cls)
    lines: list[str] = []
    effective: list[Sample] = []
    variants: list[str] = []
    for parameter in parameters:
        samples = [Sample({}, {}, frozenset(), usual)]
        for value in candidates(parameter, cls):
            sample = sampled(cls, {parameter.name: value}, usual)
            samples += [sample] if sample is not None else []
        relative = is_relative(cls, parameter, samples, usual)
        settled, found = grouped(parameter, samples, required(cls), relative)
        variants += found
        lines.append(parameter_line(parameter, settled))
        effective += [each for each in samples if each.names and not each.refused]
    lines += [line_of(key, rest) for key, rest in usual.items()]
    functions = [] if ("refusal", "") in usual else function_lines(cls(**required(cls)))
    return "\n".join(lines + functions + variants + pair_lines(cls, usual, effective))


def sampled(cls: type[torch.nn.Module], options: dict[str, object], usual: Facts) -> Sample | None:
    found = built_facts(cls, options)
    if found is None:
        return None
    return compared(options, usual, found)


def compared(options: dict[str, object], usual: Facts, found: Facts) -> Sample:
    changed = {key: rest for key, rest in found.items() if differs(usual.get(key), rest)}
    missing = frozenset(key for key in usual if key not in found and key[0] != "method")
    return Sample(options, changed, missing, found)


def differs(usual: str | None, rest: str) -> bool:
    """Whether a fact changed. Of a constant that is what was given the type goes without saying."""
    source = rest.rpartition("\t")[2]
    return usual != rest and not (usual is not None and source.startswith("=") and usual.endswith("\t" + source))


def grouped(
    parameter: inspect.Parameter,
    samples: list[Sample],
    needed: dict[str, object],
    is_relative: bool,
) -> tuple[list[str], list[str]]:
    """The patterns of arguments that change nothing, and the lines of those that do.

    What single numbers mean is left out where it depends on other arguments (`is_relative`).
    """
    name = parameter.name
    usual = needed.get(name, parameter.default)
    by_kind: dict[str, list[tuple[object, Sample]]] = {}
    for sample in samples:
        value = sample.options.get(name, usual)
        if value is not parameter.empty:
            by_kind.setdefault(kind_of(value), []).append((value, sample))
    settled: list[str] = []
    lines: list[str] = []
    for kind, members in by_kind.items():
        for pattern, sample in patterned(kind, members):
            if is_relative and kind == "int" and pattern != ":int":
                continue
            prefix = f"variant\t{name}\t{pattern}\t"
            if not sample.names:
                settled.append(pattern)
            lines += [prefix + line for line in sample.lines]
        if kind != "bool" and len({tuple(sample.lines) for _, sample in members}) > 1:
            names = sorted({key for _, sample in members for key in sample.names})
            lines += [f"variant\t{name}\t:{kind}\t{common(key, members)}" for key in names]
    return settled, lines


def common(key: Key, members: list[tuple[object, Sample]]) -> str:
    """The line of what is certain of a fact for other arguments of a kind."""
    rests = {each.facts.get(key) for _, each in members}
    types = {rest.partition("\t")[0] for rest in rests if rest is not None}
    is_typed = None not in rests and len(types) == 1
    if is_typed and key[0] == "constant":
        return f"constant\t{key[1]}\t{types.pop()}\t"
    return line_of(key, rests.pop() or "") if is_typed and len(rests) == 1 else f"unknown\t{key[0]}\t{key[1]}"


def is_relative(cls: type[torch.nn.Module], parameter: inspect.Parameter, samples: list[Sample], usual: Facts) -> bool:
    """Whether what a number means depends on other numbers that must be given (`kdim` and `embed_dim`)."""
    numbers = [each for each in samples if kind_of(each.options.get(parameter.name)) == "int"]
    if len({tuple(each.lines) for each in numbers}) < 2:
        return False
    for other in constructor_parameters(cls):
        values = candidates(other, cls) if other.name in required(cls) and other.name != parameter.name else []
        for value in (each for each in values if kind_of(each) == "int"):
            alone = sampled(cls, {other.name: value}, usual)
            for sample in numbers:
                if alone is None:
                    break
                together = built_facts(cls, {other.name: value, **sample.options})
                if together is not None and compared({}, merged(usual, alone, sample), together).names:
                    return True
    return False


def patterned(kind: str, members: list[tuple[object, Sample]]) -> typing.Iterator[tuple[str, Sample]]:
    """The coarsest patterns under which all that were tried agree."""
    if kind != "bool" and len({tuple(sample.lines) for _, sample in members}) == 1:
        yield f":{kind}", members[0][1]
        return
    shapes: dict[str, list[tuple[object, Sample]]] = {}
    for value, sample in members:
        shapes.setdefault(shape_of(value), []).append((value, sample))
    for shape, alike in shapes.items():
        if shape and len({tuple(sample.lines) for _, sample in alike}) == 1:
            yield shape, alike[0][1]
        else:
            yield from ((f"={value!r}", sample) for value, sample in alike if is_plain(value))


def kind_of(value: object) -> str:
    if isinstance(value, _PLAIN):
        return "None" if value is None else type(value).__name__
    if isinstance(value, torch.Tensor):
        return "Tensor"
    if isinstance(value, torch.nn.Module):
        return "module"
    if isinstance(value, (tuple, list)):
        return "list" if isinstance(value, list) else "tuple"
    return "function" if callable(value) else type(value).__name__


def shape_of(value: object) -> str:
    """The pattern of a sequence's type; empty for other values."""
    if not isinstance(value, (tuple, list)):
        return ""
    parts = ("NoneType" if each is None else type(each).__name__ for each in value)
    return f":Tuple[{', '.join(parts)}]"


def is_plain(value: object) -> bool:
    if isinstance(value, (tuple, list)):
        return all(map(is_plain, value))
    return isinstance(value, _PLAIN)


def merged(usual: Facts, *samples: Sample) -> Facts:
    """What the samples come to, applied one after the other."""
    facts = dict(usual)
    for sample in samples:
        facts.update(sample.changed)
        facts = {key: rest for key, rest in facts.items() if key not in sample.missing}
    return facts


def pair_lines(cls: type[torch.nn.Module], usual: Facts, effective: list[Sample]) -> list[str]:
    """What two arguments of different parameters give that applying one change after the other does not."""
    lines = []
    # Quantized modules take much the same arguments as those they stand for.
    pairs = itertools.combinations(effective, 2) if cls.__module__.startswith("torch.nn.") else ()
    for one, other in pairs:
        if one.options.keys() == other.options.keys():
            continue
        options = {**one.options, **other.options}
        if not all(map(is_plain, options.values())):
            continue
        found = built_facts(cls, options)
        if found is None:
            continue
        sample = compared(options, merged(usual, one, other), found)
        patterns = "&".join(f"={value!r}" for value in options.values())
        lines += [f"variant\t{'&'.join(options)}\t{patterns}\t{line}" for line in sample.lines]
    return lines


def without_type(rest: str) -> str:
    """A constant that is what was given has the type of that."""
    source = rest.rpartition("\t")[2]
    return f"\t{source}" if source.startswith("=") else rest


def line_of(key: Key, rest: str) -> str:
    """A fact as a line; the name of a method stands in its schema, and a refusal has none."""
    return f"{key[0]}\t{rest}" if key[0] in ("method", "refusal") else f"{key[0]}\t{key[1]}\t{rest}"


def parameter_line(parameter: inspect.Parameter, settled: list[str]) -> str:
    stars = (
        "*" if parameter.kind is parameter.VAR_POSITIONAL else "**" if parameter.kind is parameter.VAR_KEYWORD else ""
    )
    patterns = "|".join(settled)
    if parameter.default is parameter.empty:
        return f"parameter\t{stars}{parameter.name}\t\t{patterns}"
    default = re.sub(r"<(?:function|class) '?([\w.]+)[^>]*>", r"\1", single_line(repr(parameter.default)))
    return f"parameter\t{stars}{parameter.name}\t{default}\t{patterns}"


def built_facts(cls: type[torch.nn.Module], options: dict[str, object]) -> Facts | None:
    """The facts of an instance; None where the constructor raises."""
    needed = required(cls)
    given = {**needed, **options}
    try:
        module = cls(**given)
    except Exception:
        return None
    defaults = {
        item.name: item.default for item in constructor_parameters(cls) if item.default is not inspect.Parameter.empty
    }
    return facts_of(module, {**defaults, **given}, {name: given[name] for name in needed})


def facts_of(module: torch.nn.Module, arguments: dict[str, object], needed: dict[str, object]) -> Facts:
    """The module's type: attributes, constants, submodules, and the compiled methods or why there are none."""
    facts: Facts = {}
    try:
        add_members(facts, module, "", arguments, needed)
        for name, child in module.named_children():
            source = next((option for option, each in arguments.items() if each is child), "")
            facts["module", name] = f"{type(child).__module__}.{type(child).__name__}" + (
                f"\t={source}" if source else ""
            )
            if (
                not source
                and not list(child.children())
                and not isinstance(child, (torch.nn.ModuleList, torch.nn.ModuleDict))
            ):
                add_members(facts, child, f"{name}.", {}, {})
        compiled = torch.jit.script(module)._c
    except Exception as error:
        facts["refusal", ""] = f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"[:_LARGEST_REASON]
    else:
        # Overloads of `forward` are `forward__0`, `forward__1` and so on.
        for name in sorted(compiled._method_names()):
            facts["method", name] = str(compiled._get_method(name).schema)
    return {key: unmangled(rest) for key, rest in facts.items()}


def unmangled(text: str) -> str:
    """A text on one line that is the same every time."""
    varying = r"___torch_mangle_\d+\.| \(of Python compilation unit at: 0x[0-9a-f]+\)"
    return re.sub(varying, "", single_line(text))


def add_members(
    facts: Facts, module: torch.nn.Module, prefix: str, arguments: dict[str, object], needed: dict[str, object]
) -> None:
    concrete = torch.jit._recursive.get_module_concrete_type(module)
    for name, (kind, is_parameter) in sorted(concrete.get_attributes().items()):
        facts["attribute", prefix + name] = f"{kind.str()}\t{'parameter' if is_parameter else ''}"
    for name, value in sorted(concrete.get_constants().items()):
        inferred = torch._C._jit_try_infer_type(tuple(value) if isinstance(value, list) else value)
        written = inferred.type().str() if inferred.success() else ""
        facts["constant", prefix + name] = f"{written}\t{value_text(name, value, arguments, needed)}"


def value_text(name: str, value: object, arguments: dict[str, object], needed: dict[str, object]) -> str:
    """Where a constant's value comes from, or what it is; empty where it is computed."""
    if name in arguments and is_same(value, arguments[name]):
        return f"={name}"
    if isinstance(value, bool) or value is None:
        return repr(value)
    other = next((option for option, each in needed.items() if is_same(value, each)), None)
    if other is not None:
        return f"={other}"
    return repr(value) if isinstance(value, str) and len(value) < _LARGEST_TEXT else ""


def is_same(value: object, argument: object) -> bool:
    if not is_plain(argument):
        return False
    argument = tuple(argument) if isinstance(argument, list) else argument
    value = tuple(value) if isinstance(value, list) else value
    return repr(value) == repr(argument)


def function_lines(module: torch.nn.Module) -> list[str]:
    """The other functions of the class, which compile when they are named: their schemas, or why they have none."""
    own = [cls for cls in type(module).__mro__ if cls not in (*torch.nn.Module.__mro__,)]
    members = {name: value for cls in reversed(own) for name, value in vars(cls).items()}
    functions = {name: value for name, value in members.items() if inspect.isfunction(value)}
    try:
        scripted = torch.jit.script(module)
    except Exception:
        return []
    lines = ["member\tforward\t"]
    for name, value in sorted(members.items()):
        if isinstance(value, staticmethod):
            lines.append(f"member\t{name}\t{static_schema(value.__func__)}")
        elif isinstance(value, (classmethod, property)):
            lines.append(f"member\t{name}\t")
    for name, function in sorted(functions.items()):
        if name in scripted._c._method_names() or name in ("__init__", "forward"):
            continue
        try:
            torch.jit._recursive.compile_unbound_method(scripted._concrete_type, function)
            lines.append(f"function\t{name}\t{scripted._c._get_method(name).schema}")
        except Exception:
            lines.append(f"function\t{name}\t")
    return [unmangled(line) for line in lines]


def static_schema(function: typing.Callable[..., object]) -> str:
    try:
        return str(torch.jit.script(function).schema)
    except Exception:
        return ""


def single_line(text: str) -> str:
    return " ".join(text.split("\n"))
