"""The programs on the pages of the rules, and what ts-lsp says of programs."""

from __future__ import annotations

from collections.abc import Iterator

from scripts import rule_examples
from scripts.rule_examples import PREAMBLE
from ts_lsp.rules.diagnostics import Diagnostic, RuleChoice, fixes_of
from ts_lsp.rules.files import file_diagnostics
from ts_lsp.semantic.analysis import Analysis
from ts_lsp.text import TextEdit, apply_edits
from ts_lsp.torchdata.loader import load
from ts_lsp.values.workspace import Workspace

# These speak of files and comments, or of what the compiler never gets to see.
WITHOUT_REFUSAL = frozenset({"unused-suppression", "unknown-suppression", "unreadable-file", "nested-too-deeply"})


def programs(code: str, title: str) -> list[str]:
    """The programs of a section of a rule's page, each with the imports that the pages leave out."""
    return [PREAMBLE + program for program in rule_examples.programs(code, title)]


EVERYTHING = RuleChoice()


def diagnostics(text: str, choice: RuleChoice = EVERYTHING) -> tuple[Diagnostic, ...]:
    """What is said of a file with this text."""
    workspace = Workspace(load())
    workspace.set_source("program.py", text)
    facts = Analysis(load(), workspace).file_facts("program.py")
    source = workspace.source("program.py")
    assert source is not None
    return file_diagnostics("program.py", source, facts.definitions, workspace.units("program.py"), choice)


def mended_programs(text: str, code: str) -> Iterator[str]:
    """The text after each fix of each finding of that rule."""
    for diagnostic in diagnostics(text):
        if diagnostic.code == code:
            for fix in fixes_of(diagnostic, text):
                yield apply_edits(text, [TextEdit(edit.range, edit.text) for edit in fix.edits])
