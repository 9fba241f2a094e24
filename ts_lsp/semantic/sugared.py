"""What an expression can stand for while a definition is checked.

Owns the compiler's two-level world: `Simple` is a first-class value with a type; everything else is sugar (a function,
a builtin, a module, an iterator) that exists only while compiling.
Invariant: all are immutable; `Simple(UNKNOWN)` is the value that silences what follows from it.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ts_lsp.records import dataclass, field
from ts_lsp.types.model import (
    UNKNOWN,
    EnumType,
    InterfaceType,
    NamedTupleType,
    Type,
    UnknownType,
)
from ts_lsp.types.schema import Schema
from ts_lsp.values.model import ClassValue, FunctionValue, Value

if TYPE_CHECKING:
    from ts_lsp.semantic.class_definitions import ClassDefinition
    from ts_lsp.semantic.custom_classes import CustomDefinition
    from ts_lsp.semantic.modules import ModuleDefinition


@dataclass(frozen=True, slots=True)
class Literal:
    """A value known while compiling, wrapped so that None can be one."""

    value: object


class Sugared:
    """Base of everything an expression can stand for. `kind` is how people call it."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        return "value"


@dataclass(frozen=True, slots=True)
class Simple(Sugared):
    """A first-class value.

    `literal` is set for what the compiler holds as a constant node, `empty_list` for `[]`, `parts` for a tuple display.
    `is_hidden`: a constant whose value the source does not show.
    """

    type: Type
    literal: Literal | None = None
    empty_list: bool = False
    parts: tuple[Simple, ...] = ()
    is_hidden: bool = False

    @property
    def is_unknown(self) -> bool:
        return isinstance(self.type, UnknownType)


UNKNOWN_VALUE = Simple(UNKNOWN)


@dataclass(frozen=True, slots=True)
class NoResult(Sugared):
    """What `print(...)` gives."""

    @property
    def kind(self) -> str:
        return "None"


@dataclass(frozen=True, slots=True)
class Builtin(Sugared):
    """An operator symbol (`aten::relu`), possibly bound to a receiver."""

    operator: str
    receiver: Simple | None = None

    @property
    def kind(self) -> str:
        return "builtin"


@dataclass(frozen=True, slots=True)
class TensorCast(Sugared):
    """`x.float`, `x.long`: callable without arguments."""

    name: str

    @property
    def kind(self) -> str:
        return "builtin cast method"


@dataclass(frozen=True, slots=True)
class Cast(Sugared):
    """`int`, `float`, `bool`, `str`, `complex` used as functions."""

    name: str
    operator: str
    type: Type

    @property
    def kind(self) -> str:
        return "builtin"


@dataclass(frozen=True, slots=True)
class Magic(Sugared):
    """A builtin that first tries a method of its argument's class: `len` and `__len__`."""

    method: str
    operator: str

    @property
    def kind(self) -> str:
        return "builtin"


@dataclass(frozen=True, slots=True)
class Print(Sugared):
    @property
    def kind(self) -> str:
        return "print"


@dataclass(frozen=True, slots=True)
class SpecialForm(Sugared):
    """`isinstance`, `range`, `annotate`, `fork`...: calls with rules of their own."""

    name: str

    @property
    def kind(self) -> str:
        return "special form"


@dataclass(frozen=True, slots=True)
class UserFunction(Sugared):
    """A Python function that compiles when reached."""

    value: FunctionValue

    @property
    def kind(self) -> str:
        return "function"


@dataclass(frozen=True, slots=True)
class OverloadedFunction(Sugared):
    value: FunctionValue

    @property
    def kind(self) -> str:
        return "overloaded function"


@dataclass(frozen=True, slots=True)
class SchemaFunction(Sugared):
    """A compiled function known by its schemas only: torch's own Python functions."""

    path: str
    schemas: tuple[Schema, ...]

    @property
    def kind(self) -> str:
        return "function"


@dataclass(frozen=True, slots=True)
class DispatchFunction(Sugared):
    """A `boolean_dispatch` function: a literal flag chooses between two."""

    path: str
    argument: str
    index: int
    default: bool
    if_true: str
    if_false: str

    @property
    def kind(self) -> str:
        return "function"


@dataclass(frozen=True, slots=True)
class Method(Sugared):
    """A method of a class value, bound."""

    receiver: Simple
    definition: ClassDefinition
    name: str

    @property
    def kind(self) -> str:
        return "method"


@dataclass(frozen=True, slots=True)
class CustomMethod(Sugared):
    """A method of a class written in C++, bound."""

    receiver: Simple
    schema: Schema

    @property
    def kind(self) -> str:
        return "method"


@dataclass(frozen=True, slots=True)
class InterfaceMethod(Sugared):
    receiver: Simple
    interface: InterfaceType
    name: str

    @property
    def kind(self) -> str:
        return "method"


@dataclass(frozen=True, slots=True)
class PythonModule(Sugared):
    """A Python module, or torch namespace such as `torch.ops.aten`."""

    value: Value

    @property
    def kind(self) -> str:
        return "module"


@dataclass(frozen=True, slots=True)
class OperatorNamespace(Sugared):
    """`torch.ops` (name empty) or `torch.ops.aten`."""

    name: str

    @property
    def kind(self) -> str:
        return "module"


@dataclass(frozen=True, slots=True)
class ClassConstructor(Sugared):
    definition: ClassDefinition

    @property
    def kind(self) -> str:
        return "class"


@dataclass(frozen=True, slots=True)
class CustomConstructor(Sugared):
    """A class written in C++."""

    definition: CustomDefinition

    @property
    def kind(self) -> str:
        return "Python type"


@dataclass(frozen=True, slots=True)
class NamedTupleConstructor(Sugared):
    type: NamedTupleType

    @property
    def kind(self) -> str:
        return "named tuple class"


@dataclass(frozen=True, slots=True)
class EnumClass(Sugared):
    type: EnumType
    value: ClassValue

    @property
    def kind(self) -> str:
        return "EnumClass"


@dataclass(frozen=True, slots=True)
class InterfaceClass(Sugared):
    type: InterfaceType

    @property
    def kind(self) -> str:
        return "interface"


@dataclass(frozen=True, slots=True)
class ContextClass(Sugared):
    """A class of torch that compiles: `torch.no_grad`, `torch.autocast`."""

    path: str

    @property
    def kind(self) -> str:
        return "class"


@dataclass(frozen=True, slots=True)
class ExceptionClass(Sugared):
    name: str

    @property
    def kind(self) -> str:
        return "Python exception"


@dataclass(frozen=True, slots=True)
class ExceptionValue(Sugared):
    name: str

    @property
    def kind(self) -> str:
        return "exception message"


@dataclass(frozen=True, slots=True)
class OpaqueCallable(Sugared):
    """A Python object the compiler calls back into: ignored functions, partial objects, unregistered callables."""

    value: Value
    name: str
    type_name: str

    @property
    def kind(self) -> str:
        return "python value"


@dataclass(frozen=True, slots=True)
class UninstantiableClass(Sugared):
    """A Python class that compiled code cannot make objects of, such as an nn.Module."""

    name: str

    @property
    def kind(self) -> str:
        return "python value"


@dataclass(frozen=True, slots=True)
class ModuleClass(Sugared):
    """The class of a module that has a type already: its functions can be called, with a Tensor for `self`."""

    value: ClassValue
    type: Type

    @property
    def kind(self) -> str:
        return "Python type"


@dataclass(frozen=True, slots=True)
class PythonValue(Sugared):
    """A Python value that cannot be used in compiled code (a captured int, list, tensor)."""

    value: Value
    type_name: str

    @property
    def kind(self) -> str:
        return "python value"


@dataclass(frozen=True, slots=True)
class SliceObject(Sugared):
    start: Simple | None
    stop: Simple | None
    step: Simple | None

    @property
    def kind(self) -> str:
        return "Python slice value"


@dataclass(frozen=True, slots=True)
class SliceClass(Sugared):
    @property
    def kind(self) -> str:
        return "slice"


@dataclass(frozen=True, slots=True)
class RangeIterable(Sugared):
    """`range(...)`; `length` when it only accompanies a static iterable (inside `enumerate`)."""

    length: int | None = None

    @property
    def kind(self) -> str:
        return "range"


@dataclass(frozen=True, slots=True)
class IterableTree(Sugared):
    """`zip(...)` and `enumerate(...)`: iterables walked side by side."""

    children: tuple[Sugared, ...]
    length: int | None = None
    name: str = "zip"

    @property
    def kind(self) -> str:
        return "iterabletree"


@dataclass(frozen=True, slots=True)
class SugaredTuple(Sugared):
    """A tuple whose elements may be sugar: the element of an unrolled zip."""

    elements: tuple[Sugared, ...]

    @property
    def kind(self) -> str:
        return "Tuple"


@dataclass(frozen=True, slots=True)
class ModuleInstance(Sugared):
    """`self` or a submodule."""

    definition: ModuleDefinition

    @property
    def kind(self) -> str:
        return "module"


@dataclass(frozen=True, slots=True)
class InterfaceModule(Sugared):
    """A submodule of which only what an interface declares can be seen. Unlike a value of that type, it is called."""

    type: InterfaceType

    @property
    def kind(self) -> str:
        return "module"


@dataclass(frozen=True, slots=True)
class ModuleMethod(Sugared):
    """A compiled method of a module, bound."""

    definition: ModuleDefinition
    name: str
    value: FunctionValue

    @property
    def kind(self) -> str:
        return "method"


@dataclass(frozen=True, slots=True)
class ModuleSchemaMethod(Sugared):
    """A method of one of torch's own module classes, known by its schemas."""

    definition: ModuleDefinition
    name: str
    schemas: tuple[Schema, ...]

    @property
    def kind(self) -> str:
        return "method"


@dataclass(frozen=True, slots=True)
class ModuleItems(Sugared):
    """`.items()`, `.keys()`, `.values()`, `.children()`, ... once called: an iterable that is unrolled."""

    elements: tuple[Sugared, ...]

    @property
    def kind(self) -> str:
        return "iterable"


@dataclass(frozen=True, slots=True)
class ModuleListing(Sugared):
    """`.items`, `.named_children`, ... before the call."""

    definition: ModuleDefinition
    name: str

    @property
    def kind(self) -> str:
        return "method"


@dataclass(frozen=True, slots=True)
class NamedArgument:
    """One argument of a call: its value, the expression it came from, and its keyword."""

    value: Simple
    node: ast.expr
    name: str | None = None


@dataclass(frozen=True, slots=True)
class CallArguments:
    """The evaluated arguments of a call. `complete` is False when a star argument's length is not known."""

    positional: tuple[NamedArgument, ...] = ()
    keywords: tuple[NamedArgument, ...] = ()
    complete: bool = True
    sugar: tuple[Sugared, ...] = field(default=(), compare=False)
