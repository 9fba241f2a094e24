"""Single changes of a function's text, by kind.

Owns `mutants`. A change replaces stretches of the text, so that everything else keeps its place. Each kind is a
function from the definition to the changes it can make; a run draws some of them at random, every kind alike.
"""

from __future__ import annotations

import ast
import random
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

Splice = tuple[int, int, str]
_Statement = ast.stmt
_BLOCKS = ("body", "orelse")

_TYPES = ("int", "float", "bool", "str", "torch.Tensor", "None", "complex", "dict", "Tensr")
_WRAPPED = ("Optional[{}]", "List[{}]", "Tuple[{}, int]", "Dict[str, {}]", "list[{}]", "{} | None", "Union[{}, str]")
_VALUES = ("None", "True", "1", "1.5", '"text"', "[]", "[1, 2]", "(1, 2.0)", "{}", "torch.ones(2)", "1j", "[None]")
_OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "@", "|", "&", "<<", "<", "==", "is", "in", "not in", "and", "or")

_INSERTIONS = (
    "zz = lambda q: q",
    "zz = {1, 2}",
    "yield 1",
    "global zz",
    "import math",
    "zz = (yy := 1)",
    "zz = [i for i in range(3) if i > 0]",
    "zz = [i for i in range(3)]",
    "zz = {i: str(i) for i in range(3)}",
    'zz = f"{1.0:.2f}"',
    'zz = f"{1}"',
    "del zz",
    "zz = open",
    "zz = type(1)",
    "zz = sorted([2, 1])",
    "zz = yy = 1",
    "zz, *yy = [1, 2, 3]",
    "zz, yy = [1, 2]",
    "zz, yy = torch.ones(2)",
    "zz: int",
    "zz: Optional[int] = None",
    'zz: int = "a"',
    "zz = ...",
    'zz = b"a"',
    "zz = +1",
    'raise ValueError("a")',
    'raise ValueError("a", 1)',
    "raise 1",
    "assert 1",
    'assert True, "a"',
    "pass",
    "...",
    "zz",
    "print(1, 2)",
    "print(1, sep='a')",
    "zz = max(1, 2.0)",
    "zz = [1, 2][0:1][0]",
    "zz = (1, 'a')[1]",
    "zz = (1, 'a')[1:]",
    "zz = 1 if True else 'a'",
    "zz = 1; zz += 1.5",
    "zz = 1; zz = 'a'",
    "zz = 1; zz: str = 'a'",
    "break",
    "continue",
    "return",
    "return None",
    "return 1",
    "zz = super()",
    "zz = isinstance(1, (int, str))",
    "zz = getattr(1, 'real')",
    "zz = len",
    "zz = torch.foo",
    "zz = torch.float32",
    "zz = int",
    "zz = int('1'), float(1), str(1.5), bool(2)",
    "zz = list(range(3))",
    "zz = list((1, 2))",
    "zz = dict([('a', 1)])",
    "zz = [1] * 3 + [2]",
    "zz = [1, 2] == [1, 2]",
    "zz = 'a' in {'a': 1}",
    "zz = not [1]",
    "zz = [1] and 2",
    "zz = 1 < 2 < 3",
    "zz = -'a'",
    "zz = ~1",
    "zz = 2 ** -1",
    "zz = torch.jit.annotate(List[str], [])",
    "zz = torch.jit.is_scripting()",
    "zz = 9223372036854775808",
    "for zz in 3: pass",
    "for zz in torch.ones(3): pass",
    "for zz, yy in zip([1], ['a']): print(zz + 1, yy + 'b')",
    "for zz, yy in enumerate([1.5]): print(zz + 1, yy + 0.5)",
    "for zz in (1, 'a'): print(zz)",
    "for zz in range(2):\n    pass\nelse:\n    pass",
    "for zz in range(2):\n    if zz > 1:\n        break\nprint(zz)",
    "while True:\n    zz = 1\n    break\nprint(zz)",
    "while False:\n    pass\nelse:\n    pass",
    "try:\n    pass\nexcept Exception:\n    pass",
    "with torch.no_grad():\n    pass",
    "with torch.no_grad() as zz:\n    pass",
    'with open("a"):\n    pass',
    "def zz(q):\n    return q",
    "class Zz:\n    pass",
    "match 1:\n    case 1:\n        pass",
    "if torch.ones(1):\n    zz = 1\nelse:\n    zz = 'a'\nprint(zz)",
    "if torch.ones(1):\n    zz = 1\nprint(zz)",
    "if torch.ones(1):\n    zz = 1\nelse:\n    raise ValueError('a')\nprint(zz + 1)",
    "zz: Optional[int] = None\nif zz is not None:\n    print(zz + 1)",
    "zz: Optional[int] = None\nif zz is None:\n    zz = 2\nprint(zz + 1)",
    "zz: Optional[int] = None\nassert zz is not None\nprint(zz + 1)",
    "zz: Optional[int] = None\nprint(zz + 1)",
    "zz = None\nfor yy in range(2):\n    zz = 1",
    "zz = []\nfor yy in range(2):\n    zz.append(yy)",
    "zz = 1\nfor yy in range(2):\n    zz = zz / 2",
    "zz = [1, 2]\nzz[0] = 'a'",
    "zz = {'a': 1}\nzz['b'] = 2\ndel zz['a']",
    "zz = torch.ones(2)\nzz[0] = 1\nzz[...] += 2",
    "zz = torch.ones(2)\nzz.foo = 1",
)


@dataclass(frozen=True)
class Mutant:
    """Kinds of change, the line of the last, the module's text after it and, of that, the function's own lines."""

    kind: str
    line: int
    text: str
    source: str


class Definition:
    """A function's tree together with its text."""

    def __init__(self, text: str, node: ast.FunctionDef) -> None:
        self.text = text
        self.node = node
        self._lines = text.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))
        self.inner = [each for statement in node.body for each in ast.walk(statement)]
        self.blocks = list(_blocks(node))
        self.statements = [each for block in self.blocks for each in block]
        self.names = sorted(
            {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
            | {each.id for each in self.inner if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        )

    def offset(self, line: int, column: int) -> int:
        """Where a line (from 1) and a column in bytes lie in the text."""
        written = self._lines[line - 1].encode()
        return self._starts[line - 1] + len(written[:column].decode(errors="replace"))

    def span(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset)

    def source(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword) -> str:
        start, end = self.span(node)
        return self.text[start:end]

    def whole(self, block: Sequence[_Statement]) -> tuple[int, int]:
        return self.span(block[0])[0], self.span(block[-1])[1]

    def own_line(self, statement: _Statement) -> bool:
        """Whether nothing stands before the statement on its line."""
        start = self._starts[statement.lineno - 1]
        return not self.text[start : self.span(statement)[0]].strip()


Changes = Iterator[tuple[int, Sequence[Splice]]]


def _blocks(node: ast.AST) -> Iterator[list[_Statement]]:
    for name in _BLOCKS:
        block = getattr(node, name, None)
        if isinstance(block, list) and block:
            yield block
            for statement in block:
                yield from _blocks(statement)


def _replace(
    definition: Definition, node: ast.expr | ast.stmt | ast.arg | ast.keyword, new: str
) -> tuple[int, list[Splice]]:
    return node.lineno, [(*definition.span(node), new)]


def _parameters(definition: Definition) -> list[ast.arg]:
    arguments = definition.node.args
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


def drop_annotation(definition: Definition) -> Changes:
    for parameter in _parameters(definition):
        if parameter.annotation is not None:
            yield _replace(definition, parameter, parameter.arg)
    if definition.node.returns is not None:
        start, end = definition.span(definition.node.returns)
        arrow = definition.text.rindex("->", 0, start)
        yield definition.node.returns.lineno, [(arrow, end, "")]


def change_annotation(definition: Definition) -> Changes:
    written = [each.annotation for each in _parameters(definition) if each.annotation is not None]
    written += [each.annotation for each in definition.inner if isinstance(each, ast.AnnAssign)]
    written += [definition.node.returns] if definition.node.returns is not None else []
    for annotation in written:
        for new in _TYPES:
            yield _replace(definition, annotation, new)
        for pattern in _WRAPPED:
            yield _replace(definition, annotation, pattern.format(definition.source(annotation)))
        if isinstance(annotation, ast.Subscript):
            yield _replace(definition, annotation, definition.source(annotation.slice))
            yield _replace(definition, annotation, definition.source(annotation.value))


def add_annotation(definition: Definition) -> Changes:
    for parameter in _parameters(definition):
        if parameter.annotation is None:
            for new in _TYPES:
                yield _replace(definition, parameter, f"{parameter.arg}: {new}")
    if definition.node.returns is None:
        header_end = definition.text.rfind(":", 0, definition.span(definition.node.body[0])[0])
        if definition.text[:header_end].endswith(")"):
            for new in _TYPES:
                yield definition.node.lineno, [(header_end, header_end, f" -> {new}")]


def change_default(definition: Definition) -> Changes:
    arguments = definition.node.args
    for default in [*arguments.defaults, *(each for each in arguments.kw_defaults if each is not None)]:
        for new in _VALUES:
            if "torch" not in new:
                yield _replace(definition, default, new)


def add_parameter(definition: Definition) -> Changes:
    arguments = definition.node.args
    if not arguments.args or arguments.vararg or arguments.kwonlyargs or arguments.kwarg:
        return
    last: ast.arg | ast.expr = arguments.defaults[-1] if arguments.defaults else arguments.args[-1]
    end = definition.span(last)[1]
    for new in (
        "*zz",
        "**zz",
        "*, zz",
        "*, zz: int = 1",
        'zz: int = "a"',
        "zz: List[int] = [1]",
        "zz=1",
        "zz: Optional[str] = None",
    ):
        yield last.lineno, [(end, end, ", " + new)]


def replace_value(definition: Definition) -> Changes:
    for node in definition.inner:
        if isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            for new in _VALUES:
                yield _replace(definition, node, new)


def replace_literal(definition: Definition) -> Changes:
    for node in definition.inner:
        if isinstance(node, ast.Constant):
            for new in _VALUES:
                yield _replace(definition, node, new)


def other_name(definition: Definition) -> Changes:
    for node in definition.inner:
        if isinstance(node, ast.Name) and node.id in definition.names:
            for name in definition.names:
                if name != node.id:
                    yield _replace(definition, node, name)


def misspell(definition: Definition) -> Changes:
    for node in definition.inner:
        if isinstance(node, ast.Name):
            yield _replace(definition, node, node.id + "x")
        elif isinstance(node, ast.Attribute):
            end = definition.span(node)[1]
            yield node.end_lineno or node.lineno, [(end, end, "x")]
        elif isinstance(node, ast.keyword) and node.arg:
            start = definition.span(node)[0]
            yield node.lineno, [(start, start, "x")]


def drop_argument(definition: Definition) -> Changes:
    for node in definition.inner:
        if isinstance(node, ast.Call):
            given: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
            given.sort(key=lambda each: definition.span(each)[0])
            for position, each in enumerate(given):
                start, end = definition.span(each)
                if position + 1 < len(given):
                    end = definition.span(given[position + 1])[0]
                elif position:
                    start = definition.span(given[position - 1])[1]
                yield each.lineno, [(start, end, "")]


def add_argument(definition: Definition) -> Changes:
    for node in definition.inner:
        if isinstance(node, ast.Call) and (node.args or node.keywords):
            given: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
            end = max(definition.span(each)[1] for each in given)
            for new in ("zz=1", *(() if node.keywords else ("None", "1", '"a"', "*[1]"))):
                yield node.lineno, [(end, end, ", " + new)]


def swap_arguments(definition: Definition) -> Changes:
    for node in definition.inner:
        if isinstance(node, (ast.Call, ast.Tuple, ast.List)):
            given = node.args if isinstance(node, ast.Call) else node.elts
            for one, other in pairwise(given):
                yield (
                    node.lineno,
                    [
                        (*definition.span(one), definition.source(other)),
                        (*definition.span(other), definition.source(one)),
                    ],
                )


def unwrap_expression(definition: Definition) -> Changes:
    """An expression becomes one of its parts."""
    for node in definition.inner:
        if isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            for part in ast.iter_child_nodes(node):
                if isinstance(part, ast.expr):
                    yield _replace(definition, node, definition.source(part))


def wrap_expression(definition: Definition) -> Changes:
    for node in definition.inner:
        if isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            text = definition.source(node)
            for pattern in (
                "({})[0]",
                "({}).zz",
                "({}).shape",
                "({})()",
                "int({})",
                "len({})",
                "[{}]",
                "({},)",
                "-({})",
                "not ({})",
                "str({})",
                "({})[0:1]",
                "list({})",
                "float({})",
                "({} if True else None)",
            ):
                yield _replace(definition, node, pattern.format(text))


def change_operator(definition: Definition) -> Changes:
    for node in definition.inner:
        if isinstance(node, (ast.BinOp, ast.Compare, ast.BoolOp)):
            parts = [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)]
            start, end = definition.span(parts[0])[1], definition.span(parts[1])[0]
            if not definition.text[start:end].strip(" ()\n").strip():
                continue
            for new in _OPERATORS:
                yield _replace(
                    definition, node, f"({definition.source(parts[0])}) {new} ({definition.source(parts[1])})"
                )


def delete_statement(definition: Definition) -> Changes:
    for statement in definition.statements:
        yield _replace(definition, statement, "pass")


def duplicate_statement(definition: Definition) -> Changes:
    for statement in definition.statements:
        if definition.own_line(statement):
            indent = " " * statement.col_offset
            end = definition.span(statement)[1]
            yield statement.lineno, [(end, end, f"\n{indent}{definition.source(statement)}")]


def swap_statements(definition: Definition) -> Changes:
    for block in definition.blocks:
        for one, other in pairwise(block):
            if definition.own_line(one) and definition.own_line(other):
                yield (
                    one.lineno,
                    [
                        (*definition.span(one), definition.source(other)),
                        (*definition.span(other), definition.source(one)),
                    ],
                )


def wrap_statement(definition: Definition) -> Changes:
    headers = (
        "if torch.ones(1) > 0:",
        "if True:",
        "if False:",
        "for zz in range(3):",
        "while torch.ones(1) > 0:",
        "for zz in [1.5]:",
        "for zz in (1, 2):",
        "with torch.no_grad():",
        "if torch.jit.is_scripting():",
        "if not torch.jit.is_scripting():",
        "if None is None:",
    )
    for statement in definition.statements:
        if definition.own_line(statement) and "\n" not in definition.source(statement):
            indent = " " * statement.col_offset
            for header in headers:
                yield _replace(definition, statement, f"{header}\n{indent}    {definition.source(statement)}")


def empty_branch(definition: Definition) -> Changes:
    for node in definition.inner:
        if isinstance(node, (ast.If, ast.For, ast.While)):
            for block in (node.body, node.orelse):
                if block and definition.own_line(block[0]) and block[0].col_offset > node.col_offset:
                    yield block[0].lineno, [(*definition.whole(block), "pass")]


def drop_else(definition: Definition) -> Changes:
    for node in definition.inner:
        if isinstance(node, ast.If) and node.orelse:
            start = definition.span(node.body[-1])[1]
            yield node.orelse[0].lineno, [(start, definition.whole(node.orelse)[1], "")]


def change_condition(definition: Definition) -> Changes:
    for node in definition.inner:
        if isinstance(node, (ast.If, ast.While, ast.IfExp)):
            text = definition.source(node.test)
            for new in (
                "True",
                "False",
                "None",
                f"not ({text})",
                f"({text}) and True",
                f"({text}) or False",
                "1",
                "[]",
                "torch.jit.is_scripting()",
            ):
                yield _replace(definition, node.test, new)
            for name in definition.names:
                for test in (f"{name} is None", f"{name} is not None", name, f"isinstance({name}, int)"):
                    yield _replace(definition, node.test, test)


def change_return(definition: Definition) -> Changes:
    for node in definition.inner:
        if isinstance(node, ast.Return) and node.value is not None:
            for new in _VALUES:
                yield _replace(definition, node.value, new)
            yield _replace(definition, node, definition.source(node.value))
            yield _replace(definition, node, "return")
            yield _replace(definition, node.value, f"({definition.source(node.value)}, 1)")


def change_target(definition: Definition) -> Changes:
    for node in definition.inner:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            text = definition.source(node.targets[0])
            for new in (
                f"{text} = zz",
                f"({text}, zz)",
                f"[{text}]",
                f"{text}: int",
                f"{text}: Optional[torch.Tensor]",
            ):
                yield _replace(definition, node.targets[0], new)
            if isinstance(node.targets[0], ast.Name):
                for new in (f"{text}[0]", f"{text}.zz", f"{text}.data"):
                    yield _replace(definition, node.targets[0], new)
                for operator in ("+", "-", "*", "/", "//", "%", "**", "|", "@"):
                    yield _replace(definition, node, f"{text} {operator}= {definition.source(node.value)}")


def insert_statement(definition: Definition) -> Changes:
    for position, statement in enumerate(definition.statements):
        is_docstring = position == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if is_docstring or not definition.own_line(statement):
            continue
        start, indent = definition.span(statement)[0], " " * statement.col_offset
        for new in _INSERTIONS:
            text = new.replace("\n", "\n" + indent)
            yield statement.lineno, [(start, start, f"{text}\n{indent}")]


_Kind = Callable[[Definition], Changes]
KINDS: tuple[_Kind, ...] = (
    drop_annotation,
    change_annotation,
    add_annotation,
    change_default,
    add_parameter,
    replace_value,
    replace_literal,
    other_name,
    misspell,
    drop_argument,
    add_argument,
    swap_arguments,
    unwrap_expression,
    wrap_expression,
    change_operator,
    delete_statement,
    duplicate_statement,
    swap_statements,
    wrap_statement,
    empty_branch,
    drop_else,
    change_condition,
    change_return,
    change_target,
    insert_statement,
)


def mutants(text: str, node: ast.FunctionDef, number: int, edits: int, seed: str) -> list[Mutant]:
    """Some texts of the module with the function changed, `edits` changes each; the same ones for the same seed."""
    drawing = random.Random(seed)
    first = list(_changes(Mutant("", node.lineno, text, _own_text(text, node)), node, number, drawing))
    return [_changed_further(mutant, node.lineno, edits - 1, drawing) for mutant in first]


def _changed_further(mutant: Mutant, first_line: int, edits: int, drawing: random.Random) -> Mutant:
    for _ in range(edits):
        node = ast.parse("\n" * (first_line - 1) + mutant.source).body[0]
        assert isinstance(node, ast.FunctionDef)
        mutant = next(_changes(mutant, node, 1, drawing), mutant)
    return mutant


def _changes(before: Mutant, node: ast.FunctionDef, number: int, drawing: random.Random) -> Iterator[Mutant]:
    """Single changes; every kind is as likely as any other."""
    definition = Definition(before.text, node)
    start = definition.offset(node.lineno, 0)
    left: dict[str, list[tuple[int, Sequence[Splice]]]] = {}
    for kind in KINDS:
        changes = list(kind(definition))
        if changes:
            left[kind.__name__] = drawing.sample(changes, min(len(changes), number))
    while left and number:
        name = drawing.choice(sorted(left))
        line, splices = left[name].pop()
        if not left[name]:
            del left[name]
        text = _spliced(before.text, splices)
        source = text[start : start + len(before.source) + len(text) - len(before.text)]
        if text != before.text and _is_python(source):
            number -= 1
            yield Mutant(f"{before.kind} {name}".strip(), line, text, source)


def _own_text(text: str, node: ast.FunctionDef) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(lines[node.lineno - 1 : node.end_lineno])


def _spliced(text: str, splices: Sequence[Splice]) -> str:
    for start, end, new in sorted(splices, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _is_python(source: str) -> bool:
    """Whether Python takes the changed function."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(source, "<changed>", "exec")
        except SyntaxError:
            return False
    return len(ast.parse(source).body) == 1
