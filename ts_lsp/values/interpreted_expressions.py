"""Expressions, evaluated over the objects of a run.

Owns `evaluate`, tests (`condition`), iteration and operators. Invariant: what is not modelled is `UnknownValue`; only a
test that decides which statements run is a decision of the run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeGuard, Union

from ts_lsp.values import evaluation
from ts_lsp.values.calls import Arguments
from ts_lsp.values.inheritance import container_name, found_members, resolution_order
from ts_lsp.values.interpreter import MOST_ITERATIONS, Frame
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    EnumMemberValue,
    FunctionValue,
    InstanceValue,
    ModuleValue,
    SequenceValue,
    TorchValue,
    UnknownValue,
    Value,
)
from ts_lsp.values.objects import (
    BoundFunction,
    DictObject,
    Freezer,
    ListObject,
    ModuleUnderConstruction,
    NativeMethod,
    PartialCall,
    PlainObject,
    Raised,
    SuperObject,
    is_none,
    is_tensor,
    is_unknown,
    merged,
)

Test = Union[bool, Callable[[], bool]]
"""The outcome of a test, or the question that decides it."""
_OBJECTS = (ListObject, DictObject, PlainObject, ModuleUnderConstruction)
_DEFINITE = (ClassValue, TorchValue, FunctionValue, BuiltinValue, ModuleValue, EnumMemberValue)
_OPPOSITES: Mapping[type[ast.cmpop], type[ast.cmpop]] = MappingProxyType(
    {
        ast.Is: ast.IsNot,
        ast.Eq: ast.NotEq,
        ast.In: ast.NotIn,
        ast.Lt: ast.GtE,
        ast.GtE: ast.Lt,
        ast.Gt: ast.LtE,
        ast.LtE: ast.Gt,
    }
)
_WIDE = re.compile(r"\d{4}")
_LONGEST = 4096


def evaluate(node: ast.expr, frame: Frame) -> Value:
    """The value of an expression now."""
    frame.run.step()
    handler = _HANDLERS.get(type(node))
    return UnknownValue(f"{type(node).__name__} expression") if handler is None else handler(node, frame)


# Truth and decisions.


def truth(value: Value) -> bool | None:
    """Whether a value counts as true; None if that is not known."""
    if isinstance(value, ListObject):
        return bool(value.elements) if value.is_known else None
    if isinstance(value, DictObject):
        return bool(value.entries) if value.is_known else None
    if isinstance(value, ModuleUnderConstruction):
        elements = container_elements(value)
        return True if elements is None else bool(elements)
    if isinstance(value, PlainObject):
        order = resolution_order(value.of)
        has_own = any(True for name in ("__bool__", "__len__") for _ in found_members(order, name))
        return None if has_own else True
    if isinstance(value, (BoundFunction, NativeMethod, PartialCall, EnumMemberValue)):
        return True
    if isinstance(value, (TorchValue, BuiltinValue)):
        return True
    return evaluation.truth(value)


def condition(node: ast.expr, frame: Frame) -> Test:
    """A test: its outcome where it is known, else the question to ask."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = condition(node.operand, frame)
        return not inner if isinstance(inner, bool) else lambda: not inner()
    if isinstance(node, ast.BoolOp):
        return _connected(node.values, isinstance(node.op, ast.Or), frame)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return _comparison(node, frame)
    value = evaluate(node, frame)
    known = truth(value)
    return known if known is not None else lambda: _asked_truth(node, value, frame)


def _connected(parts: Sequence[ast.expr], stops_at: bool, frame: Frame) -> Test:
    for index, part in enumerate(parts):
        test = condition(part, frame)
        if not isinstance(test, bool):
            question, rest = test, parts[index + 1 :]
            return lambda: stops_at if question() is stops_at else _settled(_connected(rest, stops_at, frame))
        if test is stops_at:
            return stops_at
    return not stops_at


def _settled(test: Test) -> bool:
    return test if isinstance(test, bool) else test()


def _asked_truth(node: ast.expr, value: Value, frame: Frame) -> bool:
    text = _short(node)
    is_name = isinstance(node, (ast.Name, ast.Attribute))
    labels = (f"when `{text}=True`", f"when `{text}=False`") if is_name else (f"when `{text}`", f"when `not {text}`")
    outcome = frame.run.ask(value, "truth", *labels)
    is_flag = isinstance(value, InstanceValue) and value.of == BuiltinValue("bool")
    if isinstance(node, ast.Name) and is_flag:
        frame.bind(node.id, ConstantValue(outcome))
    return outcome


def _comparison(node: ast.Compare, frame: Frame) -> Test:
    left, right = evaluate(node.left, frame), evaluate(node.comparators[0], frame)
    symbol = node.ops[0]
    known = compare(symbol, left, right)
    if known is not None:
        return known
    negated = isinstance(symbol, (ast.IsNot, ast.NotEq, ast.NotIn))
    described = Freezer().value(right)
    question = f"{type(symbol).__name__.replace('Not', '')} {described!r}"
    positive = {ast.IsNot: ast.Is, ast.NotEq: ast.Eq, ast.NotIn: ast.In}.get(type(symbol), type(symbol))()
    opposite = _OPPOSITES.get(type(positive), type(positive))()
    labels = [f"when `{_short(ast.Compare(node.left, [each], node.comparators))}`" for each in (positive, opposite)]

    def asked() -> bool:
        outcome = frame.run.ask(left, question, labels[0], labels[1])
        settles = isinstance(positive, ast.Is) or (
            isinstance(positive, ast.Eq) and isinstance(right, ConstantValue) and isinstance(right.value, str)
        )
        if isinstance(node.left, ast.Name) and outcome and settles and isinstance(right, ConstantValue):
            frame.bind(node.left.id, right)
        return outcome is not negated

    return asked


def _short(node: ast.expr) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 60 else f"{text[:57]}..."


def equal(left: Value, right: Value) -> bool | None:
    """Whether `left == right`; None if that is not known."""
    if left is right and not is_unknown(left):
        return True
    if isinstance(left, _DEFINITE) and isinstance(right, _DEFINITE):
        return left == right
    plain = (ConstantValue, SequenceValue)
    if (isinstance(left, _DEFINITE) and isinstance(right, plain)) or (
        isinstance(right, _DEFINITE) and isinstance(left, plain)
    ):
        return None if isinstance(left, (TorchValue, EnumMemberValue)) or isinstance(right, TorchValue) else False
    if is_none(left) or is_none(right):
        return identical(left, right)
    return evaluation.compare(ast.Eq(), Freezer().value(left), Freezer().value(right))


def identical(left: Value, right: Value) -> bool | None:
    if isinstance(left, _OBJECTS) or isinstance(right, _OBJECTS):
        other = right if isinstance(left, _OBJECTS) else left
        return None if is_unknown(other) else left is right
    if isinstance(left, _DEFINITE) and isinstance(right, _DEFINITE):
        return left == right
    for one, other in ((left, right), (right, left)):
        if is_none(one) and (is_certain_object(other) or isinstance(other, _DEFINITE)):
            return False
    return evaluation.compare(ast.Is(), left, right)


def is_certain_object(value: Value) -> bool:
    """Whether a value, though not known, is certainly not None."""
    if isinstance(value, (BoundFunction, NativeMethod, PartialCall)):
        return True
    return isinstance(value, InstanceValue) and (isinstance(value.of, (BuiltinValue, ClassValue)) or is_tensor(value))


def compare(symbol: ast.cmpop, left: Value, right: Value) -> bool | None:
    """Whether a comparison holds; None if that is not known."""
    outcome: bool | None
    if isinstance(symbol, (ast.Eq, ast.NotEq)):
        outcome = equal(left, right)
    elif isinstance(symbol, (ast.Is, ast.IsNot)):
        outcome = identical(left, right)
    elif isinstance(symbol, (ast.In, ast.NotIn)):
        outcome = _contains(right, left)
    else:
        return evaluation.compare(symbol, Freezer().value(left), Freezer().value(right))
    negated = isinstance(symbol, (ast.NotEq, ast.IsNot, ast.NotIn))
    return outcome if outcome is None or not negated else not outcome


def _contains(container: Value, value: Value) -> bool | None:
    if isinstance(container, DictObject):
        if container.get(value) is not None:
            return True
        return None if is_unknown(value) or not container.is_known else False
    if isinstance(container, ModuleUnderConstruction):
        names = container.modules.entries if container.is_complete else None
        return (
            None if names is None or not isinstance(value, ConstantValue) else container.modules.get(value) is not None
        )
    if isinstance(container, (ListObject, SequenceValue)):
        if isinstance(container, ListObject) and not container.is_known:
            return None
        outcomes = [equal(each, value) for each in container.elements]
        return True if True in outcomes else None if None in outcomes else False
    return evaluation.compare(ast.In(), Freezer().value(value), Freezer().value(container))


# Containers.


def container_elements(module: ModuleUnderConstruction) -> list[Value] | None:
    """What iterating one of torch's containers gives; None for other modules."""
    name = next((n for n in map(_container_name, resolution_order(module.of)) if n), "")
    if not name:
        return None
    table = module.parameters if name.startswith("Parameter") else module.modules
    pairs = list(table.pairs())
    return [key for key, _ in pairs] if name.endswith("Dict") else [value for _, value in pairs]


def _container_name(value: Value) -> str:
    return container_name(value.path) if isinstance(value, TorchValue) else ""


def iterated(value: Value, frame: Frame) -> Sequence[Value] | None:
    """What iterating a value gives; None if that is not known."""
    if isinstance(value, ListObject):
        return tuple(value.elements) if value.is_known else None
    if isinstance(value, SequenceValue):
        return tuple(frame.run.thaw(each, frame) for each in value.elements)
    if isinstance(value, DictObject):
        return [key for key, _ in value.pairs()] if value.is_known else None
    if isinstance(value, ConstantValue) and isinstance(value.value, str):
        return [ConstantValue(character) for character in value.value]
    if isinstance(value, ModuleUnderConstruction):
        own = next((member for _, member in found_members(resolution_order(value.of), "__iter__")), None)
        return container_elements(value) if own is None and value.is_complete else None
    if isinstance(value, ClassValue) and value.kind == "enum":
        return [each for each in value.members.values() if isinstance(each, EnumMemberValue)]
    return None


def tainted(value: Value, depth: int = 0) -> None:
    """Code that is not known had its hands on a value: what it holds is not known any more."""
    if depth > 3:
        return
    if isinstance(value, ListObject):
        value.is_known = False
        for each in value.elements:
            tainted(each, depth + 1)
    elif isinstance(value, (DictObject, PlainObject)):
        value.is_known = False
        inner = [item for _, item in value.pairs()] if isinstance(value, DictObject) else value.attributes.values()
        for each in inner:
            tainted(each, depth + 1)
    elif isinstance(value, ModuleUnderConstruction):
        value.is_complete = False
    elif isinstance(value, SequenceValue):
        for each in value.elements:
            tainted(each, depth + 1)
    elif isinstance(value, (BoundFunction, NativeMethod, SuperObject)):
        tainted(value.receiver, depth + 1)


# Operators.


def binary(symbol: ast.operator, left: Value, right: Value, frame: Frame) -> Value:
    """`left <symbol> right`."""
    if isinstance(symbol, ast.Add) and isinstance(left, ListObject) and isinstance(right, ListObject):
        known = left.is_known and right.is_known
        return ListObject([*left.elements, *right.elements], left.kind, known)
    if isinstance(symbol, ast.Add) and _is_tuple(left) and _is_tuple(right):
        return SequenceValue("tuple", (*left.elements, *right.elements))
    if isinstance(symbol, ast.Mult):
        for sequence, count in ((left, right), (right, left)):
            repeated = _repeated(sequence, count)
            if repeated is not None:
                return repeated
    if isinstance(symbol, ast.Mod) and isinstance(left, ConstantValue) and isinstance(left.value, str):
        return _percent(left.value, right)
    if any(isinstance(each, (PlainObject, ModuleUnderConstruction)) for each in (left, right)):
        return UnknownValue("operator of a class")
    if is_tensor(left) or is_tensor(right):
        return InstanceValue(TorchValue("torch.Tensor"))
    frozen = Freezer()
    return frame.run.thaw(evaluation.binary(symbol, frozen.value(left), frozen.value(right)), frame)


def _is_tuple(value: Value) -> TypeGuard[SequenceValue]:
    return isinstance(value, SequenceValue) and value.kind == "tuple"


def _repeated(sequence: Value, count: Value) -> Value | None:
    if not isinstance(count, ConstantValue) or not isinstance(count.value, int):
        return None
    if not isinstance(sequence, (ListObject, SequenceValue)):
        return None
    if len(sequence.elements) * count.value > _LONGEST:
        return InstanceValue(BuiltinValue(sequence.kind))
    if isinstance(sequence, ListObject):
        return ListObject(sequence.elements * count.value, sequence.kind, sequence.is_known)
    return SequenceValue(sequence.kind, sequence.elements * count.value)


def augmented(symbol: ast.operator, current: Value, value: Value) -> Value | None:
    """What `current <symbol>= value` gives where it changes the object in place; None where it is a new one."""
    if not isinstance(symbol, ast.Add):
        return None
    elements = value.elements if isinstance(value, (ListObject, SequenceValue)) else None
    known = elements is not None and not (isinstance(value, ListObject) and not value.is_known)
    if isinstance(current, ListObject):
        current.elements.extend(elements or ())
        current.is_known = current.is_known and known
        return current
    if isinstance(current, ModuleUnderConstruction) and container_elements(current) is not None:
        if isinstance(value, ModuleUnderConstruction):
            elements, known = container_elements(value) or (), True
        for each in elements or ():
            current.assign(str(len(current.modules.entries)), each)
        current.is_complete = current.is_complete and known
        return current
    return None


def _percent(text: str, value: Value) -> Value:
    parts = value.elements if isinstance(value, SequenceValue) else (value,)
    constants = tuple(part.value for part in parts if isinstance(part, ConstantValue))
    if len(constants) == len(parts) and not _WIDE.search(text) and "*" not in text:
        try:
            return ConstantValue(text % constants)
        except (TypeError, ValueError):
            raise Raised("TypeError") from None
    return InstanceValue(BuiltinValue("str"))


def formatted(value: Value, conversion: int = -1, specification: str = "") -> str | None:
    """What a constant looks like in an f-string; None for what is not known."""
    if not isinstance(value, ConstantValue) or _WIDE.search(specification):
        return None
    shown: object = value.value
    if conversion != -1:
        shown = ascii(shown) if conversion == ord("a") else repr(shown) if conversion == ord("r") else str(shown)
    try:
        return format(shown, specification)
    except (TypeError, ValueError):
        raise Raised("ValueError") from None


def subscript(base: Value, index: Value, frame: Frame) -> Value:
    """`base[index]`."""
    if isinstance(base, DictObject):
        return _dict_item(base, index, frame)
    if isinstance(base, ModuleUnderConstruction):
        return _child(base, index)
    if isinstance(base, PlainObject):
        for _, member in found_members(resolution_order(base.of), "__getitem__"):
            if isinstance(member, FunctionValue):
                return frame.run.language.call(BoundFunction(member, base), Arguments((index,)), frame)
        return UnknownValue("element of an object")
    if isinstance(base, ListObject):
        if not base.is_known:
            return UnknownValue("element of a list")
        base = SequenceValue("tuple", tuple(base.elements))
    if isinstance(base, (SequenceValue, ConstantValue)) and isinstance(index, ConstantValue):
        length = len(base.elements) if isinstance(base, SequenceValue) else None
        if isinstance(base, ConstantValue) and isinstance(base.value, str):
            length = len(base.value)
        if length is not None and isinstance(index.value, int):
            if not -length <= index.value < length:
                raise Raised("IndexError")
            if isinstance(base, ConstantValue):
                return ConstantValue(str(base.value)[index.value])
    return frame.run.thaw(evaluation.subscript(base, Freezer().value(index)), frame)


def _dict_item(base: DictObject, index: Value, frame: Frame) -> Value:
    found = base.get(index)
    if found is not None:
        return found
    if is_unknown(index) or not base.is_known or isinstance(index, InstanceValue):
        return UnknownValue("element of a dict")
    if base.factory is None:
        raise Raised("KeyError")
    made = frame.run.language.call(base.factory, Arguments(), frame)
    base.set(index, made)
    return made


def _child(base: ModuleUnderConstruction, index: Value) -> Value:
    if container_elements(base) is None or not isinstance(index, ConstantValue) or not base.is_complete:
        return UnknownValue("element of a module")
    table = base.modules if base.modules.entries else base.parameters
    values = [value for _, value in table.pairs()]
    if isinstance(index.value, int):
        if not -len(values) <= index.value < len(values):
            raise Raised("IndexError")
        return values[index.value]
    return table.get(index) or UnknownValue("element of a module")


def _sliced(base: Value, node: ast.Slice, frame: Frame) -> Value:
    bounds: list[int | None] = []
    for part in (node.lower, node.upper, node.step):
        value = evaluate(part, frame) if part is not None else ConstantValue(None)
        if not isinstance(value, ConstantValue) or not isinstance(value.value, (int, type(None))) or value.value == 0.5:
            return UnknownValue("slice")
        bounds.append(value.value)
    if bounds[2] == 0:
        raise Raised("ValueError")
    span = slice(*bounds)
    if isinstance(base, ListObject):
        return ListObject(base.elements[span], base.kind, base.is_known) if base.is_known else UnknownValue("slice")
    if isinstance(base, SequenceValue) and base.kind == "tuple":
        return SequenceValue("tuple", base.elements[span])
    if isinstance(base, ConstantValue) and isinstance(base.value, str):
        return ConstantValue(base.value[span])
    if isinstance(base, ModuleUnderConstruction) and isinstance(base.of, TorchValue):
        kind = container_name(base.of.path)
        kept: Value = ListObject([value for _, value in list(base.modules.pairs())[span]])
        if kind == "Sequential":
            kept = DictObject(dict(list(base.modules.entries.items())[span]))
        if kind in ("Sequential", "ModuleList") and base.is_complete:
            return frame.run.language.call(base.of, Arguments((kept,)), frame)
    return UnknownValue("slice")


# One function a kind of expression.


def _constant(node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.Constant)
    return ConstantValue(node.value)


def _name(node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.Name)
    if node.id == "__class__":
        method = frame.method_frame()
        owner = method.function.owner if method is not None and method.function is not None else None
        return owner if owner is not None else UnknownValue("__class__")
    return frame.find(node.id)


def _attribute(node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.Attribute)
    value = frame.run.language.attribute(evaluate(node.value, frame), node.attr, frame)
    constant = frame.run.world.torch_constant(value.path) if isinstance(value, TorchValue) else None
    return value if constant is None else constant


def _elements(nodes: Sequence[ast.expr], frame: Frame) -> list[Value] | None:
    values: list[Value] = []
    known = True
    for node in nodes:
        if not isinstance(node, ast.Starred):
            values.append(evaluate(node, frame))
            continue
        inner = iterated(evaluate(node.value, frame), frame)
        known = known and inner is not None
        values.extend(inner or ())
    return values if known else None


def _display(node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, (ast.Tuple, ast.List, ast.Set))
    kind = type(node).__name__.lower()
    elements = _elements(node.elts, frame)
    if elements is None:
        return InstanceValue(BuiltinValue("tuple")) if kind == "tuple" else ListObject([], kind, False)
    return SequenceValue("tuple", tuple(elements)) if kind == "tuple" else ListObject(elements, kind)


def _dict(node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.Dict)
    made = DictObject()
    for key, value in zip(node.keys, node.values, strict=True):
        if key is not None:
            made.set(evaluate(key, frame), evaluate(value, frame))
            continue
        inner = evaluate(value, frame)
        if isinstance(inner, DictObject):
            made.is_known = made.is_known and inner.is_known
            for name, item in inner.pairs():
                made.set(name, item)
        else:
            made.is_known = False
    return made


def _comprehension(node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp))
    kind = {ast.ListComp: "list", ast.SetComp: "set"}.get(type(node), "generator")
    inner = Frame(frame.run, frame, frame.unit)
    if isinstance(node, ast.DictComp):
        made = DictObject()

        def add_pair() -> None:
            made.set(evaluate(node.key, inner), evaluate(node.value, inner))

        made.is_known = _generated(node.generators, inner, add_pair) and made.is_known
        return made
    elements: list[Value] = []
    element = node.elt
    known = _generated(node.generators, inner, lambda: elements.append(evaluate(element, inner)))
    return ListObject(elements, kind, known)


def _generated(generators: Sequence[ast.comprehension], frame: Frame, add: Callable[[], None]) -> bool:
    """Runs the `for`s of a comprehension; False where one of them cannot be followed."""
    if not generators:
        add()
        return True
    first = generators[0]
    elements = iterated(evaluate(first.iter, frame), frame)
    if elements is None or len(elements) > MOST_ITERATIONS:
        return False
    known = True
    for element in elements:
        bind_target(first.target, element, frame)
        if all(_settled(condition(test, frame)) for test in first.ifs):
            known = _generated(generators[1:], frame, add) and known
    return known


def bind_target(target: ast.expr, value: Value, frame: Frame) -> None:
    """Binds the names of a comprehension's target."""
    if isinstance(target, ast.Name):
        frame.names[target.id] = value
    elif isinstance(target, (ast.Tuple, ast.List)):
        parts = iterated(value, frame)
        fits = parts is not None and len(parts) == len(target.elts)
        for index, each in enumerate(target.elts):
            bind_target(each, parts[index] if parts is not None and fits else UnknownValue("unpacked value"), frame)


def _subscript(node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.Subscript)
    base = evaluate(node.value, frame)
    if isinstance(node.slice, ast.Slice):
        return _sliced(base, node.slice, frame)
    return subscript(base, evaluate(node.slice, frame), frame)


def _binary(node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.BinOp)
    return binary(node.op, evaluate(node.left, frame), evaluate(node.right, frame), frame)


def _unary(node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.UnaryOp)
    operand = evaluate(node.operand, frame)
    if isinstance(node.op, ast.Not):
        known = truth(operand)
        return InstanceValue(BuiltinValue("bool")) if known is None else ConstantValue(not known)
    if is_tensor(operand):
        return InstanceValue(TorchValue("torch.Tensor"))
    return evaluation.unary(node.op, Freezer().value(operand))


def _boolean(node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.BoolOp)
    stops_at = isinstance(node.op, ast.Or)
    possible: list[Value] = []
    for index, part in enumerate(node.values):
        value = evaluate(part, frame)
        known = truth(value)
        if known is not (not stops_at) or index == len(node.values) - 1:
            possible.append(value)
        if known is stops_at:
            break
    result: Value | None = possible[0]
    for each in possible[1:]:
        result = merged(result, each) if result is not None else None
    return UnknownValue("depends on a condition") if result is None else result


def _compare(node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.Compare)
    left = evaluate(node.left, frame)
    outcome: bool | None = True
    for symbol, comparator in zip(node.ops, node.comparators, strict=True):
        right = evaluate(comparator, frame)
        holds = UnknownValue() if is_tensor(left) or is_tensor(right) else compare(symbol, left, right)
        if holds is False:
            return ConstantValue(False)
        outcome = outcome if holds is True else None
        left = right
    return UnknownValue("comparison") if outcome is None else ConstantValue(outcome)


def _conditional(node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.IfExp)
    test = condition(node.test, frame)
    if not isinstance(test, bool) and not any(isinstance(part, ast.Call) for part in ast.walk(node)):
        both = merged(evaluate(node.body, frame), evaluate(node.orelse, frame))
        if both is not None:
            return both
    return evaluate(node.body if _settled(test) else node.orelse, frame)


def _formatted(node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.JoinedStr)
    text: str | None = ""
    for part in node.values:
        shown: str | None = None
        if isinstance(part, ast.Constant):
            shown = str(part.value)
        elif isinstance(part, ast.FormattedValue):
            value = evaluate(part.value, frame)
            written = evaluate(part.format_spec, frame) if part.format_spec is not None else ConstantValue("")
            if isinstance(written, ConstantValue):
                shown = formatted(value, part.conversion, str(written.value))
        text = text + shown if text is not None and shown is not None and len(text) < _LONGEST else None
    return InstanceValue(BuiltinValue("str")) if text is None else ConstantValue(text)


def _walrus(node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.NamedExpr)
    value = evaluate(node.value, frame)
    frame.function_frame().bind(node.target.id, value)
    return value


def _lambda(node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.Lambda)
    function = frame.function_frame().function
    prefix = f"{function.qualname}.<locals>." if function is not None else ""
    defaults = evaluated_defaults(node.args, frame)
    if frame.unit is None:
        return UnknownValue("lambda")
    return FunctionValue("<lambda>", f"{prefix}<lambda>", node, frame.unit, frame, defaults=defaults)


def evaluated_defaults(signature: ast.arguments, frame: Frame) -> dict[str, Value]:
    """The defaults of a function defined now, by parameter name."""
    ordinary = [*signature.posonlyargs, *signature.args]
    pairs = list(zip(ordinary[len(ordinary) - len(signature.defaults) :], signature.defaults, strict=True))
    named = [*pairs, *zip(signature.kwonlyargs, signature.kw_defaults, strict=True)]
    return {parameter.arg: evaluate(default, frame) for parameter, default in named if default is not None}


def _call(node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.Call)
    language = frame.run.language
    if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
        return _zero_argument_super(frame)
    callee = evaluate(node.func, frame)
    arguments = _evaluated_arguments(node, frame)
    if is_unknown(callee) and isinstance(node.func, ast.Attribute):
        receiver = node.func.value
        if isinstance(receiver, (ast.Name, ast.Attribute)):
            tainted(evaluate(receiver, frame))
    return language.call(callee, arguments, frame)


def _zero_argument_super(frame: Frame) -> Value:
    method = frame.method_frame()
    if method is None or method.function is None or method.function.owner is None or method.receiver is None:
        return UnknownValue("super()")
    return SuperObject(method.function.owner, method.receiver)


def _evaluated_arguments(node: ast.Call, frame: Frame) -> Arguments:
    positional = _elements(node.args, frame)
    keywords: dict[str, Value] = {}
    exact = positional is not None
    for keyword in node.keywords:
        value = evaluate(keyword.value, frame)
        if keyword.arg is not None:
            keywords[keyword.arg] = value
        elif isinstance(value, DictObject) and value.is_known:
            keywords.update(value.named())
        else:
            exact = False
    return Arguments(tuple(positional or ()), keywords, exact)


def _yield(node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, (ast.Yield, ast.YieldFrom))
    target = frame.function_frame().yielded
    value = evaluate(node.value, frame) if node.value is not None else ConstantValue(None)
    if target is not None and isinstance(node, ast.Yield):
        target.elements.append(value)
    elif target is not None:
        inner = iterated(value, frame)
        target.elements.extend(inner or ())
        target.is_known = target.is_known and inner is not None
    return UnknownValue("sent value")


_HANDLERS: Mapping[type[ast.expr], Callable[[ast.expr, Frame], Value]] = MappingProxyType(
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
        ast.Yield: _yield,
        ast.YieldFrom: _yield,
    }
)
