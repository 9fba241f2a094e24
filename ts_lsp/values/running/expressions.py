"""Expressions, evaluated over the objects of a run.

Owns `evaluate` and tests (`condition`). Invariant: what is not modelled is `UnknownValue`; only a test that decides
which statements run is a decision of the run.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Union

from ts_lsp.records import replace
from ts_lsp.values import evaluation
from ts_lsp.values.calls import Arguments
from ts_lsp.values.constants import bounded
from ts_lsp.values.entries.texts import functions_in
from ts_lsp.values.inheritance import container_name
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    FunctionValue,
    InstanceValue,
    ModuleValue,
    SequenceValue,
    TorchValue,
    TypingValue,
    UnknownValue,
    Value,
)
from ts_lsp.values.running.objects import (
    DictObject,
    Freezer,
    ListObject,
    ModuleUnderConstruction,
    Raised,
    SuperObject,
    is_tensor,
    is_unknown,
    merged,
)
from ts_lsp.values.running.operators import LONGEST, binary, compare, formatted, iterated, subscript, tainted, truth
from ts_lsp.values.running.run import MOST_ITERATIONS, Frame
from ts_lsp.values.scopes import View

Test = Union[bool, Callable[[], bool]]
"""The outcome of a test, or the question that decides it."""
_PURE = frozenset({"abs", "bool", "float", "hasattr", "int", "isinstance", "len", "max", "min", "round", "str"})
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


def evaluate(node: ast.expr, frame: Frame) -> Value:
    """The value of an expression now."""
    frame.run.step()
    handler = _HANDLERS.get(type(node))
    return UnknownValue(f"{type(node).__name__} expression") if handler is None else handler(node, frame)


# Truth and decisions.


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
    value = frame.run.language.attribute(evaluate(node.value, frame), frame.mangled(node.attr), frame)
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
    return bounded(SequenceValue("tuple", tuple(elements))) if kind == "tuple" else ListObject(elements, kind)


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
    index = evaluate(node.slice, frame)
    is_generic = isinstance(base, (TypingValue, BuiltinValue))
    if is_generic and isinstance(node.slice, ast.Tuple):
        return evaluation.subscript(base, Freezer().value(index), several=True)
    return subscript(base, index, frame)


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
    if len(node.ops) == 1:
        return _compared(node.ops[0], left, evaluate(node.comparators[0], frame), frame)
    outcome: bool | None = True
    for symbol, comparator in zip(node.ops, node.comparators, strict=True):
        right = evaluate(comparator, frame)
        holds = UnknownValue() if is_tensor(left) or is_tensor(right) else compare(symbol, left, right)
        if holds is False:
            return ConstantValue(False)
        outcome = outcome if holds is True else None
        left = right
    return UnknownValue("comparison") if outcome is None else ConstantValue(outcome)


def _compared(symbol: ast.cmpop, left: Value, right: Value, frame: Frame) -> Value:
    """One comparison. Asked again about the same object it gives the same object, known or not."""
    if is_tensor(left) or is_tensor(right):
        return UnknownValue("comparison")
    holds = compare(symbol, left, right)
    if holds is not None:
        return ConstantValue(holds)
    if not (_is_scalar(left) and _is_scalar(right)) and not isinstance(symbol, (ast.Is, ast.IsNot)):
        return UnknownValue("comparison")
    key = (id(left), f"{type(symbol).__name__} {Freezer().value(right)!r}")
    if key not in frame.run.compared:
        frame.run.kept.append(left)
        frame.run.compared[key] = InstanceValue(BuiltinValue("bool"))
    return frame.run.compared[key]


def _is_scalar(value: Value) -> bool:
    """Whether a value is a number or text, so that comparing it gives a bool."""
    if isinstance(value, ConstantValue):
        return isinstance(value.value, (int, float, str))
    of = value.of if isinstance(value, InstanceValue) else None
    return isinstance(of, BuiltinValue) and of.name in ("int", "float", "bool", "str")


def _conditional(node: ast.expr, frame: Frame) -> Value:
    assert isinstance(node, ast.IfExp)
    test = condition(node.test, frame)
    if not isinstance(test, bool) and only_computes(node, frame):
        left, right = evaluate(node.body, frame), evaluate(node.orelse, frame)
        both = merged(left, right) or _either_number(left, right)
        if both is not None:
            return both
    return evaluate(node.body if _settled(test) else node.orelse, frame)


def only_computes(node: ast.expr, frame: Frame) -> bool:
    """Whether an expression calls nothing but functions of `math` and builtins without effect."""
    return all(_only_computes(part.func, frame) for part in ast.walk(node) if isinstance(part, ast.Call))


def _only_computes(callee: ast.expr, frame: Frame) -> bool:
    if isinstance(callee, ast.Name):
        return callee.id in _PURE
    module = evaluate(callee.value, frame) if isinstance(callee, ast.Attribute) else None
    return isinstance(module, ModuleValue) and module.name == "math"


def _either_number(left: Value, right: Value) -> Value | None:
    """One of two numbers of different types, of which at least one is not known anyway."""
    if not (is_number(left) and is_number(right)):
        return None
    both_known = isinstance(left, ConstantValue) and isinstance(right, ConstantValue)
    return None if both_known else UnknownValue("a number that depends on a condition")


def is_number(value: Value) -> bool:
    """Whether a value is certainly an int or a float."""
    if isinstance(value, ConstantValue):
        return type(value.value) in (int, float)
    return isinstance(value, InstanceValue) and value.of in (BuiltinValue("int"), BuiltinValue("float"))


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
        text = text + shown if text is not None and shown is not None and len(text) < LONGEST else None
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
    return FunctionValue("<lambda>", f"{prefix}<lambda>", frame.unit.site(node), frame, defaults=defaults)


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
    if isinstance(node.func, ast.Attribute) and node.func.attr == "define" and _define_methods(node, node.func, frame):
        return ConstantValue(None)
    callee = evaluate(node.func, frame)
    arguments = _evaluated_arguments(node, frame)
    if is_unknown(callee) and isinstance(node.func, ast.Attribute):
        receiver = node.func.value
        if isinstance(receiver, (ast.Name, ast.Attribute)):
            tainted(evaluate(receiver, frame))
    return language.call(callee, arguments, frame)


def _define_methods(node: ast.Call, callee: ast.Attribute, frame: Frame) -> bool:
    """`self.define("def f(self): ...")` of a `ScriptModule`; whether its text is known."""
    receiver, scope, unit = evaluate(callee.value, frame), frame.lexical_scope(), frame.unit
    if not isinstance(receiver, ModuleUnderConstruction) or len(node.args) != 1 or scope is None or unit is None:
        return False
    owner = receiver.of
    if not isinstance(owner, ClassValue) or owner.kind != "script_module":
        return False
    functions = functions_in(node.args[0], View(scope, scope.table.end, (), unit))
    for each in functions:
        qualname = f"{owner.qualname}.{each.name}"
        method = replace(each, qualname=qualname, owner=owner, modifiers=frozenset({"script_method"}))
        receiver.defined[each.name] = method
    return bool(functions)


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
