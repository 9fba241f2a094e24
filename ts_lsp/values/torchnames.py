"""The torch callables that abstract evaluation itself understands, by every path they are reachable under.

Owns path sets and the modifiers torch's decorators give. Invariant: immutable tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ts_lsp.values.naming import name_set

_HOMES = ("torch.jit", "torch.jit._script", "torch._jit_internal", "torch.jit._async", "torch.jit._freeze")


def _everywhere(*names: str) -> frozenset[str]:
    return frozenset(f"{home}.{name}" for home in _HOMES for name in names)


SCRIPT = _everywhere("script")
INTERFACE = _everywhere("interface")
SCRIPT_METHOD = _everywhere("script_method")
FREEZERS = _everywhere("freeze", "optimize_for_inference", "run_frozen_optimizations")
ANNOTATE = _everywhere("annotate")
SCRIPT_MODULES = _everywhere("ScriptModule", "RecursiveScriptModule")
OVERLOADS = _everywhere("_overload", "_overload_method")

MODIFIERS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(SCRIPT, "script"),
        **dict.fromkeys(_everywhere("ignore"), "ignore"),
        **dict.fromkeys(_everywhere("unused"), "unused"),
        **dict.fromkeys(_everywhere("export"), "export"),
        **dict.fromkeys(_everywhere("_drop"), "drop"),
        **dict.fromkeys(_everywhere("script_if_tracing"), "script_if_tracing"),
        **dict.fromkeys(SCRIPT_METHOD, "script_method"),
        **dict.fromkeys(OVERLOADS, "overload"),
        **dict.fromkeys(INTERFACE, "interface"),
    }
)
"""The modifier that each of torch's own decorators gives."""

WRAPPERS = name_set(
    """
    torch.no_grad torch.enable_grad torch.inference_mode torch.set_grad_enabled torch.autograd.no_grad
    torch.autograd.enable_grad torch.autograd.inference_mode torch.autograd.grad_mode.no_grad torch.compile
    torch.autograd.grad_mode.enable_grad torch.autograd.grad_mode.inference_mode torch.autograd.set_grad_enabled
    torch.autograd.grad_mode.set_grad_enabled torch.compiler.disable torch.compiler.allow_in_graph
    torch._dynamo.disable torch.autocast torch.amp.autocast torch.amp.autocast_mode.autocast torch.cuda.amp.autocast
    torch.cuda.amp.autocast_mode.autocast torch.profiler.record_function torch.autograd.profiler.record_function
    """
)
"""Decorators in the manner of `functools.wraps`, whose own globals hold nothing of the user's."""
