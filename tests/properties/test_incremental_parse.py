"""Parsing again after edits gives what parsing from scratch gives, and keeps untouched chunks."""

from __future__ import annotations

import ast

from hypothesis import given, settings
from hypothesis import strategies as st

from ts_lsp.syntax.parser import parse_source, reparse
from ts_lsp.syntax.tree import SourceFile

_LINES = st.sampled_from(
    [
        "",
        "import torch",
        "@torch.jit.script",
        "@wrapped(",
        "def f(x):",
        "    return x.y[0]",
        "    x.",
        "    for i in x:",
        "        pass",
        "class A:",
        "    def g(self):",
        "        return 'é'",
        "else:",
        "# comment",
        "    # comment",
        "y = foo(",
        ")",
        "z = [1, 2]",
        '"""',
        "'",
        "w = 'a # b'  # c",
        "x = 1 \\",
        "\x0cdef h(): pass",
        "\tx = 1",
        "\0",
        "\ufeff",
        "if x:",
        "try:",
        "except E:",
        "'''doc",
        "'''",
        "async def k(): pass",
    ]
)
_ENDS = st.sampled_from(["\n", "\n", "\n", "\n", "\r\n", "\r", ""])
_TEXTS = st.lists(st.tuples(_LINES, _ENDS), max_size=25).map(lambda pairs: "".join(a + b for a, b in pairs))
_EDITS = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 12), st.one_of(_TEXTS, st.text(max_size=3), _LINES)), max_size=4
)


def _dump(file: SourceFile) -> list[object]:
    return [
        (
            placed.first_line,
            placed.chunk.text,
            ast.dump(placed.chunk.tree, include_attributes=True),
            placed.chunk.problems,
        )
        for placed in file.chunks
    ]


@given(text=_TEXTS, edits=_EDITS)
@settings(max_examples=400, deadline=None)
def test_reparse_equals_parsing_from_scratch(text: str, edits: list[tuple[float, int, str]]) -> None:
    file = parse_source(text)
    for where, length, new in edits:
        start = int(where * len(text))
        text = text[:start] + new + text[start + length :]
        before = [placed.chunk for placed in file.chunks]
        file = reparse(file, text)
        assert _dump(file) == _dump(parse_source(text))
        assert "".join(placed.chunk.text for placed in file.chunks) == text
        after = [placed.chunk for placed in file.chunks]
        assert len(set(map(id, after))) == len(after)
        for kept in {chunk.text for chunk in before} & {chunk.text for chunk in after}:
            old = [chunk for chunk in before if chunk.text == kept]
            new_ones = [chunk for chunk in after if chunk.text == kept]
            reused = [chunk for chunk in new_ones if any(chunk is other for other in old)]
            assert len(reused) == min(len(old), len(new_ones))


@given(text=st.text(alphabet=st.sampled_from("\n\r\t\f ()[]{}'\"\\#:@.,=+abdef\0é\ufeff\ud800"), max_size=60))
@settings(max_examples=600, deadline=None)
def test_any_text_is_parsed(text: str) -> None:
    file = parse_source(text)
    assert "".join(placed.chunk.text for placed in file.chunks) == text
    for placed in file.chunks:
        assert len(placed.chunk.comments) >= len(placed.chunk.suppressions)
        for problem in placed.chunk.problems:
            place = problem.range
            assert 0 <= place.line <= place.end_line < len(placed.chunk.lines)
            assert 0 <= place.column <= place.end_column <= len(placed.chunk.lines.line(place.line))
