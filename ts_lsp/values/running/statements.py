"""Statements, executed one after the other.

Owns `execute`. Invariant: after statements that cannot be followed, everything they may have changed is unknown.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from ts_lsp.records import replace
from ts_lsp.syntax.walking import walk_statements
from ts_lsp.values.calls import Arguments
from ts_lsp.values.inheritance import found_members, is_constant_of, resolution_order
from ts_lsp.values.model import (
    BuiltinValue,
    ClassValue,
    ConstantValue,
    FunctionValue,
    InstanceValue,
    TorchValue,
    UnknownValue,
    Value,
)
from ts_lsp.values.naming import name_set
from ts_lsp.values.running.attributes import READING, adopt
from ts_lsp.values.running.expressions import condition, evaluated_defaults, only_computes
from ts_lsp.values.running.objects import (
    DictObject,
    ListObject,
    ModuleUnderConstruction,
    NativeMethod,
    PlainObject,
    Raised,
    is_tensor,
    merged,
)
from ts_lsp.values.running.operators import augmented, binary, iterated, tainted
from ts_lsp.values.running.run import MOST_ITERATIONS, Exhausted, Frame
from ts_lsp.values.scopes import UNBOUND

_IDLE_CALLS = name_set("warnings logging logger log _logger _LOG print warn rank_zero_warn rank_zero_info")
_SCALARS = name_set("int float bool str")
_TABLES = name_set("_parameters _buffers _modules __dict__")


def execute(body: Sequence[ast.stmt], frame: Frame) -> str:
    """Runs statements. How they end: empty at the end of the block, `return`, `break` or `continue`."""
    for statement in body:
        frame.run.step()
        handler = _HANDLERS.get(type(statement))
        ended = handler(statement, frame) if handler is not None else ""
        if ended:
            return ended
    return ""


def _expression(node: ast.stmt, frame: Frame) -> str:
    assert isinstance(node, ast.Expr)
    frame.run.language.evaluate(node.value, frame)
    return ""


def _assign(node: ast.stmt, frame: Frame) -> str:
    assert isinstance(node, ast.Assign)
    value = frame.run.language.evaluate(node.value, frame)
    for target in node.targets:
        store(target, value, frame)
    return ""


def _annotated(node: ast.stmt, frame: Frame) -> str:
    assert isinstance(node, ast.AnnAssign)
    if node.value is not None:
        store(node.target, frame.run.language.evaluate(node.value, frame), frame)
    return ""


def _augmented(node: ast.stmt, frame: Frame) -> str:
    assert isinstance(node, ast.AugAssign)
    language = frame.run.language
    target = node.target
    reading: ast.expr
    if isinstance(target, ast.Name):
        reading = ast.Name(target.id, ast.Load())
    elif isinstance(target, ast.Attribute):
        reading = ast.Attribute(target.value, target.attr, ast.Load())
    else:
        reading = ast.Subscript(target.value, target.slice, ast.Load())
    current = language.evaluate(reading, frame)
    value = language.evaluate(node.value, frame)
    changed = augmented(node.op, current, value)
    store(target, binary(node.op, current, value, frame) if changed is None else changed, frame)
    return ""


def store(target: ast.expr, value: Value, frame: Frame) -> None:
    """Assigns to a target."""
    if isinstance(target, ast.Name):
        frame.bind(target.id, value)
    elif isinstance(target, ast.Attribute):
        set_attribute(frame.run.language.evaluate(target.value, frame), frame.mangled(target.attr), value, frame)
    elif isinstance(target, ast.Subscript):
        _set_item(target, value, frame)
    elif isinstance(target, ast.Starred):
        store(target.value, value, frame)
    elif isinstance(target, (ast.Tuple, ast.List)):
        for part, each in zip(target.elts, _unpacked(target.elts, value, frame), strict=True):
            store(part, each, frame)


def _unpacked(targets: Sequence[ast.expr], value: Value, frame: Frame) -> list[Value]:
    elements = iterated(value, frame)
    if elements is None:
        return [UnknownValue("unpacked value") for _ in targets]
    star = next((index for index, each in enumerate(targets) if isinstance(each, ast.Starred)), None)
    if star is None:
        if len(elements) != len(targets):
            raise Raised("ValueError")
        return list(elements)
    after = len(targets) - star - 1
    if len(elements) < star + after:
        raise Raised("ValueError")
    middle = ListObject(list(elements[star : len(elements) - after]))
    return [*elements[:star], middle, *(elements[len(elements) - after :] if after else [])]


def set_attribute(owner: Value, name: str, value: Value, frame: Frame) -> None:
    """`owner.name = value`."""
    if isinstance(owner, (ModuleUnderConstruction, PlainObject)) and _set_through_class(owner, name, value, frame):
        return
    if isinstance(owner, ModuleUnderConstruction):
        if name in _TABLES:
            tainted(owner)
        adopt(owner, name, frame)
        owner.assign(name, _decided(owner, name, value, frame))
    elif isinstance(owner, PlainObject):
        owner.attributes[name] = value


def _decided(owner: ModuleUnderConstruction, name: str, value: Value, frame: Frame) -> Value:
    """A flag that the compiled module has as a constant is on or off: which branches compile depends on it."""
    if not (isinstance(value, InstanceValue) and value.of == BuiltinValue("bool")):
        return value
    if not is_constant_of(resolution_order(owner.of), name):
        return value
    labels = [f"when `{name}={outcome}`" for outcome in (True, False)]
    return ConstantValue(frame.run.ask(value, "truth", *labels))


def _set_through_class(owner: ModuleUnderConstruction | PlainObject, name: str, value: Value, frame: Frame) -> bool:
    """Whether a property or a `__setattr__` of the class took the value."""
    order = resolution_order(owner.of)
    for _, member in found_members(order, "__setattr__"):
        if isinstance(member, FunctionValue):
            frame.run.language.call(member, _arguments(owner, ConstantValue(name), value), frame)
            return True
        break
    if isinstance(owner, ModuleUnderConstruction) and isinstance(value, ModuleUnderConstruction):
        return False
    for _, member in found_members(order, name):
        if not isinstance(member, FunctionValue) or "property" not in member.modifiers:
            return False
        if member.setter is None:
            raise Raised("AttributeError")
        from_outside = replace(member.setter, modifiers=member.setter.modifiers - {"setter"})
        frame.run.language.call(from_outside, _arguments(owner, value), frame)
        return True
    return False


def _arguments(*values: Value) -> Arguments:
    return Arguments(tuple(values))


def _set_item(target: ast.Subscript, value: Value, frame: Frame) -> None:
    language = frame.run.language
    owner = language.evaluate(target.value, frame)
    if isinstance(target.slice, ast.Slice):
        tainted(owner)
        return
    key = language.evaluate(target.slice, frame)
    if isinstance(owner, DictObject):
        owner.set(key, value)
    elif isinstance(owner, ListObject):
        position = key.value if isinstance(key, ConstantValue) else None
        if isinstance(position, int) and owner.is_known:
            if not -len(owner.elements) <= position < len(owner.elements):
                raise Raised("IndexError")
            owner.elements[position] = value
        else:
            owner.is_known = False
    elif isinstance(owner, ModuleUnderConstruction):
        _set_child(owner, key, value)
    elif isinstance(owner, PlainObject):
        tainted(owner)


def _set_child(owner: ModuleUnderConstruction, key: Value, value: Value) -> None:
    """Item assignment of torch's containers."""
    if not isinstance(key, ConstantValue):
        tainted(owner)
        return
    name = key.value
    if isinstance(name, int):
        table = owner.modules if owner.modules.entries else owner.parameters
        name = name + len(table.entries) if name < 0 else name
        if not 0 <= name < len(table.entries):
            raise Raised("IndexError")
    owner.assign(str(name), value)


def _delete(node: ast.stmt, frame: Frame) -> str:
    assert isinstance(node, ast.Delete)
    for target in node.targets:
        if isinstance(target, ast.Name):
            frame.names[target.id] = UNBOUND
            continue
        if not isinstance(target, (ast.Attribute, ast.Subscript)):
            continue
        owner = frame.run.language.evaluate(target.value, frame)
        if isinstance(target, ast.Attribute):
            delete_attribute(owner, frame.mangled(target.attr))
        else:
            _delete_item(owner, target.slice, frame)
    return ""


def delete_attribute(owner: Value, name: str) -> None:
    """`del owner.name`."""
    if isinstance(owner, ModuleUnderConstruction):
        if owner.base is None or owner.registered(name) is not None or name in owner.attributes:
            owner.delete(name)
        else:
            tainted(owner)
    elif isinstance(owner, PlainObject):
        owner.attributes.pop(name, None)


def _delete_item(owner: Value, index: ast.expr, frame: Frame) -> None:
    key = UnknownValue() if isinstance(index, ast.Slice) else frame.run.language.evaluate(index, frame)
    if isinstance(owner, DictObject):
        owner.remove(key)
    elif isinstance(owner, ListObject) and isinstance(key, ConstantValue) and isinstance(key.value, int):
        if owner.is_known and -len(owner.elements) <= key.value < len(owner.elements):
            del owner.elements[key.value]
    else:
        tainted(owner)


def _if(node: ast.stmt, frame: Frame) -> str:
    assert isinstance(node, ast.If)
    test = condition(node.test, frame)
    if not isinstance(test, bool):
        if _is_idle(node.body) and _is_idle(node.orelse):
            return ""
        if _raises(node.body) or _raises(node.orelse):
            test = not _raises(node.body)
        elif _joined(node, frame) or _fills(node, frame):
            return ""
    outcome = test if isinstance(test, bool) else test()
    return execute(node.body if outcome else node.orelse, frame)


def _raises(body: Sequence[ast.stmt]) -> bool:
    """Whether a block certainly ends the program: no object comes out of it."""
    return bool(body) and isinstance(body[-1], ast.Raise)


def _is_idle(body: Sequence[ast.stmt]) -> bool:
    """Whether a block only tells people something."""
    return all(isinstance(each, ast.Pass) or (isinstance(each, ast.Expr) and _is_report(each.value)) for each in body)


def _is_report(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return True
    callee = node.func if isinstance(node, ast.Call) else None
    while isinstance(callee, ast.Attribute):
        callee = callee.value
    return isinstance(callee, ast.Name) and callee.id in _IDLE_CALLS


def _joined(node: ast.If, frame: Frame) -> bool:
    """Runs both arms where they only choose between values of one type; False where they do not."""
    if not (_chooses(node.body) and _chooses(node.orelse)):
        return False
    before = dict(frame.names)
    execute(node.body, frame)
    first, frame.names = frame.names, dict(before)
    execute(node.orelse, frame)
    names = {}
    for name in {**first, **frame.names}:
        left, right = first.get(name), frame.names.get(name)
        both = merged(left, right) if left is not None and right is not None else None
        if both is None:
            frame.names = before
            return False
        names[name] = both
    frame.names = names
    return True


def _fills(node: ast.If, frame: Frame) -> bool:
    """Passes over arms that only write numbers into tensors. What they compute for that is not known afterwards."""
    assigned: set[str] = set()
    if not all(_is_filling(each, frame, assigned) for each in (*node.body, *node.orelse)):
        return False
    for name in assigned:
        frame.bind(name, UnknownValue("depends on a condition"))
    return True


def _is_filling(node: ast.stmt, frame: Frame, assigned: set[str]) -> bool:
    if isinstance(node, ast.Pass):
        return True
    if isinstance(node, ast.Assign) and all(isinstance(target, ast.Name) for target in node.targets):
        assigned.update(target.id for target in node.targets if isinstance(target, ast.Name))
        return isinstance(node.value, (ast.BinOp, ast.UnaryOp, ast.Call)) and only_computes(node.value, frame)
    if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        return False
    try:
        callee = frame.run.language.evaluate(node.value.func, frame)
    except Raised:
        return False
    if isinstance(callee, NativeMethod):
        return is_tensor(callee.receiver) and callee.name.endswith("_") and not callee.name.endswith("__")
    return isinstance(callee, TorchValue) and callee.path.startswith("torch.nn.init.")


def _chooses(body: Sequence[ast.stmt]) -> bool:
    return all(
        isinstance(each, ast.Pass)
        or (
            isinstance(each, ast.Assign)
            and all(isinstance(target, ast.Name) for target in each.targets)
            and not any(_does_more(part) for part in ast.walk(each.value))
        )
        for each in body
    )


def _does_more(part: ast.AST) -> bool:
    """Whether evaluating a part of an expression may do something, or decide something."""
    if isinstance(part, ast.Call):
        return not (isinstance(part.func, ast.Name) and part.func.id in _SCALARS)
    return isinstance(part, (ast.Lambda, ast.IfExp))


def _for(node: ast.stmt, frame: Frame) -> str:
    assert isinstance(node, (ast.For, ast.AsyncFor))
    elements = iterated(frame.run.language.evaluate(node.iter, frame), frame)
    run = frame.run
    if elements is None or node in run.left_alone:
        return _forget(node, frame)
    start, made = run.steps, run.modules_made
    for count, element in enumerate(elements):
        if run.steps > start + run.most_idle_steps and run.modules_made == made:
            run.left_alone.add(node)
        if count >= MOST_ITERATIONS or node in run.left_alone:
            return _forget(node, frame)
        store(node.target, element, frame)
        ended = execute(node.body, frame)
        if ended == "break":
            return ""
        if ended == "return":
            return ended
    return execute(node.orelse, frame)


def _while(node: ast.stmt, frame: Frame) -> str:
    assert isinstance(node, ast.While)
    for _ in range(MOST_ITERATIONS):
        test = condition(node.test, frame)
        if not isinstance(test, bool):
            return _forget(node, frame)
        if not test:
            return execute(node.orelse, frame)
        ended = execute(node.body, frame)
        if ended == "break":
            return ""
        if ended == "return":
            return ended
    return _forget(node, frame)


def _forget(node: ast.For | ast.AsyncFor | ast.While, frame: Frame) -> str:
    """A loop that cannot be followed: what its body may change is unknown."""
    for part in walk_statements(node):
        if isinstance(part, ast.Return):
            raise Exhausted
    parts: list[ast.AST] = [*node.body, *([node.test] if isinstance(node, ast.While) else [node.target])]
    for inner in (each for part in parts for each in ast.walk(part)):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            frame.bind(inner.id, UnknownValue("assigned in a loop that is not known"))
        elif isinstance(inner, ast.AugAssign):
            _taint_parts(inner.target, frame)
        elif isinstance(inner, (ast.Attribute, ast.Subscript)) and isinstance(inner.ctx, ast.Store):
            _taint_parts(inner.value, frame)
        elif isinstance(inner, ast.Call):
            changes = isinstance(inner.func, ast.Attribute) and inner.func.attr not in READING
            receiver = [inner.func.value] if changes and isinstance(inner.func, ast.Attribute) else []
            for argument in (*receiver, *inner.args, *(keyword.value for keyword in inner.keywords)):
                _taint_parts(argument, frame)
    return ""


def _taint_parts(node: ast.expr, frame: Frame) -> None:
    """Taints the object that `a.b.c` names, and all on the way to it."""
    names: list[str] = []
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        names.append(node.attr if isinstance(node, ast.Attribute) else "")
        node = node.value
    if not isinstance(node, ast.Name):
        return
    try:
        value = frame.find(node.id)
        tainted(value)
        for name in reversed(names):
            value = frame.run.language.attribute(value, name, frame) if name else UnknownValue("element")
            tainted(value)
    except Raised:
        return


def _with(node: ast.stmt, frame: Frame) -> str:
    assert isinstance(node, (ast.With, ast.AsyncWith))
    entered: list[Value] = []
    for item in node.items:
        manager = frame.run.language.evaluate(item.context_expr, frame)
        entered.append(manager)
        given = _call_method(manager, "__enter__", (), frame) or UnknownValue("what a context manager gives")
        if item.optional_vars is not None:
            store(item.optional_vars, given, frame)
    try:
        return execute(node.body, frame)
    finally:
        for manager in reversed(entered):
            _call_method(manager, "__exit__", (ConstantValue(None),) * 3, frame)


def _call_method(owner: Value, name: str, arguments: tuple[Value, ...], frame: Frame) -> Value | None:
    """What a method of a class of the workspace gives; None for all other objects."""
    for _, member in found_members(resolution_order(owner.of), name) if isinstance(owner, PlainObject) else ():
        if isinstance(member, FunctionValue):
            return frame.run.language.call(member, _arguments(owner, *arguments), frame)
        break
    return None


def _try(node: ast.stmt, frame: Frame) -> str:
    ended = ""
    body: list[ast.stmt] = getattr(node, "body", [])
    orelse: list[ast.stmt] = getattr(node, "orelse", [])
    handlers: list[ast.ExceptHandler] = getattr(node, "handlers", [])
    finalbody: list[ast.stmt] = getattr(node, "finalbody", [])
    try:
        ended = execute(body, frame) or execute(orelse, frame)
    except Raised as raised:
        handler = next((each for each in handlers if _handles(each, raised.name)), None)
        if handler is None:
            execute(finalbody, frame)
            raise
        if handler.name:
            frame.bind(handler.name, UnknownValue("exception"))
        ended = execute(handler.body, frame)
    return execute(finalbody, frame) or ended


def _handles(handler: ast.ExceptHandler, name: str) -> bool:
    if handler.type is None or not name:
        return True
    types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(ast.unparse(each) in (name, "Exception", "BaseException") for each in types)


def _raise(node: ast.stmt, frame: Frame) -> str:
    assert isinstance(node, ast.Raise)
    made = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    raise Raised(ast.unparse(made) if isinstance(made, (ast.Name, ast.Attribute)) else "")


def _assert(node: ast.stmt, frame: Frame) -> str:
    assert isinstance(node, ast.Assert)
    if condition(node.test, frame) is False:
        raise Raised("AssertionError")
    return ""


def _return(node: ast.stmt, frame: Frame) -> str:
    assert isinstance(node, ast.Return)
    frame.returned = frame.run.language.evaluate(node.value, frame) if node.value is not None else ConstantValue(None)
    return "return"


def _define(node: ast.stmt, frame: Frame) -> str:
    assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    lexical = frame.lexical_scope()
    value: Value = UnknownValue(node.name)
    for binding in lexical.table.bindings.get(node.name, ()) if lexical is not None else ():
        if getattr(binding.source, "node", None) is node and lexical is not None:
            value = lexical.value(binding) or value
    if isinstance(value, FunctionValue):
        value = replace(value, scope=frame, defaults=_defaults(node, frame))
    elif isinstance(value, ClassValue) and node.name in frame.outer | frame.globals:
        value = UnknownValue(node.name)
    frame.bind(node.name, value)
    return ""


def _defaults(node: ast.AST, frame: Frame) -> dict[str, Value]:
    signature: ast.arguments = node.args  # type: ignore[attr-defined]
    return evaluated_defaults(signature, frame)


def _import(node: ast.stmt, frame: Frame) -> str:
    assert isinstance(node, (ast.Import, ast.ImportFrom))
    lexical = frame.lexical_scope()
    for alias in node.names:
        name = alias.asname or alias.name.partition(".")[0]
        bindings = lexical.table.bindings.get(name, ()) if lexical is not None else ()
        value: Value | None = None
        for binding in bindings:
            if lexical is not None and binding.position == lexical.table.positions.get(node):
                value = lexical.value(binding)
        if name != "*":
            frame.bind(name, value or UnknownValue(f"import {name}"))
    return ""


def _outer_names(node: ast.stmt, frame: Frame) -> str:
    assert isinstance(node, (ast.Global, ast.Nonlocal))
    (frame.globals if isinstance(node, ast.Global) else frame.outer).update(node.names)
    return ""


def _match(node: ast.stmt, frame: Frame) -> str:
    raise Exhausted


_HANDLERS: Mapping[type[ast.stmt], Callable[[ast.stmt, Frame], str]] = MappingProxyType(
    {
        ast.Expr: _expression,
        ast.Assign: _assign,
        ast.AnnAssign: _annotated,
        ast.AugAssign: _augmented,
        ast.Delete: _delete,
        ast.If: _if,
        ast.For: _for,
        ast.AsyncFor: _for,
        ast.While: _while,
        ast.With: _with,
        ast.AsyncWith: _with,
        ast.Try: _try,
        ast.Raise: _raise,
        ast.Assert: _assert,
        ast.Return: _return,
        ast.FunctionDef: _define,
        ast.AsyncFunctionDef: _define,
        ast.ClassDef: _define,
        ast.Import: _import,
        ast.ImportFrom: _import,
        ast.Global: _outer_names,
        ast.Nonlocal: _outer_names,
        ast.Match: _match,
        ast.Break: lambda node, frame: "break",
        ast.Continue: lambda node, frame: "continue",
        **({ast.TryStar: _try} if hasattr(ast, "TryStar") else {}),
    }
)
