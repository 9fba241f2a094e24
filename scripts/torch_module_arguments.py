"""What constructors of torch's own nn.Module classes are tried with: a part of `extract_torch.py`.

Owns the examples for parameters that must be given, and the candidates that tell which arguments matter. Invariant: a
candidate that a constructor refuses does no harm.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Sequence

import torch

# Arguments that fit a required parameter of this name, wherever torch.nn uses it.
EXAMPLES: dict[str, object] = {
    "cutoffs": [2, 3], "d_model": 4, "dim": 0, "downscale_factor": 2, "embed_dim": 4, "embedding_dim": 4, "groups": 2,
    "hidden_size": 5, "in1_features": 3, "in2_features": 4, "in_channels": 4, "in_features": 4, "input_size": 3,
    "kernel_size": 3, "lambd": 0.5, "max_val": 1.0, "min_val": 0.0, "n_classes": 5, "nhead": 2, "norm_type": 2.0,
    "normalized_shape": [4], "num_channels": 4, "num_classes": 3, "num_embeddings": 7, "num_features": 4,
    "num_groups": 2, "num_heads": 2, "num_layers": 1, "num_parameters": 1, "out_channels": 8, "out_features": 6,
    "output_size": 2, "p": 0.5, "padding": 1, "size": 3, "threshold": 0.5, "unflattened_size": (2, 2),
    "upscale_factor": 2, "value": 0.5, "scale": 1.0, "zero_point": 0, "mode": "LSTM", "bias": True, "num_chunks": 4,
    "input_dim": 3, "hidden_dim": 5, "output_scale": 1.0, "output_zero_point": 0,
    "dtype": torch.quint8,
}  # fmt: skip
BUILT_FROM: dict[str, typing.Callable[[], object]] = {
    "decoder_layer": lambda: torch.nn.TransformerDecoderLayer(4, 2, 8),
    "encoder_layer": lambda: torch.nn.TransformerEncoderLayer(4, 2, 8),
    "module": lambda: torch.nn.Linear(2, 2),
    "linear": lambda: torch.nn.Linear(2, 2),
    "relu": torch.nn.ReLU,
    "leaky_relu": torch.nn.LeakyReLU,
    "tanh": torch.nn.Tanh,
    "add": lambda: torch.add,
    "qconfig": lambda: torch.ao.quantization.get_default_qat_qconfig("fbgemm"),
}
# The same for parts whose class has the number of dimensions in its name.
BUILT_FOR: dict[str, typing.Callable[[str], object]] = {
    "conv": lambda dimensions: getattr(torch.nn, f"Conv{dimensions}")(2, 2, 1),
    "bn": lambda dimensions: getattr(torch.nn, f"BatchNorm{dimensions}")(2),
    "batch_norm": lambda dimensions: getattr(torch.nn, f"BatchNorm{dimensions}")(2),
}
# Options that keep the usual instance small.
SMALL: dict[str, dict[str, object]] = {
    "FractionalMaxPool2d": {"output_size": 2},
    "FractionalMaxPool3d": {"output_size": 2},
    "Transformer": {"d_model": 4, "nhead": 2, "dim_feedforward": 8, "num_encoder_layers": 1, "num_decoder_layers": 1},
}
NUMBERS_OF_DIMENSIONS: list[object] = [2, (2,), (2, 1), (2, 1, 2)]
# What else a parameter may be given, beside the other one of two bools and None where that is the default.
CANDIDATES: dict[str, Sequence[object]] = {
    "activation": ["gelu", "relu", torch.relu],
    "approximate": ["tanh", "none"],
    "cutoffs": [[2], (2, 3)],
    "d_model": [8],
    "dim": [1, -1, None],
    "embed_dim": [8],
    "divisor_override": [3],
    "dropout": [0.5, 0.25, 0],
    "eps": [1e-3, None, 1],
    "groups": [4, 1],
    "head_bias": [True],
    "init": [1],
    "kdim": [3, 4],
    "kernel_size": [*NUMBERS_OF_DIMENSIONS, [2, 1]],
    "dilation": NUMBERS_OF_DIMENSIONS,
    "max_norm": [1.0, 2],
    "mode": [
        "sum",
        "max",
        "mean",
        "bilinear",
        "nearest",
        "nearest-exact",
        "linear",
        "GRU",
        "LSTM",
        "RNN_TANH",
        "RNN_RELU",
    ],
    "momentum": [None, 0.2, 1],
    "negative_slope": [1],
    "nonlinearity": ["relu", "tanh"],
    "norm_type": [1, 1.0],
    "normalized_shape": [4, (4, 2), [2, 3, 4], (4,)],
    "num_decoder_layers": [2],
    "num_encoder_layers": [2],
    "num_layers": [2],
    "num_parameters": [4],
    "output_padding": [0, (0,), (0, 0), (0, 0, 0)],
    "output_ratio": [0.5, (0.5, 0.5), (0.5, 0.5, 0.5)],
    "output_size": [3, (2,), (2, 3), (None, 3), (2, 3, 4), (2, None, None), None],
    "p": [0.25, 0, 1, 3.0],
    "padding": [2, "same", "valid", (1,), (1, 1), (1, 1, 1), (1, 1, 1, 1), (1, 1, 1, 1, 1, 1), [1, 1], [1, 1, 1, 1]],
    "padding_idx": [2, -1],
    "padding_mode": ["reflect", "circular", "replicate"],
    "pos_weight": [torch.ones(3)],
    "proj_size": [2],
    "reduction": ["sum", "none"],
    "scale_factor": [2, 2.0, (2, 2), (2.0, 2.0), (2.0,), (2.0, 3.0, 1.0)],
    "size": [5, (2,), (2, 2), (2, 2, 2)],
    "stride": [*NUMBERS_OF_DIMENSIONS, None],
    "threshold": [1],
    "unflattened_size": [[2, 2], (2, 1, 2)],
    "value": [0, 1],
    "vdim": [3, 4],
    "weight": [torch.ones(3)],
    "_weight": [torch.ones(7, 4)],
    "margin": [1, 0.5],
    "align_corners": [True, False],
    "recompute_scale_factor": [True, False],
    "size_average": [True, False],
    "reduce": [True, False],
    "norm": [torch.nn.LayerNorm(4)],
}
# Kinds of numbers that parameters without candidates are tried with.
_NUMBERS: dict[type, list[object]] = {int: [3], float: [0.75, 1]}


def constructor_parameters(cls: type) -> list[inspect.Parameter]:
    """The parameters of a class; recurrent ones hide theirs."""
    recurrent = cls in (torch.nn.RNN, torch.nn.LSTM, torch.nn.GRU)
    signature = inspect.signature(torch.nn.RNNBase if recurrent else cls)
    return [item for item in signature.parameters.values() if not (recurrent and item.name == "mode")]


def required(cls: type) -> dict[str, object]:
    """What must be given by name."""
    small = SMALL.get(cls.__name__, {})
    needed = [item.name for item in constructor_parameters(cls) if is_required(item)]
    if cls.__module__.startswith("torch.ao.nn") and "qat" in cls.__module__:
        needed.append("qconfig")
    return {**{name: example(name, cls) for name in needed}, **small}


def example(name: str, cls: type) -> object:
    if name in BUILT_FOR:
        return BUILT_FOR[name](cls.__name__[-2:])
    if name in ("weight", "bias") and cls.__module__.startswith("torch.ao."):
        return torch.ones(4)
    return BUILT_FROM[name]() if name in BUILT_FROM else EXAMPLES.get(name)


def is_required(parameter: inspect.Parameter) -> bool:
    return parameter.default is parameter.empty and parameter.kind is parameter.POSITIONAL_OR_KEYWORD


def candidates(parameter: inspect.Parameter, cls: type) -> Sequence[object]:
    """What a parameter is tried with, its default or example left out."""
    if isinstance(parameter.default, bool):
        return [not parameter.default]
    listed = CANDIDATES.get(parameter.name)
    if listed is not None:
        return listed
    usual = example(parameter.name, cls) if is_required(parameter) else parameter.default
    return _NUMBERS.get(type(usual), [])
