"""Classes that compile, as records.

Owns `ClassDefinition` (a script class) and `ContextDefinition` (a class of torch that `with` takes). Invariant: nothing
here compiles anything.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from ts_lsp.records import dataclass, field
from ts_lsp.semantic.facts import DefinitionFacts, Finding
from ts_lsp.semantic.naming import qualified_name
from ts_lsp.types.model import ClassType, Type
from ts_lsp.types.schema import Schema
from ts_lsp.values.model import BuiltinValue, ClassValue, FunctionValue, Unit

if TYPE_CHECKING:
    from ts_lsp.semantic.program import Program


@dataclass(eq=False)
class ClassDefinition:
    """A script class: it fills up while it compiles, and does not change afterwards."""

    value: ClassValue
    program: Program
    type: ClassType = field(init=False)
    attributes: dict[str, Type] = field(default_factory=dict)
    methods: dict[str, FunctionValue] = field(default_factory=dict)
    properties: dict[str, tuple[FunctionValue, FunctionValue | None]] = field(default_factory=dict)
    class_attributes: frozenset[str] = frozenset()
    state: str = "new"
    """`new`, `running`, `done`; `stale` when something it needs has changed."""
    failure: Finding | None = None
    failure_unit: Unit | None = None
    findings: list[Finding] = field(default_factory=list)
    saw_unknown: bool = False
    facts: DefinitionFacts | None = None

    def begin_again(self, with_attributes: bool) -> None:
        """Forget what compiling came to, and what `__init__` defined if that compiles anew."""
        self.failure = self.failure_unit = self.facts = None
        self.findings, self.saw_unknown, self.state = [], False, "stale"
        if with_attributes:
            self.attributes.clear()

    def __post_init__(self) -> None:
        self.type = ClassType(qualified_name(self.value), self)

    @cached_property
    def signature_texts(self) -> frozenset[str]:
        """The annotations of the methods' parameters and results, as torch writes them down again."""
        methods = [each for each in self.value.members.values() if isinstance(each, FunctionValue)]
        return frozenset(text for each in methods for text in _signature_texts(each))

    def method_schemas(self) -> Mapping[str, Schema]:
        """The schemas of the methods, for interfaces."""
        schemas = {}
        for name in self.methods:
            schema = self.program.method_schema(self, name)
            if schema is not None:
                schemas[name] = schema
        return schemas


@dataclass(eq=False)
class ContextDefinition:
    """A class of torch that compiles, such as `torch.no_grad`: its constructor and what `with` gives."""

    path: str
    init: Schema | None
    enter: Type
    type: ClassType = field(init=False)

    def __post_init__(self) -> None:
        self.type = ClassType(f"__torch__.{self.path}", self)

    def method_schemas(self) -> Mapping[str, Schema]:
        return {}


def _signature_texts(method: FunctionValue) -> Iterator[str]:
    """The annotations torch keeps of a method's signature: those that are no texts for Python too."""
    lazy = method.scope.lookup_global("annotations") == BuiltinValue("__future__.annotations")
    if isinstance(method.node, ast.Lambda) or "property" in method.modifiers or lazy:
        return
    for each in (*(argument.annotation for argument in method.node.args.args), method.node.returns):
        text = None if each is None or isinstance(each, ast.Constant) else _annotation_text(each)
        if text is not None:
            yield text


def _annotation_text(node: ast.expr) -> str | None:
    """An annotation as torch writes it down: without spaces, and without the quotes of a text inside."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.Attribute):
        base = _annotation_text(node.value)
        return None if base is None else f"{base}.{node.attr}"
    if isinstance(node, ast.Subscript):
        return f"{_annotation_text(node.value)}[{_annotation_text(node.slice)}]"
    if isinstance(node, ast.Tuple):
        return ",".join(str(_annotation_text(each)) for each in node.elts)
    return None
