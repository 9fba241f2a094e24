"""What a Python expression evaluates to, as far as the source shows.

Owns `evaluate`, `attribute` and the operators on constants. Invariant: total; what is not modelled gives
`UnknownValue`, and no constant grows without bound.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from ts_lsp.values import constants
from ts_lsp.values.bindings import Assigned, Binding
from ts_lsp.values.generated import generated_function
from ts_lsp.values.known import TEST_TOOLS
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    DictValue,
    EnumMemberValue,
    FunctionValue,
    InstanceValue,
    ModuleValue,
    PartialValue,
    SequenceValue,
    TorchValue,
    TypingValue,
    UnknownValue,
    Value,
)
from ts_lsp.values.naming import name_set
from ts_lsp.values.scopes import Interpreter, LexicalScope, View, join, same
from ts_lsp.values.torchnames import GENERICS

_GENERIC_BUILTINS = {
    "list": "List",
    "dict": "Dict",
    "tuple": "Tuple",
    "set": "Set",
    "frozenset": "FrozenSet",
    "type": "Type",
    "collections.OrderedDict": "OrderedDict",
    "collections.defaultdict": "DefaultDict",
    "collections.deque": "Deque",
    "collections.Counter": "Counter",
}
_RETURN_SELF = name_set("eval train to cpu cuda half float double bfloat16 type requires_grad_ share_memory apply")


def evaluate(node: ast.expr, at: View) -> Value:
    """The value of an expression read at a point of a scope."""
    handler = _HANDLERS.get(type(node))
    if handler is None:
        return UnknownValue(f"{type(node).__name__} expression")
    budget = at.scope.interpreter.budget
    if not budget.enter():
        return UnknownValue("too much to evaluate")
    try:
        return handler(node, at)
    finally:
        budget.leave()


def alternatives(node: ast.expr, at: View) -> Iterator[Value]:
    """What an expression may evaluate to: several values where a condition that is not known chooses."""
    value = evaluate(node, at)
    if not isinstance(value, UnknownValue):
        yield value
    elif isinstance(node, ast.IfExp):
        yield from alternatives(node.body, at)
        yield from alternatives(node.orelse, at)
    elif isinstance(node, ast.BoolOp):
        for each in node.values:
            yield from alternatives(each, at)
    elif isinstance(node, ast.Name):
        scope = at.scope if node.id in at.scope.table.bindings else at.scope.module
        for binding in scope.table.bindings.get(node.id, ()):
            if scope is not at.scope or binding.position < at.position:
                yield from _bound_alternatives(scope, binding)
    else:
        yield value


def _bound_alternatives(scope: LexicalScope, binding: Binding) -> Iterator[Value]:
    source = binding.source
    if not isinstance(source, Assigned) or source.steps:
        yield scope.value(binding) or UnknownValue(binding.name)
    elif not (isinstance(source.value, ast.Name) and source.value.id == binding.name):
        yield from alternatives(source.value, View(scope, binding.position, binding.path, binding.unit))


def truth(value: Value) -> bool | None:
    """Whether a value counts as true; None if that is not known."""
    if isinstance(value, ConstantValue):
        return bool(value.value)
    if isinstance(value, SequenceValue):
        return bool(value.elements)
    if isinstance(value, DictValue):
        return bool(value.items)
    if isinstance(value, (ModuleValue, FunctionValue, ClassValue)):
        return True
    return None


def attribute(value: Value, name: str, interpreter: Interpreter) -> Value:
    """What `value.name` denotes in Python."""
    found = known_attribute(value, name, interpreter)
    return UnknownValue(f"attribute {name}") if found is None else found


def known_attribute(value: Value, name: str, interpreter: Interpreter) -> Value | None:
    """The attribute, or None where the value certainly has none or it is not modelled."""
    if isinstance(value, ModuleValue):
        return interpreter.member(value.name, name)
    if isinstance(value, TorchValue):
        return interpreter.torch_attribute(value.path, name)
    if isinstance(value, ClassValue):
        return class_member(value, name)
    if isinstance(value, EnumMemberValue):
        return {"value": value.value, "name": ConstantValue(value.name)}.get(name)
    if isinstance(value, InstanceValue):
        return _instance_attribute(value, name)
    if isinstance(value, BuiltinValue) and value.name.partition(".")[0] in TEST_TOOLS:
        return BuiltinValue(f"{value.name}.{name}")
    if isinstance(value, FunctionValue) and name == "__name__":
        return ConstantValue(value.name)
    return value if isinstance(value, UnknownValue) else None


def class_member(owner: ClassValue, name: str) -> Value | None:
    """A class attribute found in the class or its bases, nearest first; `UnknownValue` if a base hides the answer."""
    uncertain: Value | None = None
    for ancestor in linearized(owner):
        if isinstance(ancestor, ClassValue):
            member = ancestor.members.get(name)
            if member is not None:
                return uncertain or member
        elif not (isinstance(ancestor, BuiltinValue) and ancestor.name == "object"):
            uncertain = UnknownValue(f"{owner.name}.{name} may come from a base class")
    return uncertain


def linearized(owner: ClassValue) -> list[Value]:
    """The class and its bases, depth first from the left, each once: Python's order unless there are diamonds."""
    order: list[Value] = []
    pending: list[Value] = [owner]
    while pending and len(order) < 100:
        current = pending.pop()
        if not any(current is seen for seen in order):
            order.append(current)
            if isinstance(current, ClassValue):
                pending.extend(reversed(current.bases))
    return order


def _instance_attribute(value: InstanceValue, name: str) -> Value | None:
    if name in _RETURN_SELF and _is_module(value.of) and not _overrides(value.of, name):
        return PartialValue(value, "self")
    if not isinstance(value.of, ClassValue):
        return None
    if value.state is not None and name in value.state:
        return value.state[name]
    member = class_member(value.of, name)
    if isinstance(member, FunctionValue):
        if "staticmethod" in member.modifiers:
            return member
        return UnknownValue(f"property {name}") if "property" in member.modifiers else PartialValue(member, "method")
    return UnknownValue(f"attribute {name} of an instance")


def _overrides(of: Value, name: str) -> bool:
    return isinstance(of, ClassValue) and isinstance(class_member(of, name), FunctionValue)


def _is_module(of: Value) -> bool:
    """Whether instances are modules whose class keeps torch's own `eval`, `to`, ..."""
    if isinstance(of, ClassValue):
        return of.kind in ("module", "script_module")
    return isinstance(of, TorchValue) and of.path.startswith("torch.nn.")


def part_of(value: Value, steps: Sequence[int]) -> Value:
    """The part that unpacking gives a nested target."""
    for step in steps:
        parts = value.elements if isinstance(value, SequenceValue) and value.kind != "set" else ()
        value = parts[step] if step < len(parts) else UnknownValue("unpacked value")
    return value


def _constant(node: ast.expr, at: View) -> Value:
    assert isinstance(node, ast.Constant)
    return ConstantValue(node.value)


def _name(node: ast.expr, at: View) -> Value:
    assert isinstance(node, ast.Name)
    value = at.lookup(node.id)
    return UnknownValue(f"{node.id} is not defined") if value is None else value


def _attribute(node: ast.expr, at: View) -> Value:
    assert isinstance(node, ast.Attribute)
    return attribute(evaluate(node.value, at), node.attr, at.scope.interpreter)


def _elements(nodes: list[ast.expr], at: View) -> tuple[Value, ...] | None:
    values: list[Value] = []
    for node in nodes:
        if not isinstance(node, ast.Starred):
            values.append(evaluate(node, at))
            continue
        inner = evaluate(node.value, at)
        if not isinstance(inner, SequenceValue):
            return None
        values.extend(inner.elements)
    return tuple(values)


def _display(node: ast.expr, at: View) -> Value:
    assert isinstance(node, (ast.Tuple, ast.List, ast.Set))
    kind = type(node).__name__.lower()
    elements = _elements(node.elts, at)
    return InstanceValue(BuiltinValue(kind)) if elements is None else constants.bounded(SequenceValue(kind, elements))


def _dict(node: ast.expr, at: View) -> Value:
    assert isinstance(node, ast.Dict)
    items: list[tuple[Value, Value]] = []
    for key, value in zip(node.keys, node.values, strict=False):
        if key is None:
            inner = evaluate(value, at)
            if not isinstance(inner, DictValue):
                return InstanceValue(BuiltinValue("dict"))
            items.extend(inner.items)
        else:
            items.append((evaluate(key, at), evaluate(value, at)))
    return constants.bounded(DictValue(tuple(items)))


def _comprehension(node: ast.expr, at: View) -> Value:
    return at.scope.interpreter.comprehension(node, at)


def _subscript(node: ast.expr, at: View) -> Value:
    assert isinstance(node, ast.Subscript)
    base = evaluate(node.value, at)
    if isinstance(node.slice, ast.Slice):
        return UnknownValue("slice")
    index = evaluate(node.slice, at)
    if isinstance(index, ConstantValue) and isinstance(index.value, str):
        generated = generated_function(node.value, index.value, at)
        if generated is not None:
            return generated
    return subscript(base, index, isinstance(node.slice, ast.Tuple))


def subscript(base: Value, index: Value, several: bool = False) -> Value:
    """`base[index]`: a generic applied to types, or an element of a known container."""
    generic = _generic_name(base)
    if generic is not None:
        if isinstance(index, SequenceValue) and index.kind == "tuple" and (several or not index.elements):
            return TypingValue(generic, index.elements)
        return TypingValue(generic, (index,))
    position = index.value if isinstance(index, ConstantValue) and isinstance(index.value, int) else None
    if isinstance(base, SequenceValue) and position is not None and base.kind != "set":
        inside = -len(base.elements) <= position < len(base.elements)
        return base.elements[position] if inside else UnknownValue("element out of range")
    if isinstance(base, DictValue):
        for key, value in reversed(base.items):
            if same(key, index):
                return value
    if isinstance(base, ClassValue) and base.kind == "enum" and isinstance(index, ConstantValue):
        return base.members.get(str(index.value)) or UnknownValue("no such enum member")
    if isinstance(base, ClassValue) and base.kind != "enum":
        return TypingValue(base.name, index.elements if several and isinstance(index, SequenceValue) else (index,))
    return UnknownValue("element of a container")


def _generic_name(base: Value) -> str | None:
    if isinstance(base, TypingValue) and base.arguments is None:
        return base.name
    if isinstance(base, BuiltinValue):
        return _GENERIC_BUILTINS.get(base.name)
    return GENERICS.get(base.path) if isinstance(base, TorchValue) else None


_BINARY: Mapping[type[ast.operator], Callable[..., object]] = MappingProxyType(
    {
        ast.Add: operator.add,
        ast.Sub: operator.sub,
        ast.Mult: operator.mul,
        ast.Div: operator.truediv,
        ast.FloorDiv: operator.floordiv,
        ast.Mod: operator.mod,
        ast.Pow: operator.pow,
        ast.LShift: operator.lshift,
        ast.RShift: operator.rshift,
        ast.BitAnd: operator.and_,
        ast.BitOr: operator.or_,
        ast.BitXor: operator.xor,
    }
)
_COMPARISONS: Mapping[type[ast.cmpop], Callable[..., object]] = MappingProxyType(
    {
        ast.Eq: operator.eq,
        ast.NotEq: operator.ne,
        ast.Lt: operator.lt,
        ast.LtE: operator.le,
        ast.Gt: operator.gt,
        ast.GtE: operator.ge,
        ast.In: lambda left, right: left in right,
        ast.NotIn: lambda left, right: left not in right,
    }
)
_UNARY: Mapping[type[ast.unaryop], Callable[..., object]] = MappingProxyType(
    {
        ast.UAdd: operator.pos,
        ast.USub: operator.neg,
        ast.Invert: operator.invert,
    }
)


def _binary(node: ast.expr, at: View) -> Value:
    assert isinstance(node, ast.BinOp)
    return binary(node.op, evaluate(node.left, at), evaluate(node.right, at))


def binary(symbol: ast.operator, left: Value, right: Value) -> Value:
    """`left <symbol> right`: a union of types, or arithmetic on constants and known sequences."""
    if isinstance(symbol, ast.BitOr) and (_is_type(left) or _is_type(right)):
        return TypingValue("Union", (*_union_members(left), *_union_members(right)))
    function = _BINARY.get(type(symbol))
    if function is None:
        return UnknownValue("operator")
    return constants.apply(lambda values: function(values[0], values[1]), (left, right), type(symbol).__name__)


def _union_members(value: Value) -> tuple[Value, ...]:
    if isinstance(value, TypingValue) and value.name == "Union" and value.arguments is not None:
        return value.arguments
    return (value,)


def _is_type(value: Value) -> bool:
    if isinstance(value, (TypingValue, ClassValue)):
        return True
    if isinstance(value, TorchValue):
        return value.path.rpartition(".")[2][:1].isupper() or value.path in ("torch.device", "torch.dtype")
    return isinstance(value, BuiltinValue) and value.name in constants.TYPES


def _unary(node: ast.expr, at: View) -> Value:
    assert isinstance(node, ast.UnaryOp)
    operand = evaluate(node.operand, at)
    if isinstance(node.op, ast.Not):
        known = truth(operand)
        return UnknownValue("truth of an unknown value") if known is None else ConstantValue(not known)
    return unary(node.op, operand)


def unary(symbol: ast.unaryop, operand: Value) -> Value:
    """`+`, `-` or `~` before a constant."""
    function = _UNARY[type(symbol)]
    return constants.apply(lambda values: function(values[0]), (operand,), type(symbol).__name__)


def _boolean(node: ast.expr, at: View) -> Value:
    assert isinstance(node, ast.BoolOp)
    stops_at = isinstance(node.op, ast.Or)
    value: Value = UnknownValue("no operand")
    undecided: list[Value] = []
    for part in node.values:
        value = evaluate(part, at)
        known = truth(value)
        if known is stops_at and not undecided:
            return value
        if known is stops_at:
            return join(*undecided, value) or value
        if known is None:
            undecided.append(value)
    return join(*undecided, value) or value


def _compare(node: ast.expr, at: View) -> Value:
    assert isinstance(node, ast.Compare)
    left = evaluate(node.left, at)
    outcome: bool | None = True
    for symbol, comparator in zip(node.ops, node.comparators, strict=False):
        right = evaluate(comparator, at)
        holds = compare(symbol, left, right)
        if holds is False:
            return ConstantValue(False)
        outcome = None if holds is None else outcome
        left = right
    return UnknownValue("comparison") if outcome is None else ConstantValue(outcome)


def compare(symbol: ast.cmpop, left: Value, right: Value) -> bool | None:
    """Whether a comparison holds; None if that is not known."""
    if isinstance(symbol, (ast.Is, ast.IsNot)):
        identical = _identical(left, right)
        return identical if identical is None or isinstance(symbol, ast.Is) else not identical
    if isinstance(left, EnumMemberValue) and isinstance(right, EnumMemberValue):
        return {ast.Eq: left is right, ast.NotEq: left is not right}.get(type(symbol))
    function = _COMPARISONS[type(symbol)]
    value = constants.apply(lambda values: function(values[0], values[1]), (left, right), "compare")
    return bool(value.value) if isinstance(value, ConstantValue) else None


def _identical(left: Value, right: Value) -> bool | None:
    if isinstance(left, EnumMemberValue) and isinstance(right, EnumMemberValue):
        return left is right
    singleton, other = (left, right) if _is_singleton(left) else (right, left)
    if not isinstance(singleton, ConstantValue) or not _is_singleton(singleton):
        return None
    if isinstance(other, ConstantValue):
        return singleton.value is other.value
    return None if isinstance(other, (UnknownValue, InstanceValue)) else False


def _is_singleton(value: Value) -> bool:
    return isinstance(value, ConstantValue) and (value.value is None or isinstance(value.value, bool))


def _conditional(node: ast.expr, at: View) -> Value:
    assert isinstance(node, ast.IfExp)
    known = truth(evaluate(node.test, at))
    if known is not None:
        return evaluate(node.body if known else node.orelse, at)
    value = join(evaluate(node.body, at), evaluate(node.orelse, at))
    return UnknownValue("depends on a condition") if value is None else value


def _formatted(node: ast.expr, at: View) -> Value:
    assert isinstance(node, ast.JoinedStr)
    text = ""
    for part in node.values:
        if isinstance(part, ast.Constant):
            text += str(part.value)
            continue
        value = evaluate(part.value, at) if isinstance(part, ast.FormattedValue) else UnknownValue()
        plain = isinstance(part, ast.FormattedValue) and part.conversion == -1 and part.format_spec is None
        if not (plain and isinstance(value, ConstantValue)) or constants.is_long(text):
            return InstanceValue(BuiltinValue("str"))
        text += str(value.value)
    return ConstantValue(text)


def _walrus(node: ast.expr, at: View) -> Value:
    assert isinstance(node, ast.NamedExpr)
    return evaluate(node.value, at)


def _lambda(node: ast.expr, at: View) -> Value:
    assert isinstance(node, ast.Lambda)
    return at.scope.interpreter.lambda_value(node, at)


def _call(node: ast.expr, at: View) -> Value:
    assert isinstance(node, ast.Call)
    return at.scope.interpreter.call(node, at)


_HANDLERS: Mapping[type[ast.expr], Callable[[ast.expr, View], Value]] = MappingProxyType(
    {
        ast.Constant: _constant,
        ast.Name: _name,
        ast.Attribute: _attribute,
        ast.Tuple: _display,
        ast.List: _display,
        ast.Set: _display,
        ast.Dict: _dict,
        ast.ListComp: _comprehension,
        ast.SetComp: _comprehension,
        ast.DictComp: _comprehension,
        ast.GeneratorExp: _comprehension,
        ast.Subscript: _subscript,
        ast.BinOp: _binary,
        ast.UnaryOp: _unary,
        ast.BoolOp: _boolean,
        ast.Compare: _compare,
        ast.IfExp: _conditional,
        ast.JoinedStr: _formatted,
        ast.NamedExpr: _walrus,
        ast.Lambda: _lambda,
        ast.Call: _call,
    }
)
