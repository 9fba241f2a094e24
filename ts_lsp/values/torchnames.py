"""The objects of torch that abstract evaluation itself understands.

Owns their paths and the modifiers torch's decorators give. Invariant: immutable tables, one public path an object.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ts_lsp.values.naming import name_set


def _of_jit(*names: str) -> frozenset[str]:
    return frozenset(f"torch.jit.{name}" for name in names)


SCRIPT = _of_jit("script")
INTERFACE = _of_jit("interface")
SCRIPT_METHOD = _of_jit("script_method")
FREEZERS = _of_jit("freeze", "optimize_for_inference", "run_frozen_optimizations")
ANNOTATE = _of_jit("annotate")
TRACE = _of_jit("trace")
TRACE_DECORATORS = frozenset({"torch.testing._internal.jit_utils._trace"})
"""Called with example inputs they give a decorator that traces. They stand in modules that are not described."""
TRANSPARENT = name_set("torch.fx.wrap torch.fx._symbolic_trace.wrap torch.compiler.assume_constant_result")
"""Decorators that take note of a function and give it back."""
SCRIPT_MODULES = _of_jit("ScriptModule", "RecursiveScriptModule")
OVERLOADS = _of_jit("_overload", "_overload_method")
MODULE = "torch.nn.Module"

MODIFIERS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(SCRIPT, "script"),
        **dict.fromkeys(_of_jit("ignore"), "ignore"),
        **dict.fromkeys(_of_jit("unused"), "unused"),
        **dict.fromkeys(_of_jit("export"), "export"),
        **dict.fromkeys(_of_jit("_drop"), "drop"),
        **dict.fromkeys(_of_jit("script_if_tracing", "_script_if_tracing"), "script_if_tracing"),
        **dict.fromkeys(SCRIPT_METHOD, "script_method"),
        **dict.fromkeys(OVERLOADS, "overload"),
        **dict.fromkeys(INTERFACE, "interface"),
    }
)
"""The modifier that each of torch's own decorators gives."""

WRAPPERS = name_set(
    """
    torch.no_grad torch.enable_grad torch.inference_mode torch.set_grad_enabled torch.compile torch.compiler.disable
    torch.compiler.allow_in_graph torch.autocast torch.cuda.amp.autocast torch.profiler.record_function
    """
)
"""Decorators in the manner of `functools.wraps`, whose own globals hold nothing of the user's."""

GENERICS: Mapping[str, str] = MappingProxyType(
    {"torch.jit.Future": "Future", "torch.jit._Await": "Await", "torch.distributed.rpc.RRef": "RRef"}
)
"""Classes of torch that annotations subscript, and the constructor they mean."""

HOMES: Mapping[str, str] = MappingProxyType({"torch._awaits._Await": "torch.jit._Await", "torch._ops.ops": "torch.ops"})
"""Where objects are defined whose modules are not described, and the path they go by."""

UNDERSTOOD = frozenset({*MODIFIERS, *WRAPPERS, *FREEZERS, *ANNOTATE, *TRACE, *SCRIPT_MODULES, *GENERICS, MODULE})
"""Everything above. These objects go by these very paths, whatever path they were reached by."""
