"""Dataclasses that cost next to nothing until they are used.

The engine has hundreds of small classes, and the standard library compiles eight methods for each of them when it is
imported: half of what a cold start took. Here a class compiles its `__init__` when its first object is made, and the
other methods are closures. What is said by `dataclass(...)` and `field(...)` means what it means there, but nothing
guards a frozen object at run time: the type checker does.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass, field, fields, replace
else:
    _NOTHING = object()
    _FIELDS = "__record_fields__"
    _ORDER = {"__lt__": operator.lt, "__le__": operator.le, "__gt__": operator.gt, "__ge__": operator.ge}

    class Field:
        """What is known of one field of a record."""

        __slots__ = ("compare", "default", "default_factory", "init", "metadata", "name", "repr")

        def __init__(self, default, default_factory=_NOTHING, init=True, repr=True, compare=True, metadata=None):
            self.name = ""
            self.default = default
            self.default_factory = default_factory
            self.init = init
            self.repr = repr
            self.compare = compare
            self.metadata = metadata or {}

    def field(*, default=_NOTHING, **options):
        return Field(default, **options)

    def fields(record):
        """The fields of a record or of its class, in order."""
        return getattr(record, _FIELDS)

    def replace(record, /, **changes):
        """A copy with other values of some fields."""
        for each in fields(record):
            if each.init and each.name not in changes:
                changes[each.name] = getattr(record, each.name)
        return record.__class__(**changes)

    def dataclass(cls=None, /, *, eq=True, frozen=False, order=False, repr=True, slots=False):
        def decorate(cls):
            own = _own_fields(cls)
            inherited = {each.name: each for base in reversed(cls.__mro__[1:]) for each in getattr(base, _FIELDS, ())}
            every = tuple({**inherited, **own}.values())
            members = {_FIELDS: every, "__init__": _compile_and_initialise}
            if repr:
                members["__repr__"] = _repr
            if eq:
                members |= _comparisons([each.name for each in every if each.compare], frozen, order)
            if slots:
                return _with_slots(cls, members, [name for name in own if name not in inherited])
            for name, member in members.items():
                if cls.__dict__.get(name) is None:
                    setattr(cls, name, member)
            return cls

        return decorate if cls is None else decorate(cls)

    def _own_fields(cls):
        """The fields of a class body by name; a default stays on the class only as far as Python wants it there."""
        found = {}
        for name in cls.__annotations__:
            default = cls.__dict__.get(name, _NOTHING)
            each = default if isinstance(default, Field) else Field(default)
            each.name = name
            found[name] = each
            if default is each and each.default is _NOTHING:
                delattr(cls, name)
            elif default is each:
                setattr(cls, name, each.default)
        return found

    def _with_slots(cls, members, names):
        """The class once more: only while a class is made it can get slots."""
        body = {
            name: member
            for name, member in cls.__dict__.items()
            if name not in names and name not in ("__dict__", "__weakref__")
        }
        for name, member in members.items():
            if body.get(name) is None:
                body[name] = member
        made = type(cls)(cls.__name__, cls.__bases__, {**body, "__slots__": tuple(names)})
        made.__qualname__ = cls.__qualname__
        return made

    def _compile_and_initialise(self, *arguments, **keywords):
        """The `__init__` of a class that has no object yet. It puts the real one in its place."""
        owner = next(each for each in type(self).__mro__ if each.__dict__.get("__init__") is _compile_and_initialise)
        owner.__init__ = _compiled_init(owner)
        owner.__init__(self, *arguments, **keywords)

    def _compiled_init(cls):
        names = {"_nothing": _NOTHING}
        parameters, body = ["self"], []
        for each in fields(cls):
            value = name = each.name
            if each.default_factory is not _NOTHING:
                names[f"_make_{name}"] = each.default_factory
                value = f"_make_{name}() if {name} is _nothing else {name}" if each.init else f"_make_{name}()"
                parameters += [f"{name}=_nothing"] if each.init else []
            elif each.default is not _NOTHING:
                names[f"_default_{name}"] = each.default
                parameters += [f"{name}=_default_{name}"] if each.init else []
            elif each.init:
                parameters.append(name)
            if each.init or each.default_factory is not _NOTHING:
                body.append(f"self.{name} = {value}")
        if hasattr(cls, "__post_init__"):
            body.append("self.__post_init__()")
        exec(f"def __init__({', '.join(parameters)}):\n " + "\n ".join(body or ["pass"]), names)
        return names["__init__"]

    def _repr(self):
        shown = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
        return f"{type(self).__qualname__}({', '.join(shown)})"

    def _comparisons(names, frozen, order):
        """Equality, hash and order by the values of fields, between objects of the same class."""
        key = operator.attrgetter(*names) if names else lambda record: ()

        def equal(self, other):
            if self is other:
                return True
            if other.__class__ is not self.__class__:
                return NotImplemented
            mine, other_one = key(self), key(other)
            return mine is other_one or mine == other_one

        def hashed(self):
            return hash(key(self))

        def compared(by):
            return lambda self, other: (
                by(key(self), key(other)) if other.__class__ is self.__class__ else NotImplemented
            )

        members = {"__eq__": equal, "__hash__": hashed if frozen else None}
        return members | {name: compared(by) for name, by in _ORDER.items()} if order else members


__all__ = ["dataclass", "field", "fields", "replace"]
