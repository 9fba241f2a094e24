"""The names of torch's modules as completions offer them.

Owns `TorchName` and `names_in`. Invariant: made once for a torch version and module; one without `why_not` is a name
that the compiler takes.
"""

from __future__ import annotations

from ts_lsp.records import dataclass
from ts_lsp.torchdata import objects
from ts_lsp.torchdata.loader import TorchData
from ts_lsp.types.display import schema_text
from ts_lsp.types.model import Type
from ts_lsp.weakcache import cached_weakly

_CLASS_KINDS = frozenset({"exception", "context", "script_class", "legacy_tensor", "tensor", "namedtuple"})


@dataclass(frozen=True, slots=True)
class TorchName:
    """A name in a module. `kind` is that of a completion; `detail` the first schema as torch prints it, or the type."""

    name: str
    path: str
    kind: str
    detail: str = ""
    operator: str = ""
    result: Type | None = None
    why_not: str = ""


@cached_weakly
def _tables(torch: TorchData) -> dict[str, tuple[TorchName, ...]]:
    return {}


def names_in(torch: TorchData, module: str) -> tuple[TorchName, ...]:
    """The names of a module of torch, math and the like, sorted; empty for modules torch's data do not know."""
    known = _tables(torch)
    if module not in known:
        names = sorted(each for each in torch.members(module) or () if not each.startswith("__"))
        found = (_name(torch, module, each) for each in names)
        known[module] = tuple(each for each in found if each is not None)
    return known[module]


def _name(torch: TorchData, module: str, name: str) -> TorchName | None:
    path = f"{module}.{name}"
    found = torch.python_object(path)
    if isinstance(found, objects.BuiltinOperator):
        texts = torch.schema_texts(found.op)
        if not texts:
            return TorchName(name, path, "function", operator=found.op, why_not=f"there is no operator {found.op}")
        more = f" (+{len(texts) - 1} overloads)" if len(texts) > 1 else ""
        return TorchName(name, path, "function", texts[0] + more, found.op)
    if isinstance(found, objects.ScriptFunction):
        if found.refusal is not None or not found.schemas:
            return TorchName(name, path, "function", why_not=found.refusal or "it does not compile")
        schema = found.schemas[0]
        return TorchName(name, path, "function", schema_text(schema), result=schema.returns[0].type)
    if isinstance(found, objects.BooleanDispatch):
        inner = torch.python_object(found.if_true if found.default else found.if_false)
        schemas = inner.schemas if isinstance(inner, objects.ScriptFunction) else ()
        return TorchName(name, path, "function", schema_text(schemas[0]) if schemas else "")
    if isinstance(found, objects.TorchConstant):
        return TorchName(name, path, "constant", found.kind)
    if isinstance(found, objects.TorchModule):
        return TorchName(name, path, "module") if torch.members(path) else None
    if isinstance(found, objects.TorchClass):
        return _class(torch, name, path, found)
    if isinstance(found, objects.CustomClass):
        return TorchName(name, path, "class")
    if isinstance(found, objects.SpecialForm):
        return TorchName(name, path, "function", "special form")
    if isinstance(found, objects.OpaqueObject) and found.category == "python_builtin":
        return TorchName(name, path, "function", why_not="a Python builtin that the compiler does not know")
    return None


def _class(torch: TorchData, name: str, path: str, found: objects.TorchClass) -> TorchName | None:
    if found.annotation is None and found.operator is not None and not torch.has_operator(found.operator):
        return TorchName(name, path, "class", why_not=f"there is no operator {found.operator}")
    if found.operator is not None or found.annotation is not None or found.kind in _CLASS_KINDS:
        return TorchName(name, path, "class", why_not=found.refusal or "")
    if found.kind == "module":
        return TorchName(name, path, "class", why_not="modules are made outside of compiled code")
    return None
