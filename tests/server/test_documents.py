"""Texts under edits, in every unit that clients count in."""

from __future__ import annotations

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ts_lsp.server.documents import Change, Document, open_lines
from ts_lsp.server.units import ENCODINGS, Encoding, choose_encoding, column_of, joined_pairs, units_of
from ts_lsp.text import Position

FRAGMENTS = (
    "a",
    "bc",
    "\n",
    "\r",
    "\r\n",
    "\f",
    "\u2028",
    "\x85",
    "é",
    "😋",
    "\ud83d",
    "\ude0b",
    "\t",
    "\ufeff",
    "x = 1",
)
texts = st.lists(st.sampled_from(FRAGMENTS), max_size=12).map(lambda parts: joined_pairs("".join(parts)))
places = st.tuples(st.integers(-1, 14), st.integers(-1, 20))
encodings = st.sampled_from(ENCODINGS)


def document(text: str, encoding: Encoding = "utf-16") -> Document:
    return Document("file:///a.py", "/a.py", 1, open_lines(text), encoding)


def edited(text: str, start: tuple[int, int], end: tuple[int, int], new: str, encoding: Encoding = "utf-16") -> str:
    return document(text, encoding).changed([Change(start, end, new)], 2).text


def size(character: str, encoding: Encoding) -> int:
    """The code units of a character, by the definition of each encoding."""
    code = ord(character)
    if encoding == "utf-8":
        return 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4
    return 2 if encoding == "utf-16" and code > 0xFFFF else 1


@pytest.mark.parametrize(
    ("text", "start", "end", "new", "expected"),
    [
        ("x = 1\n\x0c\ny = 2\n", (2, 4), (2, 5), "34", "x = 1\n\x0c\ny = 34\n"),
        ("a\u2028b\nc", (1, 0), (1, 1), "Z", "a\u2028b\nZ"),
        ("abc", (0, 0), (0, 99), "Z", "Z"),
        ("a\n", (5, 0), (9, 0), "Z", "a\nZ"),
        ("a\n", (1, 0), (1, 0), "Z", "a\nZ"),
        ("a😋b\r\nc", (0, 3), (0, 4), "Z", "a😋Z\r\nc"),
        ("a\r\nb", (0, 9), (1, 0), "", "ab"),
        ("a\rb", (1, 0), (1, 0), "\n", "a\r\nb"),
        ("a\rb\nc", (1, 0), (1, 1), "", "a\r\nc"),
        ("ab", (0, 2), (0, 1), "Z", "abZ"),
        ("", (0, 0), (0, 0), "Z\n", "Z\n"),
    ],
)
def test_an_edit(text: str, start: tuple[int, int], end: tuple[int, int], new: str, expected: str) -> None:
    assert edited(text, start, end, new) == expected


def test_halves_of_a_character_find_each_other() -> None:
    assert edited("a😋b", (0, 2), (0, 3), "") == "a\ud83db"
    assert edited("a\ud83db", (0, 2), (0, 2), "\ude0b") == "a😋b"


def test_the_whole_text_is_replaced() -> None:
    changed = document("a\nb").changed([Change(None, (0, 0), "c\n"), Change((1, 0), (1, 0), "d")], 7)
    assert (changed.text, changed.version) == ("c\nd", 7)


@given(texts, encodings, st.lists(st.tuples(places, places, texts), min_size=1, max_size=4))
def test_edits_do_what_they_do_to_the_whole_text(
    text: str, encoding: Encoding, edits: list[tuple[tuple[int, int], tuple[int, int], str]]
) -> None:
    current, expected = document(text, encoding), text
    for start, end, new in edits:
        end = max(start, end)
        units = in_units(expected) if encoding == "utf-16" else expected
        first, last = (offset(units, *place, encoding) for place in (start, end))
        expected = joined_pairs(units[:first] + new + units[last:])
        current = current.changed([Change(start, end, new)], None)
        assert current.text == expected
        assert list(current.lines) == open_lines(expected)


def in_units(text: str) -> str:
    """The text with two surrogates for each character that UTF-16 needs two units for."""
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(int.from_bytes(data[at : at + 2], "little")) for at in range(0, len(data), 2))


def offset(text: str, line: int, units: int, encoding: Encoding) -> int:
    """The offset of a place, walking through the text one character (in UTF-16: one unit) after the other."""
    starts = [0, *(index + 1 for index in range(len(text)) if ends_line(text, index))]
    if line < 0:
        return 0
    if line >= len(starts):
        return len(text)
    at = starts[line]
    while units > 0 and at < len(text) and text[at] not in "\r\n":
        units -= size(text[at], encoding)
        if units < 0:
            break
        at += 1
    return at


def ends_line(text: str, index: int) -> bool:
    return text[index] == "\n" or (text[index] == "\r" and text[index + 1 : index + 2] != "\n")


@given(st.text(alphabet=st.characters(exclude_characters="\r\n"), max_size=8), encodings)
def test_columns_come_back(line: str, encoding: Encoding) -> None:
    units = [0, *accumulate(size(each, encoding) for each in line)]
    assert [units_of(line, column, encoding) for column in range(len(line) + 1)] == units
    assert [column_of(line, each, encoding) for each in units] == list(range(len(line) + 1))


def test_a_place_inside_a_character_is_its_start() -> None:
    assert [column_of("é😋", units, "utf-8") for units in range(8)] == [0, 0, 1, 1, 1, 1, 2, 2]
    assert [column_of("é😋", units, "utf-16") for units in range(5)] == [0, 1, 1, 2, 2]


def test_places_outside_the_text_are_the_nearest_inside() -> None:
    text = document("ab\ncd")
    assert text.position(-1, 7) == Position(0, 0)
    assert text.position(0, -3) == Position(0, 0)
    assert text.position(0, 99) == Position(0, 2)
    assert text.position(9, 0) == Position(1, 2)
    assert text.units(Position(9, 9)) == (1, 2)


def test_the_first_encoding_of_the_client_that_is_known_is_taken() -> None:
    assert choose_encoding(["utf-7", "utf-8", "utf-16"]) == "utf-8"
    assert choose_encoding(["utf-16", "utf-8"]) == "utf-16"
    assert choose_encoding([]) == choose_encoding(["latin-1"]) == "utf-16"
