"""Reading the compiler's error texts, as torch prints them."""

from __future__ import annotations

from scripts.conformance.listings import Listing, read_headline, read_listings, read_message

_ONE_LINE = """
undefined value a:
  File "jit/sample.py", line 12
    def f(x):
        return x + a
                   ~ <--- HERE
"""

_SEVERAL_LINES = """
Function was not annotated as having type None, but does not return along all paths:
  File "sample.py", line 3

def f(x: int) -> int:
~~~~~~~~~~~~~~~~~~~~~

    if x:
    ~~~~~
        return 1
        ~~~~~~~~ <--- HERE
"""

_CALLED = """
cannot call a value of type 'Tensor':
  File "sample.py", line 2
def g(x):
    return x(1)
           ~~~ <--- HERE
'g' is being compiled since it was called from 'f'
  File "sample.py", line 5
def f(x):
    return g(x)
           ~~~ <--- HERE
"""


def test_one_marked_line() -> None:
    assert read_listings(_ONE_LINE) == [Listing("jit/sample.py", 12, 19, 12, 20)]


def test_the_message_ends_before_the_listing() -> None:
    assert read_message(_ONE_LINE) == "undefined value a"


def test_a_range_over_several_lines_counts_blank_ones() -> None:
    assert read_listings(_SEVERAL_LINES) == [Listing("sample.py", 3, 0, 6, 16)]


def test_callers_follow_the_error() -> None:
    error, caller = read_listings(_CALLED)
    assert (error.line, error.caller) == (2, False)
    assert (caller.line, caller.caller) == (5, True)


def test_a_place_without_marks_has_no_columns() -> None:
    assert read_listings('expected something:\n  File "<string>", line 2\ndef f():\n\n') == [
        Listing("<string>", 2, None, 2, None)
    ]


def test_a_file_on_the_message_line() -> None:
    text = "Unknown type annotation: 'T' at   File \"sample.py\", line 4\nx: T\n   ~ <--- HERE\n"
    assert read_message(text) == "Unknown type annotation: 'T'"
    assert read_listings(text) == [Listing("sample.py", 4, 3, 4, 4)]


def test_the_headline_is_the_first_paragraph() -> None:
    assert read_headline("Arguments for call are not valid.\n\n  aten::add") == "Arguments for call are not valid."
