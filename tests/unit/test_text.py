"""Lines, columns, edits and the decoding of bytes."""

from __future__ import annotations

import ast
import io
import tokenize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ts_lsp.text import (
    Draft,
    EditsTogether,
    Lines,
    Range,
    TextEdit,
    apply_edits,
    count_line_ends,
    decode_source,
    range_of,
    split_lines,
)

_SPECIAL_TEXT = st.text(alphabet="ab\n\r\f\v\x1c\x85\u2028é日𝒳", max_size=40)


@given(_SPECIAL_TEXT)
def test_lines_end_where_universal_newlines_end_them(text: str) -> None:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    expected = io.StringIO(plain, newline="\n").readlines()
    assert [line.rstrip("\r\n") for line in split_lines(text)] == [line.rstrip("\n") for line in expected]
    assert "".join(split_lines(text)) == text
    assert count_line_ends(text) == plain.count("\n")
    assert len(Lines(text)) == plain.count("\n") + 1


def test_python_counts_the_same_lines() -> None:
    text = "a = 1\r\nb = '''\u2028\f'''\rc = 3\n\f\nd = 4"
    tree = ast.parse(text)
    lines = Lines(text)
    assert [lines.line(statement.lineno - 1)[0] for statement in tree.body] == ["a", "b", "c", "d"]


@given(_SPECIAL_TEXT, st.integers(0, 50))
def test_offsets_and_positions_are_inverse(text: str, offset: int) -> None:
    lines = Lines(text)
    offset = min(offset, len(text))
    line, column = lines.position(offset)
    assert lines.starts[line] + column == offset
    inside = column <= len(lines.line(line))
    assert not inside or lines.offset(line, column) == offset


@given(_SPECIAL_TEXT)
def test_byte_columns_and_columns_are_inverse(text: str) -> None:
    lines = Lines(text)
    for number in range(len(lines)):
        line = lines.line(number)
        for column in range(len(line) + 1):
            byte_column = lines.byte_column(number, column)
            assert byte_column == len(line[:column].encode())
            assert lines.column(number, byte_column) == column


def test_a_byte_inside_a_character_is_its_column() -> None:
    lines = Lines("日本")
    assert [lines.column(0, byte) for byte in range(8)] == [0, 0, 0, 1, 1, 1, 2, 3]


def test_range_of_counts_code_points() -> None:
    text = "é = '日本'; name = é\n"
    lines = Lines(text)
    _, second = ast.parse(text).body
    assert range_of(second, lines) == Range(0, 10, 0, 18)
    assert lines.slice(range_of(second, lines)) == "name = é"


def test_places_outside_are_cut() -> None:
    lines = Lines("ab\ncd")
    assert lines.offset(0, 9) == 2
    assert lines.offset(7, 0) == 5
    assert lines.position(99) == (1, 2)
    assert lines.line(5) == ""


def test_edits_refer_to_the_text_before() -> None:
    text = "one two\r\nthree\r\n"
    edits = [
        TextEdit(Range(1, 0, 1, 5), "3"),
        TextEdit(Range(0, 0, 0, 3), "1"),
        TextEdit(Range(0, 7, 0, 7), "!"),
    ]
    assert apply_edits(text, edits) == "1 two!\r\n3\r\n"


def test_insertions_at_one_place_keep_their_order() -> None:
    place = Range(0, 1, 0, 1)
    assert apply_edits("ab", [TextEdit(place, "1"), TextEdit(place, "2")]) == "a12b"


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        ("x = 'é'".encode(), "x = 'é'", "utf-8"),
        (b"\xef\xbb\xbfx = 1", "x = 1", "utf-8-sig"),
        ("# -*- coding: latin-1 -*-\nx = 'é'".encode("latin-1"), "# -*- coding: latin-1 -*-\nx = 'é'", "iso-8859-1"),
        ("#!/bin/python\n# vim: set fileencoding=cp1252 :\n'€'".encode("cp1252"), None, "cp1252"),
        (b"", "", "utf-8"),
        (b"a\r\nb\r", "a\r\nb\r", "utf-8"),
    ],
)
def test_decoding(data: bytes, text: str | None, encoding: str) -> None:
    decoded = decode_source(data)
    assert decoded.problem is None
    assert decoded.encoding == encoding == tokenize.detect_encoding(io.BytesIO(data).readline)[0]
    assert decoded.text == (data.decode(encoding) if text is None else text)


@pytest.mark.parametrize(
    "data",
    [
        b"x = '\xe9'\n",
        b"# coding: no-such-thing\nx = 1\n",
        b"# coding: rot13\nx = 1\n",
        b"\xef\xbb\xbf# coding: latin-1\n",
        b"# coding: ascii\nx = '\xc3\xa9'\n",
    ],
)
def test_undecodable_bytes_give_a_problem_and_a_text(data: bytes) -> None:
    decoded = decode_source(data)
    assert decoded.problem
    assert decoded.text
    assert not decoded.is_binary


def test_binary_data() -> None:
    decoded = decode_source(b"\x7fELF\0\0\1")
    assert decoded.is_binary
    assert decoded.problem


@given(st.binary(max_size=60))
def test_no_bytes_raise(data: bytes) -> None:
    decode_source(data)
    decode_source(b"# coding: " + data)


@given(st.text("ab\né\r", max_size=12), st.data())
def test_a_draft_knows_the_way_from_its_original(original: str, data: st.DataObject) -> None:
    draft = Draft(original)
    for _ in range(data.draw(st.integers(1, 4))):
        places = data.draw(st.lists(st.integers(0, len(draft.text)), max_size=6).map(sorted))
        lines = Lines(draft.text)
        edits = [
            TextEdit(Range(*lines.position(start), *lines.position(end)), data.draw(st.text("xy\n", max_size=3)))
            for start, end in zip(places[::2], places[1::2], strict=False)
            if "\r\n" not in (draft.text[start - 1 : start + 1], draft.text[end - 1 : end + 1])
        ]
        expected = apply_edits(draft.text, edits)
        draft = draft.after(edits)
        assert draft.text == expected
    assert apply_edits(original, draft.edits) == draft.text


def _edit(line: int, column: int, end_column: int, text: str = "new") -> TextEdit:
    return TextEdit(Range(line, column, line, end_column), text)


def test_edits_are_taken_whole_or_not_at_all() -> None:
    together = EditsTogether()
    assert together.take([("a.py", _edit(1, 0, 4))])
    assert not together.take([("a.py", _edit(5, 0, 1)), ("a.py", _edit(1, 3, 6))])
    assert together.by_path() == {"a.py": (_edit(1, 0, 4),)}


def test_an_edit_that_is_wanted_twice_is_taken_once() -> None:
    together = EditsTogether()
    insertion = _edit(0, 0, 0, "import torch\n")
    assert together.take([("a.py", insertion), ("a.py", _edit(3, 1, 2))])
    assert together.take([("a.py", insertion), ("a.py", _edit(4, 1, 2))])
    assert not together.take([("a.py", _edit(0, 0, 0, "import math\n"))])
    assert together.by_path() == {"a.py": (insertion, _edit(3, 1, 2), _edit(4, 1, 2))}


def test_edits_side_by_side_and_in_other_files_do_not_clash() -> None:
    together = EditsTogether()
    assert together.take([("a.py", _edit(1, 0, 4)), ("b.py", _edit(1, 0, 4, "other"))])
    assert together.take([("a.py", _edit(1, 4, 4))])
