"""What the compiler makes of modules of torch.

Owns `description`, in the shape of the twin's `Found`. Only tests that have torch import this.
"""

from __future__ import annotations

import torch
import torch.ao.nn.intrinsic
import torch.ao.nn.intrinsic.qat
import torch.ao.nn.qat
import torch.ao.nn.quantizable
import torch.ao.nn.quantized
import torch.ao.nn.quantized.dynamic
import torch.ao.quantization

from tests.torch_modules.twin import Found, normal


def description(expression: str) -> Found | None:
    """What compiling the module comes to; None where its constructor raises."""
    try:
        module = eval(expression, {"torch": torch, "nn": torch.nn})
    except Exception:
        return None
    try:
        concrete = torch.jit._recursive.get_module_concrete_type(module)
    except Exception as error:
        return Found("error", _text_of(error))
    attributes = {name: normal(kind.annotation_str) for name, (kind, _) in concrete.get_attributes().items()}
    constants = {name: normal(_constant_type(value)) for name, value in concrete.get_constants().items()}
    modules = {name: f"{type(child).__module__}.{type(child).__name__}" for name, child in module.named_children()}
    verdict, reason, schemas = "ok", "", {}
    try:
        compiled = torch.jit.script(module)._c
    except Exception as error:
        verdict, reason = "error", _text_of(error)
    else:
        texts = {name: str(compiled._get_method(name).schema) for name in compiled._method_names()}
        schemas = {name: normal(text[text.index("(") :]) for name, text in texts.items()}
    return Found(verdict, reason, attributes, constants, dict(concrete.get_constants()), modules, schemas)


def _constant_type(value: object) -> str:
    """Lists become tuples when they are constants."""
    inferred = torch._C._jit_try_infer_type(tuple(value) if isinstance(value, list) else value)
    return str(inferred.type().annotation_str) if inferred.success() else ""


def _text_of(error: BaseException) -> str:
    return f"{type(error).__name__}: {str(error).strip()}"[:300]
