"""The standard library that is never read from source: what its names denote.

Owns the members of `typing`, `enum`, `collections`, `functools`, `dataclasses`, `abc`, `builtins`, `sys`, ... .
Invariant: a name of these modules that is not listed is `UnknownValue`, never missing.
"""

from __future__ import annotations

from ts_lsp.records import dataclass
from ts_lsp.values.model import (
    BuiltinValue,
    ConstantValue,
    ModuleValue,
    SequenceValue,
    TypingValue,
    UnknownValue,
    Value,
)
from ts_lsp.values.naming import name_set


@dataclass(frozen=True, slots=True)
class PythonTarget:
    """The Python that would run the program: what `sys.version_info`, `sys.platform` and `os.name` say."""

    version: tuple[int, int] = (3, 11)
    platform: str = "linux"
    os_name: str = "posix"


_GENERICS = name_set(
    """
    AbstractSet Annotated Any AnyStr AsyncContextManager AsyncGenerator AsyncIterable AsyncIterator Awaitable
    ByteString Callable ChainMap ClassVar Collection Concatenate Container ContextManager Coroutine Counter
    DefaultDict Deque Dict Final FrozenSet Generator Generic Hashable ItemsView Iterable Iterator KeysView List
    Literal LiteralString Mapping MappingView MutableMapping MutableSequence MutableSet Never NoReturn NotRequired
    Optional OrderedDict Pattern Match Protocol ReadOnly Required Reversible Self Sequence Set Sized SupportsAbs
    SupportsBytes SupportsComplex SupportsFloat SupportsIndex SupportsInt SupportsRound Tuple Type TypeAlias TypeGuard
    TypeIs Union Unpack ValuesView
    """
)
_TYPING_CALLABLES = name_set(
    """
    NamedTuple TypedDict NewType TypeVar TypeVarTuple ParamSpec ForwardRef cast overload final no_type_check
    runtime_checkable get_type_hints get_args get_origin assert_type assert_never reveal_type dataclass_transform
    abstractmethod override deprecated IO TextIO BinaryIO
    """
)
_TYPING_MODULES = name_set("collections contextlib functools operator sys types warnings")
_COLLECTIONS_ABC = name_set(
    """
    Awaitable ByteString Callable Collection Container Coroutine Generator Hashable ItemsView Iterable Iterator
    KeysView Mapping MappingView MutableMapping MutableSequence MutableSet Reversible Sequence Set Sized ValuesView
    """
)
_MEMBERS: dict[str, frozenset[str]] = {
    "enum": name_set(
        """
        Enum IntEnum StrEnum Flag IntFlag EnumMeta EnumType ReprEnum auto unique verify member nonmember property
        _simple_enum
        """
    ),
    "collections": name_set("namedtuple OrderedDict defaultdict deque Counter ChainMap UserDict UserList"),
    "functools": name_set(
        """
        partial partialmethod wraps update_wrapper lru_cache cache cached_property reduce total_ordering
        singledispatch singledispatchmethod cmp_to_key
        """
    ),
    "dataclasses": name_set(
        """
        dataclass field fields asdict astuple replace is_dataclass make_dataclass InitVar KW_ONLY FrozenInstanceError
        """
    ),
    "__future__": name_set("annotations"),
    "abc": name_set("ABC ABCMeta abstractmethod abstractproperty abstractclassmethod abstractstaticmethod"),
    "copy": name_set("copy deepcopy replace"),
    "weakref": name_set("ReferenceType proxy WeakSet WeakValueDictionary WeakKeyDictionary WeakMethod finalize"),
    "numbers": name_set("Number Complex Real Rational Integral"),
    "contextlib": name_set("contextmanager asynccontextmanager nullcontext suppress closing ExitStack"),
}
_BUILTINS = name_set(
    """
    ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
    BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError
    ConnectionResetError DeprecationWarning EOFError EncodingWarning EnvironmentError Exception ExceptionGroup
    FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning
    IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError
    ModuleNotFoundError NameError NotADirectoryError NotImplementedError OSError OverflowError
    PendingDeprecationWarning PermissionError ProcessLookupError RecursionError ReferenceError ResourceWarning
    RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit
    TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError
    UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError abs aiter all anext any
    ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright credits delattr dict
    dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help hex id input
    int isinstance issubclass iter len license list locals map max memoryview min next object oct open ord pow print
    property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip
    __build_class__ __import__
    """
)
_CONSTANT_BUILTINS: dict[str, Value] = {
    "__debug__": ConstantValue(True),
    "Ellipsis": ConstantValue(...),
    "NotImplemented": BuiltinValue("NotImplemented"),
}
TEST_TOOLS = ("unittest", "pytest")
"""Modules whose names are all taken as opaque and whose decorators leave functions as they are."""

_TYPING_NAMES = frozenset({"typing", "typing_extensions"})
_OTHERS = ("builtins", "collections.abc", "sys", "os", "types", "numpy")
_SPECIAL = frozenset({*_MEMBERS, *_TYPING_NAMES, *_OTHERS})


_NUMPY_CONSTANTS: dict[str, Value] = {
    "pi": ConstantValue(3.141592653589793),
    "e": ConstantValue(2.718281828459045),
    "euler_gamma": ConstantValue(0.5772156649015329),
    "inf": ConstantValue(float("inf")),
    "nan": ConstantValue(float("nan")),
    "newaxis": ConstantValue(None),
}
"""What of numpy the compiler takes: nothing else can be used in compiled code."""


RESULTS: dict[str, str] = {
    "logging.getLogger": "logging.Logger",
    "re.compile": "re.Pattern",
    "decimal.Decimal": "decimal.Decimal",
    "fractions.Fraction": "fractions.Fraction",
    "pathlib.Path": "pathlib.Path",
    **dict.fromkeys(("random.random", "random.uniform", "random.gauss", "time.time", "time.perf_counter"), "float"),
    **dict.fromkeys(("random.randint", "random.randrange"), "int"),
    "threading.Lock": "threading.Lock",
    "threading.RLock": "threading.RLock",
    **dict.fromkeys(
        (
            f"numpy.{name}"
            for name in (
                "arange",
                "array",
                "asarray",
                "empty",
                "eye",
                "full",
                "linspace",
                "ones",
                "zeros",
                "random.rand",
            )
        ),
        "numpy.ndarray",
    ),
    **{
        f"numpy.{name}": f"numpy.{name}" for name in ("float16", "float32", "float64", "bool_", "int8", "uint8", "str_")
    },
    **{f"numpy.{name}": f"numpy.{name}" for name in ("int16", "int32", "int64", "complex64", "complex128")},
}
"""What calling a function of a library makes: objects that have no type in compiled code, or nearly so."""
LIBRARIES = frozenset(name.rpartition(".")[0] for name in RESULTS)


def is_known(module: str) -> bool:
    """Whether the module is described here rather than by its source."""
    return module in _SPECIAL


def member(module: str, name: str, python: PythonTarget) -> Value:
    """What `module.name` denotes, for a known module."""
    if module in _TYPING_NAMES:
        return typing_member(name) or UnknownValue(f"{module}.{name}")
    if module == "collections.abc" and name in _COLLECTIONS_ABC:
        return TypingValue(name)
    if module == "collections" and name == "abc":
        return ModuleValue("collections.abc")
    if module == "builtins":
        return builtin(name) or UnknownValue(f"builtins.{name}")
    if module in ("sys", "os"):
        return _system(module, name, python)
    if module == "numpy":
        return _NUMPY_CONSTANTS.get(name, BuiltinValue(f"numpy.{name}"))
    if module == "types" and name == "NoneType":
        return BuiltinValue("NoneType")
    if module == "types" and name in ("FunctionType", "LambdaType", "MethodType", "ModuleType", "SimpleNamespace"):
        return BuiltinValue(f"types.{name}")
    if (module, name) == ("weakref", "ref"):
        return BuiltinValue("weakref.ReferenceType")
    if name in _MEMBERS.get(module, ()):
        return BuiltinValue(f"{module}.{name}")
    return UnknownValue(f"{module}.{name}")


def typing_member(name: str) -> Value | None:
    """What the name denotes in `typing`; None where typing has no such name."""
    if name in _GENERICS:
        return TypingValue(name)
    if name == "TYPE_CHECKING":
        return ConstantValue(False)
    if name == "Text":
        return BuiltinValue("str")
    if name in _TYPING_CALLABLES:
        return BuiltinValue(f"typing.{name}")
    return ModuleValue(name) if name in _TYPING_MODULES else None


def builtin(name: str) -> Value | None:
    """What the name denotes in Python's builtins."""
    if name in _CONSTANT_BUILTINS:
        return _CONSTANT_BUILTINS[name]
    return BuiltinValue(name) if name in _BUILTINS else None


def is_exception(name: str) -> bool:
    """Whether the builtin of this name is an exception class."""
    return name in _BUILTINS and name[0].isupper()


def _system(module: str, name: str, python: PythonTarget) -> Value:
    major, minor = python.version
    if module == "os":
        return ConstantValue(python.os_name) if name == "name" else UnknownValue(f"os.{name}")
    if name == "version_info":
        parts: tuple[object, ...] = (major, minor, 0, "final", 0)
        return SequenceValue("tuple", tuple(ConstantValue(part) for part in parts))
    if name == "platform":
        return ConstantValue(python.platform)
    if name == "modules":
        return BuiltinValue("sys.modules")
    return ConstantValue(2**63 - 1) if name == "maxsize" else UnknownValue(f"sys.{name}")
