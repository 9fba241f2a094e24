"""What calling a Python value gives at import time.

Owns the calls that abstract evaluation understands: constructing classes, handing things to torch's compiler, making
named tuples and enums, and plain functions whose result the source shows. Invariant: nothing is executed; a function
is followed only through its bindings and `return`s.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from ts_lsp.records import dataclass, field, replace
from ts_lsp.values import constants, functional, known
from ts_lsp.values.bindings import BindingTable, body_table, leaves, parameter_names
from ts_lsp.values.decorators import decorated, decorates, with_modifier
from ts_lsp.values.evaluation import attribute, class_member, evaluate, known_attribute, linearized
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    DictValue,
    EnumMemberValue,
    FunctionNode,
    FunctionValue,
    InstanceValue,
    ModuleValue,
    PartialValue,
    ScriptedValue,
    SequenceValue,
    TorchValue,
    TracedValue,
    Unit,
    UnknownValue,
    Value,
)
from ts_lsp.values.naming import name_set
from ts_lsp.values.patching import keeps_class
from ts_lsp.values.scopes import LexicalScope, View, join, same
from ts_lsp.values.torchnames import ANNOTATE, FREEZERS, SCRIPT, TRACE
from ts_lsp.weakcache import cached_weakly

_PYTHON_MODULE = "types.ModuleType"
_OBJECT_MAKERS = name_set(
    """
    collections.defaultdict collections.deque contextlib.nullcontext contextlib.suppress contextlib.closing
    dataclasses.field enum.auto
    """
)
_KEPT_BY = ("typing.cast", "typing.assert_type")


@dataclass(frozen=True, slots=True)
class Arguments:
    """Evaluated arguments of a call; `exact` is False when a star hides some."""

    positional: tuple[Value, ...] = ()
    keywords: Mapping[str, Value] = field(default_factory=dict)
    exact: bool = True

    def get(self, index: int, name: str) -> Value | None:
        return self.positional[index] if index < len(self.positional) else self.keywords.get(name)


def call(node: ast.Call, at: View) -> Value:
    """The value of a call expression."""
    callee = evaluate(node.func, at)
    if isinstance(callee, UnknownValue):
        return UnknownValue(
            f"result of a call to {ast.unparse(node.func)}" if _short(node.func) else "result of a call"
        )
    made = apply(callee, evaluated_arguments(node, at), node, at)
    if isinstance(made, InstanceValue) and isinstance(callee, (ClassValue, TorchValue)) and made.made_by is None:
        return replace(made, made_by=(node, at))
    return made


def evaluated_arguments(node: ast.Call, at: View) -> Arguments:
    positional: list[Value] = []
    keywords: dict[str, Value] = {}
    exact = True
    for argument in node.args:
        value = evaluate(argument.value if isinstance(argument, ast.Starred) else argument, at)
        if not isinstance(argument, ast.Starred):
            positional.append(value)
        elif isinstance(value, SequenceValue):
            positional.extend(value.elements)
        else:
            exact = False
    for keyword in node.keywords:
        value = evaluate(keyword.value, at)
        if keyword.arg is not None:
            keywords[keyword.arg] = value
        else:
            exact = _spread(value, keywords) and exact
    return Arguments(tuple(positional), keywords, exact)


def apply(callee: Value, arguments: Arguments, node: ast.Call, at: View) -> Value:
    """The value of calling `callee`; `node` and `at` say where."""
    if isinstance(callee, ClassValue):
        return _construct(callee, arguments)
    if isinstance(callee, TorchValue):
        return _call_torch(callee, arguments, at)
    if isinstance(callee, BuiltinValue):
        return _call_builtin(callee, arguments, node, at)
    if isinstance(callee, FunctionValue):
        return call_function(callee, arguments, at)
    if isinstance(callee, PartialValue) and callee.kind == "self":
        return callee.of
    if isinstance(callee, PartialValue) and callee.kind == "partial":
        positional = (*callee.arguments, *arguments.positional)
        keywords = {**dict(callee.keywords), **arguments.keywords}
        return apply(callee.of, Arguments(positional, keywords, arguments.exact), node, at)
    if isinstance(callee, InstanceValue) and isinstance(callee.of, (TorchValue, BuiltinValue)):
        target = arguments.positional[0] if len(arguments.positional) == 1 and not arguments.keywords else None
        if target is not None and _is_decoratable(target):
            return decorated(target, callee, at, call_function_with)
    return UnknownValue("result of a call")


def call_function_with(function: FunctionValue, values: Sequence[Value], at: View) -> Value:
    return call_function(function, Arguments(tuple(values)), at)


def call_function(function: FunctionValue, arguments: Arguments, at: View) -> Value:
    """What a Python function returns for these arguments, as far as its bindings and `return`s show."""
    node = function.node
    made = known.RESULTS.get(f"{function.unit.module}.{function.name}")
    if made is not None:
        return InstanceValue(BuiltinValue(made))
    bound = bind(function, arguments)
    opaque = function.modifiers & {"unknown", "wrapped"} or isinstance(node, ast.AsyncFunctionDef)
    if bound is None or opaque or is_generator(node):
        return UnknownValue(f"result of {function.name}")
    budget = at.scope.interpreter.budget
    if not budget.enter_call():
        return UnknownValue("calls nested too deeply")
    function.site.is_followed = True
    try:
        scope = execution(function, bound, at)
        if isinstance(node, ast.Lambda):
            return evaluate(node.body, View(scope, scope.table.end, (), function.unit))
        return _returned(node, scope)
    finally:
        budget.leave_call()


def execution(function: FunctionValue, arguments: Mapping[str, Value], at: View) -> LexicalScope:
    """The scope of one execution of a function body."""
    node = function.node
    table = _function_table(node, function.unit)
    root = function.scope
    while not isinstance(root, LexicalScope):
        if not isinstance(root, View):
            root = at.scope.module
            break
        root = root.scope
    prefix = f"{function.qualname}.<locals>."
    return LexicalScope(
        "function", at.scope.interpreter, table, function.scope, prefix, arguments, function.owner, root.module
    )


def _function_table(node: FunctionNode, unit: Unit) -> BindingTable:
    if node not in unit.bodies:
        unit.bodies[node] = body_table([] if isinstance(node, ast.Lambda) else node.body, unit, node.args)
    return unit.bodies[node]


def _returned(node: ast.FunctionDef | ast.AsyncFunctionDef, scope: LexicalScope) -> Value:
    outcomes: list[Value | None] = []
    for placed in scope.table.statements:
        if not isinstance(placed.statement, ast.Return) or not scope.reachable(placed.path, placed.unit):
            continue
        view = View(scope, placed.position, placed.path, placed.unit)
        expression = placed.statement.value
        outcomes.append(ConstantValue(None) if expression is None else evaluate(expression, view))
        if scope.certain(placed.path, placed.unit):
            break
    else:
        if not leaves(node.body):
            outcomes.append(ConstantValue(None))
    return join(*outcomes) or UnknownValue(f"result of {node.name}")


def bind(function: FunctionValue, arguments: Arguments) -> dict[str, Value] | None:
    """Parameter names to values; None where the call does not fit the signature as far as we see."""
    signature = function.node.args
    ordinary = [argument.arg for argument in (*signature.posonlyargs, *signature.args)]
    allowed = {*ordinary, *(argument.arg for argument in signature.kwonlyargs)}
    surplus = arguments.positional[len(ordinary) :]
    extra = {name: value for name, value in arguments.keywords.items() if name not in allowed}
    if (surplus and not signature.vararg) or (extra and not signature.kwarg):
        return None
    bound = dict(function.defaults) if arguments.exact else {}
    bound.update(zip(ordinary, arguments.positional, strict=False))
    bound.update((name, value) for name, value in arguments.keywords.items() if name in allowed)
    if arguments.exact and signature.vararg:
        bound[signature.vararg.arg] = SequenceValue("tuple", surplus)
    if arguments.exact and signature.kwarg:
        bound[signature.kwarg.arg] = DictValue(tuple((ConstantValue(key), value) for key, value in extra.items()))
    for name in parameter_names(signature):
        bound.setdefault(name, UnknownValue(f"parameter {name}"))
    return bound


@cached_weakly
def is_generator(node: ast.AST) -> bool:
    pending = [node.body] if isinstance(node, ast.Lambda) else list(getattr(node, "body", ()))
    while pending:
        part = pending.pop()
        if isinstance(part, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            pending.extend(ast.iter_child_nodes(part))
    return False


def _construct(owner: ClassValue, arguments: Arguments) -> Value:
    if any(isinstance(each, BuiltinValue) and each.name == _PYTHON_MODULE for each in linearized(owner)):
        return UnknownValue("a module made by hand")
    if owner.kind == "enum":
        if len(arguments.positional) == 1:
            for member in owner.members.values():
                if isinstance(member, EnumMemberValue) and same(member.value, arguments.positional[0]):
                    return member
        return UnknownValue(f"member of {owner.name}")
    maker = class_member(owner, "__new__")
    if not arguments.exact or (isinstance(maker, FunctionValue) and (owner.kind == "plain" or not keeps_class(maker))):
        return UnknownValue(f"instance of {owner.name}")
    return InstanceValue(owner, arguments.positional, tuple(arguments.keywords.items()))


def _call_torch(callee: TorchValue, arguments: Arguments, at: View) -> Value:
    first = arguments.get(0, "obj")
    if callee.path in SCRIPT and first is not None:
        return scripted(first)
    if callee.path in TRACE:
        return _traced(arguments)
    if callee.path in FREEZERS and isinstance(arguments.get(0, "mod"), (ScriptedValue, TracedValue)):
        return arguments.positional[0] if arguments.positional else arguments.keywords["mod"]
    if callee.path in ANNOTATE:
        return arguments.get(1, "the_value") or UnknownValue("annotated value")
    if decorates(callee) and len(arguments.positional) == 1 and _is_decoratable(arguments.positional[0]):
        return decorated(arguments.positional[0], callee, at, call_function_with)
    if callee.path in known.RESULTS:
        return InstanceValue(BuiltinValue(known.RESULTS[callee.path]))
    if callee.path.startswith("math."):
        value = constants.call(callee.path, arguments.positional, arguments.keywords) if arguments.exact else None
        if value is not None and not isinstance(value, UnknownValue):
            return value
    result = None if decorates(callee) else at.scope.interpreter.torch_result(callee.path)
    if result is not None:
        return result
    if not arguments.exact:
        return InstanceValue(callee, (UnknownValue("starred arguments"),))
    return InstanceValue(callee, arguments.positional, tuple(arguments.keywords.items()))


def _traced(arguments: Arguments) -> Value:
    target, example = arguments.get(0, "func"), arguments.get(1, "example_inputs")
    if not isinstance(target, (FunctionValue, InstanceValue)) or not arguments.exact:
        return UnknownValue("traced object")
    examples = example_inputs(example)
    return TracedValue(target, examples.elements if isinstance(examples, SequenceValue) else None)


def example_inputs(example: Value | None) -> Value:
    """The tuple of inputs that `torch.jit.trace` calls with."""
    if isinstance(example, SequenceValue):
        return SequenceValue("tuple", example.elements)
    is_tensor = isinstance(example, InstanceValue) and example.of == TorchValue("torch.Tensor")
    return SequenceValue("tuple", (example,)) if is_tensor and example is not None else UnknownValue("example inputs")


def scripted(target: Value) -> Value:
    """What `torch.jit.script(target)` gives back."""
    if isinstance(target, (ScriptedValue, TracedValue, ClassValue, UnknownValue)):
        return target
    if isinstance(target, FunctionValue) and "script" in target.modifiers:
        return target
    return ScriptedValue(target)


def _is_decoratable(value: Value) -> bool:
    return isinstance(value, (FunctionValue, ClassValue))


def _call_builtin(callee: BuiltinValue, arguments: Arguments, node: ast.Call, at: View) -> Value:
    name = callee.name
    first = arguments.positional[0] if arguments.positional else None
    if name in functional.FACTORIES and arguments.exact:
        return functional.make(name, node, at)
    if name in known.RESULTS:
        return InstanceValue(BuiltinValue(known.RESULTS[name]))
    if name in _KEPT_BY:
        return arguments.get(1, "val") or UnknownValue("cast value")
    if name in ("functools.partial", "functools.partialmethod"):
        if first is None or not arguments.exact:
            return UnknownValue("partial")
        return PartialValue(first, "partial", arguments.positional[1:], tuple(arguments.keywords.items()))
    if name == "functools.update_wrapper" and isinstance(first, FunctionValue):
        wraps = InstanceValue(BuiltinValue("functools.wraps"), arguments.positional[1:2])
        return decorated(first, wraps, at, call_function_with)
    if name == "property" and isinstance(first, FunctionValue) and arguments.exact:
        getter, setter = decorated(first, callee, at, call_function_with), arguments.get(1, "fset")
        if isinstance(getter, FunctionValue) and isinstance(setter, FunctionValue):
            return replace(getter, setter=with_modifier(setter, "setter"))
        return getter
    if name == "staticmethod" and isinstance(first, TorchValue):
        return PartialValue(first, "static")
    takes_options = name == "functools.wraps" or isinstance(first, ConstantValue)
    if decorates(callee) and first is not None and len(arguments.positional) == 1 and not takes_options:
        return decorated(first, callee, at, call_function_with) if _is_decoratable(first) else UnknownValue(name)
    if name in ("getattr", "hasattr") and first is not None and len(arguments.positional) > 1:
        return _dynamic_attribute(name, arguments, at)
    if not arguments.exact:
        return InstanceValue(callee) if name in constants.TYPES else UnknownValue(f"result of {name}")
    constant = constants.call(name, arguments.positional, arguments.keywords)
    if constant is not None:
        return constant
    return ConstantValue(None) if name == "print" else _instance(callee, arguments)


def _instance(callee: BuiltinValue, arguments: Arguments) -> Value:
    if callee.name == _PYTHON_MODULE:
        return UnknownValue("a module made by hand")
    last = callee.name.rpartition(".")[2]
    makes_object = last[:1].isupper() or callee.name in constants.TYPES or callee.name in _OBJECT_MAKERS
    if makes_object or decorates(callee):
        return InstanceValue(callee, arguments.positional, tuple(arguments.keywords.items()))
    return UnknownValue(f"result of {callee.name}")


def _dynamic_attribute(name: str, arguments: Arguments, at: View) -> Value:
    owner, key = arguments.positional[:2]
    if not isinstance(key, ConstantValue) or not isinstance(key.value, str):
        return UnknownValue(f"result of {name}")
    if name == "getattr" and len(arguments.positional) == 2:
        return attribute(owner, key.value, at.scope.interpreter)
    found = known_attribute(owner, key.value, at.scope.interpreter)
    certain = isinstance(owner, ModuleValue)
    if isinstance(found, UnknownValue) or (found is None and not certain):
        return UnknownValue(f"result of {name}")
    if name == "hasattr":
        return ConstantValue(found is not None)
    return arguments.positional[2] if found is None else found


def _spread(value: Value, keywords: dict[str, Value]) -> bool:
    if not isinstance(value, DictValue):
        return False
    for key, item in value.items:
        if not isinstance(key, ConstantValue) or not isinstance(key.value, str):
            return False
        keywords[key.value] = item
    return True


def _short(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) or (isinstance(node, ast.Attribute) and _short(node.value))
