"""The case format itself: what is read out of a file, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.format import FormatError, Section, read_sections


def sections(folder: Path, text: str) -> tuple[Section, ...]:
    path = folder / "sample.md"
    path.write_text(text, encoding="utf-8")
    return read_sections(path)


def test_blocks_concatenate_behind_the_preamble(tmp_path: Path) -> None:
    (section,) = sections(
        tmp_path, "# A\n```py preamble\nimport torch\n```\n## B\n```py\nx = 1\n```\nText.\n```py\ny = x\n```\n"
    )
    assert section.title == "B"
    assert section.files["main.py"].split() == ["import", "torch", "x", "=", "1", "y", "=", "x"]
    line = section.files["main.py"].split("\n").index("y = x")
    assert section.where("main.py", line) == "sample.md:11"


def test_files_are_named_before_their_block(tmp_path: Path) -> None:
    (section,) = sections(tmp_path, "# A\n`other.py`:\n```py\nx = 1\n```\n```py\nimport other\n```\n")
    assert section.files == {"main.py": "import other\n", "other.py": "x = 1\n"}


def test_markers(tmp_path: Path) -> None:
    (section,) = sections(
        tmp_path,
        '```py\nf(x)  # error: [one] (no place) # warning: [two] (later) "text"\n#^^ revealed: int\n# ^ dropped\n```\n',
    )
    one, two, revealed, dropped = section.markers
    assert (one.kind, one.code, one.line, one.placed, one.later) == ("error", "one", 0, False, False)
    assert (two.kind, two.code, two.text, two.placed, two.later) == ("warning", "two", "text", True, True)
    assert (revealed.kind, revealed.text, revealed.line, revealed.columns) == ("revealed", "int", 0, (1, 3))
    assert (dropped.kind, dropped.line, dropped.columns) == ("dropped", 0, (2, 3))


def test_a_fixed_block_replaces_definitions(tmp_path: Path) -> None:
    (section,) = sections(
        tmp_path,
        "```py\ndef f():\n    return 1\n\n@deco\ndef g():\n    return 2\n```\n"
        '```py fixed="code"\nimport more\n\ndef g():\n    return 3\n```\n',
    )
    (fixed,) = section.fixed
    assert (fixed.code, fixed.names) == ("code", ("g",))
    assert fixed.text == "import more\ndef f():\n    return 1\n\ndef g():\n    return 3\n"


@pytest.mark.parametrize(
    "text",
    [
        "```py\nx = 1  # error [code]\n```\n",
        "```py\nx = 1  # error: code\n```\n",
        "```py\nx = 1\n#   ^ unknown: thing\n```\n",
        "```py wrong\nx = 1\n```\n",
        "```py\nx = 1\n",
        "# A\n```toml\nunknown = 1\n```\n```py\nx = 1\n```\n",
        '```py\nx = 1\n```\n```py fixed="code"\ndef f(): pass\n```\n',
        "# A\n## B\n```py\n```\n## B\n```py\n```\n",
    ],
)
def test_what_is_no_case_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(FormatError):
        sections(tmp_path, text)
