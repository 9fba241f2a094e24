"""Chunks, recovery and comments."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from ts_lsp.syntax.parser import beyond_parsing, parse_source, reparse
from ts_lsp.syntax.tree import Chunk
from ts_lsp.text import Range


def _texts(text: str) -> list[str]:
    file = parse_source(text)
    assert "".join(placed.chunk.text for placed in file.chunks) == text
    return [placed.chunk.text for placed in file.chunks]


def _chunk(text: str) -> Chunk:
    (placed,) = parse_source(text).chunks
    return placed.chunk


def _saved(text: str) -> str:
    """What recovery keeps of a text in one chunk."""
    chunk = _chunk(text)
    assert chunk.problems
    return ast.unparse(chunk.tree)


@pytest.mark.parametrize(
    "pieces",
    [
        ["import a\n", "import b\n"],
        ["x = (\n1,\n2)\n", "y = 1\n"],
        ["x = '''\ndef f(): pass\n'''\n", "y = 1\n"],
        ['x = """a\\"""\nb"""\n', "y = 1\n"],
        ["x = 'a\\\nb'\n", "y = 1\n"],
        ["x = 1 + \\\n2\n", "y = 1\n"],
        ["x = 1 \\\n\n", "y = 1\n"],
        ["if a:\n    b\nelif c:\n    d\nelse:\n    e\n", "y = 1\n"],
        ["try:\n    a\nexcept E:\n    b\nfinally:\n    c\n", "else_ = 1\n"],
        ["@a\n@b(\nc)\n# d\n\ndef f():\n    pass\n", "y = 1\n"],
        ["@a\nasync def f():\n    pass\n", "@b\nclass C:\n    pass\n"],
        ["# head\n\n", "x = 1  # tail\n", "\n# between\n\n", "y = 1\n", "# end"],
        ["def f():\n# left\n    pass\n    # inside\n", "# outside\n", "y = 1"],
        ["x = 1\r\n", "y = 2\r", "z = 3\r\n", "\r\n"],
        ["x = '#'\n", "y = \"'\"  # it's\n", "z = 1\n"],
        ["\fdef f():\n    pass\n", "\fclass A: pass\n"],
        ["x = r'\\'\n'\n"[:9], "y = 1\n"],
        ["x = 1; y = 2\n", "z = f'{x}' f\"{y}\"\n"],
    ],
)
def test_chunks(pieces: list[str]) -> None:
    assert _texts("".join(pieces)) == pieces


def test_lines_of_chunks() -> None:
    file = parse_source("x = 1\r\n\ry = '''\r\n'''\n\n\nz = 1")
    assert [(placed.first_line, placed.chunk.text) for placed in file.chunks] == [
        (0, "x = 1\r\n"),
        (1, "\r"),
        (2, "y = '''\r\n'''\n"),
        (4, "\n\n"),
        (6, "z = 1"),
    ]


def test_an_unclosed_bracket_ends_at_the_next_definition() -> None:
    assert _texts("x = foo(\n    1,\ndef f(x):\n    return x\n") == ["x = foo(\n    1,\n", "def f(x):\n    return x\n"]
    assert _texts("x = [\n@torch.jit.script\ndef f(x): pass\n") == ["x = [\n", "@torch.jit.script\ndef f(x): pass\n"]


def test_an_unclosed_bracket_ends_at_the_next_line_that_is_not_indented() -> None:
    assert _texts("x = foo(\n    1,\ny = [2]\n3\nz = (\n4\n") == [
        "x = foo(\n    1,\n",
        "y = [2]\n",
        "3\n",
        "z = (\n4\n",
    ]
    assert _texts("x = foo(\ny = 1,\nz = [\n2,\n])\nw = 1\n") == ["x = foo(\ny = 1,\nz = [\n2,\n])\n", "w = 1\n"]


def test_an_unclosed_string_ends_with_its_line() -> None:
    assert _texts("x = 'abc\ny = 1\n") == ["x = 'abc\n", "y = 1\n"]
    assert _texts('x = """abc\ny = 1\n') == ['x = """abc\n', "y = 1\n"]


def test_unchanged_chunks_are_the_same_objects() -> None:
    old = parse_source("import a\n\ndef f():\n    return 1\n\ndef g():\n    return 2\n")
    new = reparse(old, "import a\n\n\ndef g():\n    return 2\n\ndef f():\n    return 3\n")
    before = {id(placed.chunk) for placed in old.chunks}
    assert [id(placed.chunk) in before for placed in new.chunks] == [True, False, True, True, False]


def test_equal_texts_are_two_chunks() -> None:
    file = reparse(parse_source("x = 1\nx = 1\n"), "x = 1\ny = 1\nx = 1\n")
    chunks = [placed.chunk for placed in file.chunks]
    assert chunks[0].text == chunks[2].text
    assert chunks[0] is not chunks[2]


@pytest.mark.parametrize(
    ("text", "saved"),
    [
        ("def f(x):\n    x.\n    return x\n", "def f(x):\n    pass\n    return x"),
        ("def f(x):\n    y = x + \n    return x\n", "def f(x):\n    pass\n    return x"),
        ("def f(x):\n    foo(x,\n    return x\n", "def f(x):\n    pass\n    return x"),
        (
            "def f(x):\n    z = foo(x,\n    y = 2\n    g(y)\n    return y\n",
            "def f(x):\n    pass\n    y = 2\n    g(y)\n    return y",
        ),
        ("def f(x):\n    z = foo(x, y[\n    x = 2\n    x.z()\n", "def f(x):\n    pass\n    x = 2\n    x.z()"),
        ("def f(x):\n    z = foo(\n\n    y: int = 2  # why (\n", "def f(x):\n    pass\n    y: int = 2"),
        (
            "def f(x):\n    foo(x,\n    if x:\n        y = [1\n        z = 3\n    y = 3\n",
            "def f(x):\n    pass\n    if x:\n        pass\n        z = 3\n    y = 3",
        ),
        ("def f(x):\n    if g(x:\n        y = 1\n    z = 2\n", "def f(x):\n    pass\n    z = 2"),
        ("def f(x):\n    1 = 2\n    y = foo(\n    z=3,\n    )\n", "def f(x):\n    pass\n    y = foo(z=3)"),
        ("def f(x):\n    if x\n        y\n    else:\n        z\n    return x\n", "def f(x):\n    pass\n    return x"),
        ("def f(x):\n    if x:  # why\n    return x\n", "def f(x):\n    if x:\n        pass\n    return x"),
        ("def f(x):\n", "def f(x):\n    pass"),
        ("def f(x):  # é", "def f(x):\n    pass"),
        ("class A:\n    def f(self", "class A:\n    pass"),
        (
            "class A:\n    @d\n    def f(self:\n        return 1\n    def g(self):\n        return 2\n",
            "class A:\n    pass\n\n    def g(self):\n        return 2",
        ),
        (
            "class A:\n    @d.\n    def f(self):\n        return 1\n",
            "class A:\n    pass\n\n    def f(self):\n        return 1",
        ),
        ("def f(x):\n    y\n      z\n    return x\n", "def f(x):\n    y\n    return x"),
        ("def f(x):\n        y\n    return x\n", "def f(x):\n    y"),
        ("def f(x):\n    é. ; y\n    return x\n", "def f(x):\n    pass\n    return x"),
        ("def f(x):\n    a b\n    return x\n    c d\n", "def f(x):\n    pass\n    return x\n    pass"),
        ("def f(x):\n    1 = x\n    return x\n", "def f(x):\n    pass\n    return x"),
        ("def f(x):\n    x = '\n    return x\n", "def f(x):\n    pass\n    return x"),
    ],
)
def test_recovery(text: str, saved: str) -> None:
    assert _saved(text) == saved


def test_what_recovery_keeps_stands_where_it_stood() -> None:
    text = "class A:\n    é.\n    def g(self): return self.é.x\n"
    tree = _chunk(text).tree
    intact = ast.parse(text.replace("é.\n", "é0\n"))
    kept, expected = (next(node for node in ast.walk(t) if isinstance(node, ast.FunctionDef)) for t in (tree, intact))
    assert ast.dump(kept, include_attributes=True) == ast.dump(expected, include_attributes=True)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("x = foo(1\n", Range(0, 7, 0, 8), "this bracket is never closed"),
        ("def f():\n  x = foo(1\n  y: int\n  return y\n", Range(1, 9, 1, 10), "this bracket is never closed"),
        ("é = 'abc\n", Range(0, 4, 0, 5), "this string is never closed"),
        ("if x\n", Range(0, 3, 0, 4), "a colon is missing here"),
        ("x = )\n", Range(0, 4, 0, 5), "this bracket closes nothing"),
        ("def f():\n", Range(0, 0, 0, 8), "an indented block is missing here"),
        ("x = 1\0\n", Range(0, 5, 0, 6), "Python allows no such character here"),
        ("x = '\ud800'\n", Range(0, 5, 0, 6), "Python allows no such character here"),
        ("\ufeffx = é y\n", Range(0, 7, 0, 8), "invalid syntax"),
    ],
)
def test_problems(text: str, place: Range, message: str) -> None:
    (problem,) = _chunk(text).problems
    assert problem.message == message
    assert problem.range == place


def test_a_byte_order_mark_is_no_problem() -> None:
    chunk = _chunk("\ufeffx = é\n")
    (statement,) = chunk.tree.body
    assert not chunk.problems
    assert statement.col_offset == 3


@pytest.mark.parametrize(
    "statement",
    ["x = " + "(" * 1000 + ")" * 1000, "x = " + "-" * 3000 + "1", "x = a" + ".b" * 5000, "x = " + "+".join("a" * 9999)],
)
def test_too_deep_statements_cost_only_themselves(statement: str) -> None:
    chunk = _chunk(f"def f():\n    {statement}\n    return 1\n")
    (function,) = chunk.tree.body
    assert isinstance(function, ast.FunctionDef)
    # How deep is too deep differs between versions of Python: some build any tree.
    if chunk.problems:
        assert [problem.message for problem in chunk.problems] == ["nested too deeply for Python"]
        assert [type(node) for node in function.body] == [ast.Pass, ast.Return]
    else:
        assert [type(node) for node in function.body] == [ast.Assign, ast.Return]


def test_too_many_brackets_are_a_problem() -> None:
    assert _chunk("x = " + "(" * 1000 + ")" * 1000 + "\n").problems


def test_other_definitions_survive_a_broken_one() -> None:
    file = parse_source("def f(x):\n    return x\n\ndef g(x:\n    return x\n\ndef h(x):\n    return x\n")
    kept = [node.name for placed in file.chunks for node in placed.chunk.tree.body if isinstance(node, ast.FunctionDef)]
    assert kept == ["f", "h"]
    assert [bool(placed.chunk.problems) for placed in file.chunks] == [False, False, True, False, False]


def test_odd_escapes_give_no_warning(recwarn: pytest.WarningsRecorder) -> None:
    parse_source("x = '\\d'\ny = 1is 2\n")
    assert not recwarn.list


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("def f():\n    break\n", 1),
        ("return 1\n", 0),
        ("def f(a, a): pass\n", 0),
        ("\ufeffx = 1\n", None),
        ("def f(x):\n    return x\n", None),
    ],
)
def test_what_parses_but_does_not_compile(text: str, line: int | None) -> None:
    chunk = _chunk(text)
    assert not chunk.problems
    assert [problem.range.line for problem in beyond_parsing(chunk)] == ([] if line is None else [line])


def test_long_files_are_split_at_every_statement() -> None:
    piece = "def f(x):\n    # why\n    return {'a': (x, [1, 2])}\n\n"
    for count in (1000, 4000):
        assert len(parse_source(piece * count).chunks) == 2 * count


@pytest.mark.parametrize("piece", ["'''", '"', "(", "x = (\n", "'''\n", "\\\n", "# '''\n", "@a(\n", "f'{"])
def test_what_is_never_closed_is_still_read(piece: str) -> None:
    file = parse_source(piece * 3000)
    assert "".join(placed.chunk.text for placed in file.chunks) == file.text


def test_comments_are_outside_strings() -> None:
    chunk = _chunk('x = [\'#a\', """\n#b\n"""]  # é \'c\'\n')
    (comment,) = chunk.comments
    assert comment.text == "# é 'c'"
    assert comment.range == Range(2, 6, 2, 13)
    assert not comment.own_line


def test_suppressions() -> None:
    chunk = _chunk(
        "def f():\n"
        "    # ts-lsp: ignore\n"
        "    a  # why # ts-lsp: ignore[one-code, two] because\n"
        "    b  # ts-lsp:ignore []\n"
        "    c  # ts-lsp: ignored\n"
        "    d = '# ts-lsp: ignore'\n"
    )
    first, second, third = chunk.suppressions
    assert first.codes is None
    assert first.own_line
    assert first.range == Range(1, 4, 1, 20)
    assert second.codes == (("one-code", Range(2, 30, 2, 38)), ("two", Range(2, 40, 2, 43)))
    assert chunk.lines.slice(second.range) == "# ts-lsp: ignore[one-code, two]"
    assert not second.own_line
    assert third.codes == ()


def test_the_layer_needs_only_the_standard_library() -> None:
    program = (
        "import sys; import ts_lsp.syntax.parser, ts_lsp.syntax.subset, ts_lsp.syntax.ranges;"
        "ts_lsp.syntax.parser.parse_source('x.');"
        "print([name for name in ('torch', 'parso', 'jedi', 'pygls') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
