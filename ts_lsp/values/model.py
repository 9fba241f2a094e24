"""What a Python name can denote at script time.

Owns the values that abstract evaluation yields and the `Scope` protocol through which names are looked up.
Invariant: values are immutable descriptions of Python objects as they would be when the compiler runs; what the source
does not show is `UnknownValue`. Nothing here runs anybody's code.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar, Union

from ts_lsp.records import dataclass, field
from ts_lsp.syntax.tree import Chunk

if TYPE_CHECKING:
    from ts_lsp.values.bindings import BindingTable

FunctionNode = Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda]
AnyNode = TypeVar("AnyNode", bound=Union[ast.AST, None])
SiteNode = TypeVar("SiteNode", bound=Union[ast.AST, None], covariant=True)


class Value:
    """Base of every Python value."""

    __slots__ = ()


class Scope(Protocol):
    """A Python scope as the compiler sees it when scripting starts: closure cells, globals, then builtins.

    `lookup` gives None where the name is not defined, `UnknownValue` where the source does not say.
    """

    def lookup(self, name: str) -> Value | None: ...

    def lookup_global(self, name: str) -> Value | None:
        """The module's name alone: of the functions around a definition only what they assign through `global`."""


@dataclass(eq=False, slots=True)
class Site(Generic[SiteNode]):
    """Where the text of a definition stands at the moment: an edit inside of its body gives it another node.

    `is_followed`: evaluation has looked into the body, so that values may rest on it. `first` is the node that
    evaluation saw, where there is another one now.
    """

    node: SiteNode
    unit: Unit
    is_followed: bool = False
    first: ast.AST | None = None


@dataclass(eq=False, slots=True)
class Unit:
    """Where a definition's text lives: a file, the chunk that holds it and the chunk's first line in the file.

    `module` is the dotted Python module name (`__main__` never occurs; a lone file is known by its stem). An edit
    elsewhere moves the first line, one inside of a function body gives another chunk of the same outline; nothing else
    changes, and only `values.renewal` does it.
    """

    path: str
    module: str
    chunk: Chunk = field(repr=False)
    first_line: int
    base: int = 0
    """Where the positions of its statements start."""
    is_current: bool = True
    """False once the file was evaluated anew: what stands here is not what the program has now."""
    sites: dict[ast.AST, Site[ast.AST]] = field(default_factory=dict, repr=False)
    bodies: dict[ast.AST, BindingTable] = field(default_factory=dict, repr=False)
    """What binds names in the functions that evaluation executes."""

    def site(self, node: AnyNode) -> Site[AnyNode]:
        """The site of a definition, the same one whenever it is asked for."""
        if node is None:
            return Site(node, self)
        return self.sites.setdefault(node, Site(node, self))  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class UnknownValue(Value):
    """Not known from the source. `reason` is for people ("result of a call to numpy.load").

    `candidates` are the values it is one of, where that is known.
    """

    reason: str = ""
    candidates: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class CyclicValue(Value):
    """An object of the class `of` met again inside itself."""

    of: Value


@dataclass(frozen=True, slots=True)
class ConstantValue(Value):
    """A plain constant: bool, int, float, complex, str, bytes, None or Ellipsis."""

    value: object


@dataclass(frozen=True, slots=True)
class SequenceValue(Value):
    """A Python list, tuple or set with known elements."""

    kind: str  # "list" | "tuple" | "set"
    elements: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class DictValue(Value):
    items: tuple[tuple[Value, Value], ...]


@dataclass(frozen=True, slots=True)
class ModuleValue(Value):
    """A Python module by its dotted name; members are looked up through `ModuleTable.member`."""

    name: str


@dataclass(frozen=True, slots=True)
class TorchValue(Value):
    """Something torch, math, cmath, warnings, random ... define, described by `torchdata.python_object(path)`.

    Dtypes, builtins, torch's own functions and classes are all this. `path` is the canonical one of torch's data
    (`torch.nn.functional.relu`), but the public one for what `torchnames` lists (`torch.jit.script`).
    """

    path: str


@dataclass(frozen=True, slots=True)
class TypingValue(Value):
    """`typing.List`, `list[int]`, `Optional[Tensor]`, `int | None`: a generic, bare (`arguments is None`) or applied.

    `name` is `List`, `Dict`, `Tuple`, `Optional`, `Union`, `Future`, `RRef`, `Await`, `Final`, `Callable`, `Any`,
    `NoReturn`, `Literal`, `Sequence`, ... ; the builtin spellings `list`, `dict`, `tuple` applied give `List`, ...
    """

    name: str
    arguments: tuple[Value, ...] | None = None


@dataclass(frozen=True, slots=True)
class BuiltinValue(Value):
    """A Python builtin (`len`, `int`, `open`, `super`) or another callable without Python source, by dotted name."""

    name: str


@dataclass(frozen=True, eq=False, slots=True)
class FunctionValue(Value):
    """A Python function of the workspace or of an importable file.

    `modifiers`: any of `script`, `ignore`, `unused`, `export`, `drop`, `script_method`, `script_if_tracing`,
    `overload`, `wrapped` (a `functools.wraps`-like decorator such as `torch.no_grad()` stands above it), `unknown`
    (a decorator whose effect is not known), `staticmethod`, `classmethod`, `property`, `setter`.
    `scope` is where its free names resolve; `wrapper_scope` replaces it when a wraps-decorator stands above.
    `defaults` are evaluated positional and keyword-only defaults by parameter name. `setter` is the setter of a
    property, when it has one.
    """

    name: str
    qualname: str
    site: Site[FunctionNode] = field(repr=False)
    scope: Scope = field(repr=False)
    modifiers: frozenset[str] = frozenset()
    defaults: Mapping[str, Value] = field(default_factory=dict)
    owner: ClassValue | None = field(default=None, repr=False)
    overloads: tuple[FunctionValue, ...] = ()
    wrapper_scope: Scope | None = field(default=None, repr=False)
    setter: FunctionValue | None = None

    @property
    def node(self) -> FunctionNode:
        return self.site.node

    @property
    def unit(self) -> Unit:
        return self.site.unit


@dataclass(frozen=True, slots=True)
class FieldValue:
    """One field of a NamedTuple, dataclass or class body: its annotation as written and as evaluated.

    Of a dataclass's field `options` are what `field(...)` says (`default` is what it gives there), or what stands for
    it: `kw_only` below a `KW_ONLY`, `init_only` for an `InitVar`, whose annotation is the type inside.
    """

    name: str
    annotation: ast.expr | None
    annotation_value: Value | None
    default: Value | None
    options: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class ClassValue(Value):
    """A Python class of the workspace.

    `kind`: `plain`, `enum`, `namedtuple`, `exception`, `module` (an nn.Module), `script_module`, `dataclass`,
    `interface`, `typed_dict`, `unknown` (a base is not known).
    `members` holds the class body's names in their final binding (functions, constants, nested classes, enum values).
    `fields`: NamedTuple or dataclass fields in order, or the body's annotated names.
    `scope` is the enclosing scope (not the class body, which methods do not see).
    """

    name: str
    qualname: str
    site: Site[ast.ClassDef | None] = field(repr=False)
    scope: Scope = field(repr=False)
    kind: str
    bases: tuple[Value, ...] = ()
    members: Mapping[str, Value] = field(default_factory=dict, repr=False)
    fields: tuple[FieldValue, ...] = ()
    modifiers: frozenset[str] = frozenset()

    @property
    def node(self) -> ast.ClassDef | None:
        return self.site.node

    @property
    def unit(self) -> Unit:
        return self.site.unit


@dataclass(frozen=True, eq=False, slots=True)
class EnumMemberValue(Value):
    """A member of an enum class; `members` of the class holds these. `value` is what the class body assigned."""

    owner: ClassValue
    name: str
    value: Value = field(default_factory=UnknownValue)


@dataclass(frozen=True, eq=False, slots=True)
class InstanceValue(Value):
    """An object made by calling a class: `Foo(1)`, `torch.nn.Linear(3, 4)`, `torch.device("cpu")`, `torch.zeros(2)`.

    `of` a builtin type (`BuiltinValue("list")`, `float`, `str`, ...) it is an object of that type, not known more
    closely. `made_by` is the expression that made it and the scope it stands in; `changes` are statements that changed
    it afterwards, with the name they know it by and their scope. `state` holds the attributes of an instance of a
    class of the workspace whose construction was followed.
    """

    of: Value
    arguments: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()
    made_by: tuple[ast.expr, Scope] | None = field(default=None, repr=False)
    changes: tuple[tuple[str, ast.stmt, Scope], ...] = field(default=(), repr=False)
    state: Mapping[str, Value] | None = field(default=None, repr=False)


@dataclass(frozen=True, eq=False, slots=True)
class ModuleObject(Value):
    """An nn.Module as its `__init__` left it.

    The four tables are the module's own (`_parameters`, `_buffers`, `_modules`, and the rest of `__dict__`), in the
    order of registration. Entries of `parameters` and `buffers` are a tensor (`InstanceValue` of `torch.Tensor`), None
    as a constant, or unknown; of `modules` a `ModuleObject`, None as a constant, or unknown. A container of torch
    (`ModuleList`, `Sequential`, `ModuleDict`) has its elements in `modules` under "0", "1", ... or their keys. For
    other classes of torch the tables are empty and `torchdata` knows them by `arguments` and `keywords`.
    `is_complete` is False where code that is not known may have set more; `is_initialised` where `Module.__init__` ran.
    `worlds` names the choices this object stands for ("when `bias=False`"), outermost first. `base` is the part of an
    object that a class of torch other than `nn.Module` and its containers gave it: the arguments its `__init__` had.
    `traced_with` are the example inputs, a tuple, where `torch.jit.trace` made this out of a module. `defined` are the
    methods that `define` of a `ScriptModule` gave it as text.
    `read_properties` are what Python gets from the properties that `__constants__` names.
    """

    of: ClassValue | TorchValue
    arguments: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()
    parameters: Mapping[str, Value] = field(default_factory=dict)
    buffers: Mapping[str, Value] = field(default_factory=dict)
    modules: Mapping[str, Value] = field(default_factory=dict)
    attributes: Mapping[str, Value] = field(default_factory=dict)
    hooks: tuple[Value, ...] = ()
    pre_hooks: tuple[Value, ...] = ()
    is_complete: bool = True
    is_initialised: bool = True
    worlds: tuple[str, ...] = ()
    base: ModuleObject | None = None
    traced_with: Value | None = None
    defined: Mapping[str, FunctionValue] = field(default_factory=dict)
    read_properties: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScriptedValue(Value):
    """The result of `torch.jit.script(f)` kept under a name."""

    of: Value


@dataclass(frozen=True, slots=True)
class TracedValue(Value):
    """The result of `torch.jit.trace(f, examples)`; `examples` is None where they are not known."""

    of: Value
    examples: tuple[Value, ...] | None = None


@dataclass(frozen=True, slots=True)
class PartialValue(Value):
    """A `functools.partial` object, bound method, `lru_cache` object: opaque to the compiler.

    `arguments` and `keywords` are those that a partial object holds. `kind`: `partial`, `method`, `self` (a method of a
    module that gives the module back: `m.eval`), `lru_cache`, `cached_property`, `generated` (a function that `exec`
    made, which has no source), `static` (a static method that is a function of torch).
    """

    of: Value
    kind: str = "partial"
    arguments: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()


class ModuleTable(Protocol):
    """The importable Python world: files of the workspace and the environment, and torch as data."""

    def member(self, module: str, name: str) -> Value | None:
        """The value of attribute `name` of module `module` (submodules included); None where there is none."""

    def is_external(self, path: str) -> bool:
        """Whether a file belongs to the environment and not to the program."""


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """One place where a program hands something to the compiler: what `node` in `unit` is given."""

    kind: str  # "function" | "class" | "module" | "interface"
    target: Value
    through: str  # the decorator or callable as written
    node: ast.expr | ast.ClassDef = field(repr=False)
    unit: Unit = field(repr=False)

    @property
    def line(self) -> int:
        """0-based in the file."""
        return self.unit.first_line + self.node.lineno - 1

    @property
    def column(self) -> int:
        """0-based, in code points."""
        return self.unit.chunk.lines.column(self.node.lineno - 1, self.node.col_offset)


@dataclass(frozen=True, slots=True)
class FileDefinitions:
    """Every function and class of a file, nested ones included, in source order, and the file's entry points."""

    functions: Sequence[FunctionValue] = ()
    classes: Sequence[ClassValue] = ()
    entry_points: Sequence[EntryPoint] = ()
