"""Which names one Python scope binds, where and by which statement: read off the tree, nothing evaluated.

Owns `BindingTable`. Invariant: positions grow in execution order within a scope; a statement reads names at its own
position (bindings made strictly before it are visible) and binds at that same position. `path` says inside which arms
of which compound statements a binding or statement stands.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Union

from ts_lsp.records import dataclass, field, replace
from ts_lsp.syntax.tree import Chunk
from ts_lsp.syntax.walking import children, walk_statements
from ts_lsp.values.model import Site, Unit
from ts_lsp.values.naming import name_set
from ts_lsp.weakcache import cached_weakly

DefinitionNode = Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef]
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_DEEPEST_NESTING = 40
_WRITES_NAMES = re.compile(
    r"\b(?:globals|vars|locals)\(\)\s*(?:\.(?:update|setdefault|__setitem__)\(|\[[^\]\n]*\]\s*=(?!=))"
    r"|=\s*(?:globals|vars)\(\)\s*$|\bexec\([^,\n]*(?:,\s*(?:globals|vars)\(\)\s*)?\)\s*$|\bsetattr\(sys\.modules\b",
    re.MULTILINE,
)
_WRITERS = ("globals", "vars", "locals", "exec", "sys.modules")
THROUGH_GLOBAL = "assigned through global"
MUTATORS = name_set(
    """
    append extend insert remove pop clear sort reverse add discard update setdefault popitem appendleft
    """
)


@dataclass(frozen=True, slots=True)
class Arm:
    """One alternative body of a compound statement: `body`, `else`, `handler`, `finally`."""

    statement: ast.AST
    name: str
    index: int = 0


Path = tuple[Arm, ...]


@dataclass(frozen=True, slots=True)
class Defined:
    site: Site[DefinitionNode]

    @property
    def node(self) -> DefinitionNode:
        return self.site.node


@dataclass(frozen=True, slots=True)
class Assigned:
    """`steps` leads from the value to the part the name gets: indices of nested tuple targets."""

    value: ast.expr
    steps: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Augmented:
    node: ast.AugAssign


@dataclass(frozen=True, slots=True)
class ImportedModule:
    """`import a.b` binds `a` (`dotted` is then `a`, `loads` is `a.b`); `import a.b as c` binds `a.b`."""

    dotted: str
    loads: str


@dataclass(frozen=True, slots=True)
class ImportedName:
    module: str
    level: int
    name: str


@dataclass(frozen=True, slots=True)
class ImportedStar:
    module: str
    level: int


@dataclass(frozen=True, slots=True)
class Iterated:
    """The variable of a `for`: in turn each element, or the part of it that `steps` leads to."""

    iterable: ast.expr
    steps: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str


@dataclass(frozen=True, slots=True)
class Deleted:
    pass


@dataclass(frozen=True, slots=True)
class AssignedInside:
    """A name that a single function assigns through `global`; `definitions` lead to it from the module inwards."""

    definitions: tuple[DefinitionNode, ...]


@dataclass(frozen=True, slots=True)
class Opaque:
    reason: str


Source = Union[
    Defined,
    Assigned,
    Augmented,
    ImportedModule,
    ImportedName,
    ImportedStar,
    Iterated,
    Parameter,
    Deleted,
    AssignedInside,
    Opaque,
]


@dataclass(frozen=True, eq=False, slots=True)
class Binding:
    name: str
    position: int
    path: Path
    unit: Unit
    source: Source


@dataclass(frozen=True, eq=False, slots=True)
class Placed:
    """A statement of the scope itself (nested bodies of definitions excluded) with its position."""

    site: Site[ast.stmt]
    position: int
    path: Path
    unit: Unit

    @property
    def statement(self) -> ast.stmt:
        return self.site.node


@dataclass(frozen=True, eq=False, repr=False)
class BindingTable:
    """The bindings of one scope by name, in order; the statements they come from; what else matters for look-up."""

    bindings: Mapping[str, tuple[Binding, ...]]
    stars: tuple[Binding, ...]
    statements: tuple[Placed, ...]
    end: int
    mutated: frozenset[str] = frozenset()
    outer: frozenset[str] = field(default=frozenset())  # names declared global or nonlocal
    annotations: Mapping[str, ast.AnnAssign] = field(default_factory=dict)
    positions: Mapping[ast.AST, int] = field(default_factory=dict)
    through_global: Mapping[str, tuple[Binding, ...]] = field(default_factory=dict)
    attributes: Mapping[str, tuple[Binding, ...]] = field(default_factory=dict)  # `NAME.x = value` by NAME
    writes_names: bool = False  # a module that binds names through `exec` or `globals()`

    def all_bindings(self) -> Iterator[Binding]:
        groups = (*self.bindings.values(), *self.through_global.values())
        return (binding for group in groups for binding in group)

    def definitions(self) -> list[Binding]:
        """The functions and classes defined directly in this scope, in source order."""
        found = [binding for binding in self.all_bindings() if isinstance(binding.source, Defined)]
        return sorted(found, key=lambda binding: binding.position)


UNIT_SPAN = 1 << 20
"""How many positions the statements of a unit may take."""


@dataclass(frozen=True, eq=False, slots=True)
class UnitTable:
    """What one unit binds at the top level of its module."""

    bindings: Mapping[str, Sequence[Binding]]
    stars: Sequence[Binding]
    statements: Sequence[Placed]
    mutated: frozenset[str]
    annotations: Mapping[str, ast.AnnAssign]
    attributes: Mapping[str, Sequence[Binding]]
    outer: frozenset[str]
    writes_names: bool


def unit_table(unit: Unit) -> UnitTable:
    """What a unit binds, at positions from its base on."""
    builder = _Builder()
    builder.position = unit.base
    builder.enter(unit)
    builder.block(unit.chunk.tree.body, ())
    return UnitTable(
        builder.bindings,
        builder.stars,
        builder.statements,
        frozenset(builder.mutated),
        builder.annotations,
        builder.attributes,
        frozenset(builder.outer | builder.globals),
        writes_names(unit.chunk.text),
    )


def writes_names(text: str) -> bool:
    """Whether a text binds names of a module in a way that no statement shows."""
    return any(word in text for word in _WRITERS) and _WRITES_NAMES.search(text) is not None


def module_table(units: Sequence[Unit], tables: Sequence[UnitTable]) -> BindingTable:
    """The table of a module whose top-level chunks are `units`, in order, each with what it binds."""
    builder = _Builder()
    for each in tables:
        builder.add(each)
    builder.position = max((unit.base for unit in units), default=0) + UNIT_SPAN
    for unit in units:
        if "global" in _signs(unit.chunk):
            builder.enter(unit)
            builder.assigned_through_global(unit.chunk.tree)
    builder.keep_single_global()
    return replace(builder.table(), writes_names=any(each.writes_names for each in tables))


def body_table(body: Sequence[ast.stmt], unit: Unit, parameters: ast.arguments | None = None) -> BindingTable:
    """The table of a function body (with its parameters) or a class body."""
    builder = _Builder()
    builder.enter(unit)
    if parameters is not None:
        for name in parameter_names(parameters):
            builder.bind(name, (), Parameter(name))
        builder.position += 1
    builder.block(body, ())
    if "nonlocal" in _signs(unit.chunk):
        for statement in body:
            builder.assigned_through_nonlocal(statement)
    return builder.table()


def parameter_names(arguments: ast.arguments) -> list[str]:
    """All parameter names, in the order positional-only, ordinary, `*args`, keyword-only, `**kwargs`."""
    ordinary = [*arguments.posonlyargs, *arguments.args]
    starred = [arguments.vararg] if arguments.vararg else []
    keywords = [arguments.kwarg] if arguments.kwarg else []
    return [argument.arg for argument in [*ordinary, *starred, *arguments.kwonlyargs, *keywords]]


def leaves(statements: Sequence[ast.stmt]) -> bool:
    """Whether control certainly does not run off the end of this block."""
    return bool(statements) and isinstance(statements[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))


@cached_weakly
def _signs(chunk: Chunk) -> frozenset[str]:
    """What occurs in the text at all; large classes are asked once for each of their methods."""
    return frozenset(sign for sign in ("global", "nonlocal", ":=") if sign in chunk.text)


class _Builder:
    """Collects a table while walking the statements of a scope in order."""

    unit: Unit
    has_walruses: bool

    def __init__(self) -> None:
        self.position = 0
        self.bindings: dict[str, list[Binding]] = {}
        self.stars: list[Binding] = []
        self.statements: list[Placed] = []
        self.mutated: set[str] = set()
        self.outer: set[str] = set()
        self.globals: set[str] = set()
        self.annotations: dict[str, ast.AnnAssign] = {}
        self.attributes: dict[str, list[Binding]] = {}

    def enter(self, unit: Unit) -> None:
        """What follows stands in this unit."""
        self.unit = unit
        self.has_walruses = ":=" in _signs(unit.chunk)

    def add(self, part: UnitTable) -> None:
        """What one of the units of a module binds, behind those before it."""
        for name, found in part.bindings.items():
            self.bindings.setdefault(name, []).extend(found)
        for name, found in part.attributes.items():
            self.attributes.setdefault(name, []).extend(found)
        for name, node in part.annotations.items():
            self.annotations.setdefault(name, node)
        self.stars.extend(part.stars)
        self.statements.extend(part.statements)
        self.mutated |= part.mutated
        self.outer |= part.outer
        self.globals |= part.outer

    def table(self) -> BindingTable:
        bindings = {name: tuple(found) for name, found in self.bindings.items() if name not in self.outer}
        return BindingTable(
            bindings,
            tuple(self.stars),
            tuple(self.statements),
            self.position + 1,
            frozenset(self.mutated),
            frozenset(self.outer),
            self.annotations,
            {placed.statement: placed.position for placed in self.statements},
            {name: tuple(self.bindings[name]) for name in self.globals if name in self.bindings},
            {name: tuple(found) for name, found in self.attributes.items()},
        )

    def bind(self, name: str, path: Path, source: Source) -> None:
        self.bindings.setdefault(name, []).append(Binding(name, self.position, path, self.unit, source))

    def block(self, statements: Sequence[ast.stmt], path: Path) -> None:
        for statement in statements:
            self.position += 1
            is_definition = isinstance(statement, DEFINITIONS)
            site = self.unit.site(statement) if is_definition else Site(statement, self.unit)
            self.statements.append(Placed(site, self.position, path, self.unit))
            self.statement(statement, path)

    def statement(self, node: ast.stmt, path: Path) -> None:
        if self.has_walruses:
            self._walruses(node, path)
        if isinstance(node, DEFINITIONS):
            self.bind(node.name, path, Defined(self.unit.site(node)))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            self._import(node, path)
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Delete)):
            self._assignment(node, path)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            self.outer.update(node.names)
            self.globals.update(node.names if isinstance(node, ast.Global) else ())
        elif isinstance(node, ast.Expr):
            self._mutation(node.value)
        else:
            self._compound(node, path)

    def _import(self, node: ast.Import | ast.ImportFrom, path: Path) -> None:
        for alias in node.names:
            if isinstance(node, ast.ImportFrom):
                module = node.module or ""
                if alias.name == "*":
                    star = ImportedStar(module, node.level)
                    self.stars.append(Binding("*", self.position, path, self.unit, star))
                else:
                    self.bind(alias.asname or alias.name, path, ImportedName(module, node.level, alias.name))
            elif alias.asname:
                self.bind(alias.asname, path, ImportedModule(alias.name, alias.name))
            else:
                top = alias.name.partition(".")[0]
                self.bind(top, path, ImportedModule(top, alias.name))

    def _assignment(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Delete, path: Path) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._target(target, path, node.value, ())
        elif isinstance(node, ast.AnnAssign):
            if isinstance(node.target, ast.Name):
                self.annotations.setdefault(node.target.id, node)
            if node.value is not None:
                self._target(node.target, path, node.value, ())
        elif isinstance(node, ast.AugAssign):
            if isinstance(node.target, ast.Name):
                self.bind(node.target.id, path, Augmented(node))
            else:
                self._mutated_target(node.target)
        else:
            for target in node.targets:
                if isinstance(target, ast.Name):
                    self.bind(target.id, path, Deleted())
                    continue
                if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                    deleted = Binding(target.attr, self.position, path, self.unit, Deleted())
                    self.attributes.setdefault(target.value.id, []).append(deleted)
                self._mutated_target(target)

    def _target(self, target: ast.expr, path: Path, value: ast.expr, steps: tuple[int, ...]) -> None:
        if isinstance(target, ast.Name):
            self.bind(target.id, path, Assigned(value, steps))
        elif isinstance(target, (ast.Tuple, ast.List)):
            if any(isinstance(element, ast.Starred) for element in target.elts):
                self._opaque_target(target, path, "part of an unpacked value")
                return
            for index, element in enumerate(target.elts):
                self._target(element, path, value, (*steps, index))
        else:
            if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                assigned = Binding(target.attr, self.position, path, self.unit, Assigned(value, steps))
                self.attributes.setdefault(target.value.id, []).append(assigned)
            self._mutated_target(target)

    def _loop_target(self, target: ast.expr, path: Path, iterable: ast.expr, steps: tuple[int, ...]) -> None:
        if isinstance(target, ast.Name):
            self.bind(target.id, path, Iterated(iterable, steps))
        elif isinstance(target, (ast.Tuple, ast.List)) and not any(isinstance(e, ast.Starred) for e in target.elts):
            for index, element in enumerate(target.elts):
                self._loop_target(element, path, iterable, (*steps, index))
        else:
            self._opaque_target(target, path, "loop variable")

    def _opaque_target(self, target: ast.AST, path: Path, reason: str) -> None:
        for part in ast.walk(target):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                self.bind(part.id, path, Opaque(reason))

    def _mutated_target(self, target: ast.AST) -> None:
        if isinstance(target, (ast.Subscript, ast.Starred)) and isinstance(target.value, ast.Name):
            self.mutated.add(target.value.id)

    def _mutation(self, node: ast.expr) -> None:
        callee = node.func if isinstance(node, ast.Call) else None
        if isinstance(callee, ast.Attribute) and callee.attr in MUTATORS and isinstance(callee.value, ast.Name):
            self.mutated.add(callee.value.id)

    def _compound(self, node: ast.stmt, path: Path) -> None:
        if len(path) >= _DEEPEST_NESTING:
            self._opaque_target(node, path, "nested too deeply")
        elif isinstance(node, (ast.If, ast.While)):
            self._arm(node, "body", node.body, path)
            self._arm(node, "else", node.orelse, path)
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            inside = (*path, Arm(node, "body"))
            self._loop_target(node.target, inside, node.iter, ())
            self._arm(node, "body", node.body, path)
            self._arm(node, "else", node.orelse, path)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                if item.optional_vars is not None:
                    self._opaque_target(item.optional_vars, path, "result of entering a context")
            self._arm(node, "body", node.body, path)
        elif isinstance(node, ast.Match):
            for index, case in enumerate(node.cases):
                inside = (*path, Arm(node, "body", index))
                self._captures(case.pattern, inside)
                self._arm(node, "body", case.body, path, index)
        elif isinstance(node, ast.Try) or type(node).__name__ == "TryStar":
            self._try(node, path)
        elif type(node).__name__ == "TypeAlias":
            self._opaque_target(node, path, "type alias")

    def _try(self, node: ast.stmt, path: Path) -> None:
        assert isinstance(node, ast.Try) or hasattr(node, "handlers")
        self._arm(node, "body", getattr(node, "body", ()), path)
        for index, handler in enumerate(getattr(node, "handlers", ())):
            if handler.name:
                self.bind(handler.name, (*path, Arm(node, "handler", index)), Opaque("caught exception"))
            self._arm(node, "handler", handler.body, path, index)
        self._arm(node, "else", getattr(node, "orelse", ()), path)
        self._arm(node, "finally", getattr(node, "finalbody", ()), path)

    def _captures(self, pattern: ast.AST, path: Path) -> None:
        for part in ast.walk(pattern):
            name = getattr(part, "name", None) or getattr(part, "rest", None)
            if isinstance(name, str):
                self.bind(name, path, Opaque("captured by a pattern"))

    def _arm(self, node: ast.stmt, name: str, body: Sequence[ast.stmt], path: Path, index: int = 0) -> None:
        self.block(body, (*path, Arm(node, name, index)))

    def _walruses(self, node: ast.stmt, path: Path) -> None:
        for expression in own_expressions(node):
            for part in walk_expression(expression, lambdas=False):
                if isinstance(part, ast.NamedExpr) and isinstance(part.target, ast.Name):
                    self.bind(part.target.id, path, Assigned(part.value))

    def assigned_through_nonlocal(self, tree: ast.AST) -> None:
        """Names that nested functions rebind: when that happens is not known."""
        for part in walk_statements(tree):
            if isinstance(part, ast.Nonlocal):
                self.position += 1
                for name in part.names:
                    self.bind(name, (), Opaque("assigned through nonlocal"))

    def assigned_through_global(self, tree: ast.AST) -> None:
        """Names of the module that functions bind."""
        for function, around in functions_inside(tree):
            if not any(isinstance(part, ast.Global) for part in walk_statements(function)):
                continue
            self.position += 1
            for name in body_table(function.body, self.unit, function.args).through_global:
                self.bind(name, (), AssignedInside((*around, function)))

    def keep_single_global(self) -> None:
        """A name that a single function binds has that value wherever it has any.

        What else binds it too makes it unknown: when which happens is not known.
        """
        for name, group in self.bindings.items():
            inside = [binding for binding in group if isinstance(binding.source, AssignedInside)]
            if not inside:
                continue
            last = inside[-1]
            source = last.source if len(group) == 1 else Opaque(THROUGH_GLOBAL)
            kept = group[: len(group) - len(inside)]
            self.bindings[name] = [*kept, Binding(name, last.position if kept else 0, (), last.unit, source)]


def functions_inside(
    tree: ast.AST,
) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, tuple[DefinitionNode, ...]]]:
    """Every function below a node with the definitions around it, outermost first."""
    pending: list[tuple[ast.AST, tuple[DefinitionNode, ...]]] = [(tree, ())]
    while pending:
        node, around = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node, around
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            around = (*around, node)
        pending.extend((inner, around) for inner in _inner_blocks(node))


def _inner_blocks(node: ast.AST) -> Iterator[ast.AST]:
    for field_name in ("body", "orelse", "handlers", "finalbody", "cases"):
        inner = getattr(node, field_name, None)
        if isinstance(inner, list):
            yield from inner


def own_expressions(node: ast.stmt) -> list[ast.expr]:
    """The expressions a statement evaluates in its own scope before any nested block: decorators and defaults of a
    definition, the test of an `if`, the value of an assignment, ..."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return [*node.decorator_list, *node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)]
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return [item.context_expr for item in node.items]
    return [child for child in children(node) if isinstance(child, ast.expr)]


def walk_expression(expression: ast.expr, lambdas: bool = True) -> Iterator[ast.AST]:
    """The nodes of an expression in source order, without recursion; bodies of lambdas only if asked."""
    pending: list[ast.AST] = [expression]
    while pending:
        node = pending.pop()
        yield node
        if lambdas or not isinstance(node, ast.Lambda):
            pending.extend(reversed(children(node)))
