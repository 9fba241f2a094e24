"""Whatever edits are made, the facts kept up to date are those from scratch."""

from __future__ import annotations

import contextlib
import difflib
import importlib.util
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases.format import MAIN, read_sections
from tests.edits import PIECES, storm
from tests.facts_text import facts_text
from ts_lsp.semantic.analysis import Analysis
from ts_lsp.semantic.incremental import IncrementalAnalysis
from ts_lsp.torchdata.loader import load
from ts_lsp.values.workspace import Workspace

CASES = Path(__file__).parent.parent / "cases"
Files = Mapping[str, str]


def programs() -> list[Files]:
    """The programs of the cases."""
    paths = [path for path in sorted(CASES.rglob("*.md")) if path.name != "README.md"]
    return [section.files for path in paths for section in read_sections(path)]


PROGRAMS = programs()
SEVERAL_FILES = [files for files in PROGRAMS if len(files) > 1]


def from_scratch(files: Files, scope: str) -> dict[str, list[str]]:
    analysis = Analysis(load(), Workspace(load()))
    for path, text in files.items():
        analysis.workspace.set_source(path, text)
    return {facts.path: facts_text(facts) for facts in analysis.check(list(files), scope)}


class Editor:
    """Files that are open, and the facts kept of them."""

    def __init__(self, files: Files, scope: str) -> None:
        self.files = dict(files)
        self.analysis = IncrementalAnalysis(load(), Workspace(load()), scope)
        for path, text in files.items():
            self.analysis.apply_change(path, text)
        self.analysis.watch(files)
        self.analysis.refresh()

    def change(self, path: str, text: str) -> None:
        self.files[path] = text
        self.analysis.apply_change(path, text)

    def differences(self) -> list[str]:
        """Where the facts kept (+) are not those from scratch (-)."""
        expected = from_scratch(self.files, self.analysis.scope)
        kept = {path: facts_text(facts) for path, facts in self.analysis.refresh().items()}
        return [
            f"{path} {line[:300]}"
            for path in self.files
            if kept[path] != expected[path]
            for line in difflib.unified_diff(expected[path], kept[path], lineterm="", n=0)
        ]


@pytest.mark.parametrize("seed", range(40))
def test_storms_over_the_cases(seed: int) -> None:
    source = random.Random(seed)
    files = source.choice(PROGRAMS)
    editor = Editor(files, source.choice(("scripted", "scripted", "all")))
    path = source.choice(list(files))
    others = [source.choice(PROGRAMS)[MAIN] for _ in range(3)]
    for text in storm(files[path], seed, 30, others):
        editor.change(path, text)
        if source.random() < 0.3:
            editor.analysis.edited_facts(path)
        if source.random() < 0.8:  # some edits come before the facts of the last were asked for
            assert not editor.differences(), text
    assert not editor.differences()


@pytest.mark.parametrize("seed", range(20))
def test_storms_over_several_files(seed: int) -> None:
    source = random.Random(seed)
    files = source.choice(SEVERAL_FILES)
    editor = Editor(files, "scripted")
    storms = {path: storm(text, seed, 40) for path, text in files.items()}
    for _ in range(30):
        path = source.choice(list(files))
        text = next(storms[path], None)
        if text is not None:
            editor.change(path, text)
        if source.random() < 0.1:  # another branch
            for name, original in files.items():
                editor.change(name, original)
        assert not editor.differences(), (path, text)


def real_files() -> Iterator[Path]:
    """Sources of torch that are full of modules and scripted functions; none where torch is not installed."""
    found = importlib.util.find_spec("torch")
    if found is not None and found.origin is not None:
        folder = Path(found.origin).parent
        for name in ("nn/modules/rnn.py", "nn/modules/activation.py", "nn/modules/container.py", "functional.py"):
            yield folder / name


@pytest.mark.slow
@pytest.mark.parametrize("path", list(real_files()), ids=lambda path: path.name)
def test_storms_over_real_files(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    editor = Editor({"real.py": text}, "all")
    for number, each in enumerate(storm(text, len(text), 24)):
        editor.change("real.py", each)
        if number % 4 == 3:
            assert not editor.differences()


edits = st.tuples(st.floats(0, 1), st.integers(0, 12), st.sampled_from(PIECES))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, len(PROGRAMS) - 1), st.lists(edits, min_size=1, max_size=8))
def test_any_edits(number: int, made: Sequence[tuple[float, int, str]]) -> None:
    files = PROGRAMS[number]
    editor = Editor(files, "scripted")
    text = files[MAIN]
    for where, removed, piece in made:
        place = int(where * len(text))
        text = text[:place] + piece + text[place + removed :]
        editor.change(MAIN, text)
        assert not editor.differences()


@pytest.mark.parametrize("seed", range(15))
def test_files_come_while_others_are_edited(seed: int) -> None:
    source = random.Random(seed)
    files = source.choice(SEVERAL_FILES)
    editor = Editor(files, "scripted")
    first, *others = files
    editor.analysis.watch([first])
    editor.analysis.refresh()
    editor.analysis.watch_later(others)
    stops = source.randrange(4)

    def pause() -> None:
        nonlocal stops
        stops -= 1
        if stops == 0:
            raise InterruptedError

    for text in storm(files[first], seed, 3):
        editor.change(first, text)
        assert editor.analysis.edited_facts(first) or editor.analysis.whole_facts(first, lambda: None)
        with contextlib.suppress(InterruptedError):
            editor.analysis.refresh(pause)
    editor.files = {path: editor.files[path] for path in (first, *others)}
    assert not editor.differences()
    assert editor.analysis.is_current
