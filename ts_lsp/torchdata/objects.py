"""What a path such as `torch.nn.functional.relu` denotes for the compiler of one torch version.

Owns one frozen dataclass per treatment that the compiler gives to a Python object. `path` is canonical: every path of
the same object gives the same dataclass. Invariant: a category is the compiler's own answer about that object, found
by compiling a program that names it, never a guess from its Python type.
"""

from __future__ import annotations

from collections.abc import Mapping

from ts_lsp.records import dataclass, field
from ts_lsp.types.model import Type
from ts_lsp.types.schema import DefaultValue, Schema


class TorchObject:
    """Base of everything a path can denote."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class TorchModule(TorchObject):
    """A Python module. `TorchData.members` tells its names where the module is known here."""

    path: str


@dataclass(frozen=True, slots=True)
class BuiltinOperator(TorchObject):
    """A callable the compiler replaces by an operator, which need not exist (then it is an unknown builtin)."""

    path: str
    op: str


@dataclass(frozen=True, slots=True)
class ScriptFunction(TorchObject):
    """A Python function that the compiler compiles when it is named.

    `schemas` are several for overloads, in declaration order; `refusal` is the exception's name and the first line of
    its message where the function does not compile (then there is no schema).
    """

    path: str
    schemas: tuple[Schema, ...] = ()
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class BooleanDispatch(TorchObject):
    """A function chosen by a literal flag: the keyword `argument` or the positional `index`, else `default`."""

    path: str
    argument: str
    index: int
    default: bool
    if_true: str
    if_false: str


@dataclass(frozen=True, slots=True)
class TorchConstant(TorchObject):
    """A value that becomes a constant when it is reached through a module.

    `kind`: `dtype`, `layout`, `memory_format`, `qscheme` (`value` is the int they become), `device` (its text), `int`,
    `float`, `bool`, `complex`, `str`, `None` or `tuple`.
    """

    path: str
    kind: str
    value: DefaultValue


@dataclass(frozen=True, slots=True)
class TorchClass(TorchObject):
    """A Python class.

    `kind`: `exception`, `tensor` (Tensor and its subclasses), `legacy_tensor` (`torch.LongTensor`), `module` (an
    nn.Module), `enum`, `namedtuple`, `context` (a script class for `with`), `script_class` (another class that
    compiles), `native` (written in C: a call of it is a call back into Python) or `other`.
    `operator`: calling the class means this operator (`torch.device` is `aten::device`), whether or not it exists.
    `init` is the constructor's schema, `enter` what `with` gives; `methods` and `attributes` belong to script classes,
    `members` to enums. `refusal` says why a class that is not ruled out by its kind does not compile. `annotation` is
    the type meant by an annotation with this class, where the class is no script class.
    """

    path: str
    kind: str
    operator: str | None = None
    init: Schema | None = None
    enter: Type | None = None
    refusal: str | None = None
    methods: tuple[Schema, ...] = ()
    annotation: Type | None = None
    attributes: tuple[tuple[str, Type], ...] = ()
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CustomClass(TorchObject):
    """A class written in C++ and registered with the compiler: `torch.classes.quantized.LinearPackedParamsBase`.

    `methods` have the instance as first argument, `static_methods` have not. `properties` are name, type and whether
    they can be set.
    """

    path: str
    methods: tuple[Schema, ...] = ()
    static_methods: tuple[Schema, ...] = ()
    properties: tuple[tuple[str, Type, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class ModuleFacts:
    """The type of an instance of one of torch's nn.Module classes, made with default options.

    `parameters` are the constructor's, with the text of each default (None where one must be given); `*args` and
    `**kwargs` keep their stars. `attributes` and `constants` have types (None: a constant that cannot be typed, or is
    not known); `parameter_names` are the attributes that are Parameters (or None in their place); `constant_values` has
    the texts of constants whose value is known; `submodules` have class paths.
    `methods` are those compiled, `forward` or the overloads `forward__0`, `forward__1`; when the module does not
    compile there are none and `refusal` says why. `functions` are the others of the class, which compile when they are
    named, with their schemas (None where they do not compile), and `members` its static methods (with schemas) and
    properties; both are None where they were not recorded.
    `given_modules` are the submodules that are what was given, and as which option.
    `settled` are the patterns of arguments that change nothing, by parameter. `is_open`: there may be more names than
    these. `is_doubtful`: whether it compiles, or its methods, depend on something that is not known.
    """

    path: str
    parameters: tuple[tuple[str, str | None], ...] = ()
    attributes: Mapping[str, Type] = field(default_factory=dict)
    parameter_names: frozenset[str] = frozenset()
    constants: Mapping[str, Type | None] = field(default_factory=dict)
    constant_values: Mapping[str, str] = field(default_factory=dict)
    submodules: Mapping[str, str] = field(default_factory=dict)
    methods: tuple[Schema, ...] = ()
    refusal: str | None = None
    variants: tuple[ModuleVariant, ...] = ()
    given_modules: Mapping[str, str] = field(default_factory=dict)
    settled: Mapping[str, frozenset[str]] = field(default_factory=dict)
    is_open: bool = False
    is_doubtful: bool = False
    functions: Mapping[str, Schema | None] | None = None
    members: Mapping[str, Schema | None] | None = None


@dataclass(frozen=True, slots=True)
class ModuleVariant:
    """What differs when the constructor's `options` are arguments of these `patterns` (see `module_facts`).

    `changed` holds the attributes, constants, methods and submodules that are new or have another type. `missing` and
    `unknown` are kinds and names: what is gone, and what depends on the very value.
    """

    options: tuple[str, ...]
    patterns: tuple[str, ...]
    changed: ModuleFacts
    missing: frozenset[tuple[str, str]] = frozenset()
    unknown: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True, slots=True)
class SpecialForm(TorchObject):
    """Something the compiler treats in a way of its own. `form` is what the compiler calls it."""

    path: str
    form: str


@dataclass(frozen=True, slots=True)
class OpaqueObject(TorchObject):
    """A Python object that the compiler does not look into.

    `category`: `python_builtin` (a C function: "Python builtin ... is currently not supported"), `ignored` (a Python
    function that stays in Python), `callable` (another object that can be called), `typing` (an annotation form, not a
    value; `type_name` is its repr and `annotation` the type it means when complete) or `value` (data: neither a
    constant nor callable).
    `schema` is what a call is matched against when the compiler can tell without seeing the arguments.
    """

    path: str
    category: str
    type_name: str
    schema: Schema | None = None
    annotation: Type | None = None
