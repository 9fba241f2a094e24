"""What the compiler makes of torch's own nn.Module classes: a part of `extract_torch.py`.

Each class is built with small example arguments and compiled as a program would compile it; then every option is
turned over in turn, and what changes in the module's type is written down beside it.
"""

from __future__ import annotations

import inspect
import re
import typing

import torch

# Arguments that fit a required parameter of this name, wherever torch.nn uses it.
EXAMPLES: dict[str, object] = {
    "cutoffs": [2, 3], "d_model": 4, "decoder_layer": None, "dim": 0, "downscale_factor": 2, "embed_dim": 4,
    "embedding_dim": 4, "encoder_layer": None, "groups": 2, "hidden_size": 4, "in1_features": 4, "in2_features": 4,
    "in_channels": 4, "in_features": 4, "input_size": 4, "kernel_size": 2, "lambd": 0.5, "max_val": 1.0, "min_val": 0.0,
    "n_classes": 5, "nhead": 2, "norm_type": 2.0, "normalized_shape": [4], "num_channels": 4, "num_embeddings": 4,
    "num_features": 4, "num_groups": 2, "num_heads": 2, "num_layers": 1, "num_parameters": 1, "out_channels": 4,
    "out_features": 4, "output_size": 2, "p": 0.5, "padding": 1, "size": 2, "threshold": 0.5,
    "unflattened_size": (2, 2), "upscale_factor": 2, "value": 0.5,
}  # fmt: skip
BUILT_FROM: dict[str, typing.Callable[[], object]] = {
    "decoder_layer": lambda: torch.nn.TransformerDecoderLayer(4, 2),
    "encoder_layer": lambda: torch.nn.TransformerEncoderLayer(4, 2),
}
# Classes whose signature does not say what they need: arguments, and the class whose parameters they really have.
POSITIONAL: dict[str, tuple[object, ...]] = {
    "AdaptiveLogSoftmaxWithLoss": (4, 5, [2, 3]),
    "FractionalMaxPool2d": (2, 2),
    "FractionalMaxPool3d": (2, 2),
    "GRU": (4, 4),
    "LSTM": (4, 4),
    "RNN": (4, 4),
    "RNNBase": ("LSTM", 4, 4),
    "RNNCellBase": (4, 4, True, 4),
}
# Options whose default is None: a value that fits the annotation's first word.
OTHER_VALUES: dict[str, object] = {"int": 1, "float": 0.5, "bool": True}

Lines = list[str]


def module_class_facts(cls: type[torch.nn.Module]) -> str | None:
    """The lines of one class; None for a class that the example arguments do not build."""
    parameters = constructor_parameters(cls)
    positional = POSITIONAL.get(cls.__name__, ())
    required = {} if positional else {item.name: example(item.name) for item in parameters if is_required(item)}

    def build(**options: object) -> torch.nn.Module:
        return cls(*positional, **{**required, **options})

    try:
        usual = type_lines(build())
    except Exception:
        return None
    lines = [parameter_line(parameter) for parameter in parameters] + usual
    for parameter in parameters:
        for value in other_values(parameter):
            lines += variant_lines(build, parameter.name, value, usual)
    lines += function_lines(build())
    return "\n".join(lines)


def constructor_parameters(cls: type[torch.nn.Module]) -> list[inspect.Parameter]:
    recurrent = issubclass(cls, torch.nn.RNNBase) and cls is not torch.nn.RNNBase
    signature = inspect.signature(torch.nn.RNNBase if recurrent else cls)
    return [item for item in signature.parameters.values() if not (recurrent and item.name == "mode")]


def example(name: str) -> object:
    return BUILT_FROM[name]() if name in BUILT_FROM else EXAMPLES.get(name)


def is_required(parameter: inspect.Parameter) -> bool:
    return parameter.default is parameter.empty and parameter.kind is parameter.POSITIONAL_OR_KEYWORD


def parameter_line(parameter: inspect.Parameter) -> str:
    stars = (
        "*" if parameter.kind is parameter.VAR_POSITIONAL else "**" if parameter.kind is parameter.VAR_KEYWORD else ""
    )
    if parameter.default is parameter.empty:
        return f"parameter\t{stars}{parameter.name}"
    default = re.sub(r"<(?:function|class) '?([\w.]+)[^>]*>", r"\1", single_line(repr(parameter.default)))
    return f"parameter\t{stars}{parameter.name}\t{default}"


def other_values(parameter: inspect.Parameter) -> list[object]:
    if isinstance(parameter.default, bool):
        return [not parameter.default]
    if parameter.default is not None:
        return ["same"] if parameter.name == "padding" and parameter.default == 0 else []
    if parameter.annotation is parameter.empty:
        return [1]  # sizes of other inputs; what does not take a number fails to build
    annotation = str(parameter.annotation).replace("typing.", "").replace("Optional[", "").replace("<class '", "")
    return [value for word, value in OTHER_VALUES.items() if annotation.startswith(word)]


def variant_lines(build: typing.Callable[..., torch.nn.Module], name: str, value: object, usual: Lines) -> Lines:
    """What is otherwise when one option is set: the lines that come, marked with the option, and those that go."""
    try:
        changed = type_lines(build(**{name: value}))
    except Exception:
        return []
    option = f"variant\t{name}\t{value!r}\t"
    gone = {tuple(line.split("\t")[:2]) for line in usual} - {tuple(line.split("\t")[:2]) for line in changed}
    missing = [f"{option}missing\t{kind}\t{key}" for kind, key in sorted(gone) if kind not in ("method", "refusal")]
    return [option + line for line in changed if line not in usual] + missing


def type_lines(module: torch.nn.Module) -> Lines:
    """The module's type: attributes, constants, submodules, and the compiled methods or why there are none."""
    concrete = torch.jit._recursive.get_module_concrete_type(module)
    lines = []
    for name, (kind, is_parameter) in sorted(concrete.get_attributes().items()):
        lines.append(f"attribute\t{name}\t{kind.str()}\t{'parameter' if is_parameter else ''}")
    for name, value in sorted(concrete.get_constants().items()):
        inferred = torch._C._jit_try_infer_type(value)
        lines.append(f"constant\t{name}\t{inferred.type().str() if inferred.success() else ''}")
    for name, submodule in module.named_children():
        lines.append(f"module\t{name}\t{type(submodule).__module__}.{type(submodule).__name__}")
    try:
        compiled = torch.jit.script(module)._c
    except Exception as error:
        lines.append(f"refusal\t{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}")
    else:
        # Overloads of `forward` are `forward__0`, `forward__1` and so on.
        lines += [f"method\t{compiled._get_method(name).schema}" for name in sorted(compiled._method_names())]
    varying = r"___torch_mangle_\d+\.| \(of Python compilation unit at: 0x[0-9a-f]+\)"
    return [re.sub(varying, "", single_line(line)) for line in lines]


def function_lines(module: torch.nn.Module) -> Lines:
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
    varying = r"___torch_mangle_\d+\.| \(of Python compilation unit at: 0x[0-9a-f]+\)"
    return [re.sub(varying, "", single_line(line)) for line in lines]


def static_schema(function: typing.Callable[..., object]) -> str:
    try:
        return str(torch.jit.script(function).schema)
    except Exception:
        return ""


def single_line(text: str) -> str:
    return " ".join(text.split("\n"))
