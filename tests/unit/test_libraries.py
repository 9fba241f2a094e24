"""What the program takes from the environment is checked for its callers' sake, and fully once somebody asks for it."""

from __future__ import annotations

from dataclasses import dataclass

from ts_lsp.semantic.analysis import Analysis
from ts_lsp.torchdata.loader import load
from ts_lsp.values.workspace import Workspace

LIBRARY = """
def unrelated(x):
    return x + 1

def faulty(x):
    y = x.no_such_attribute
    z = unrelated(x)
    return x.nor_this_one
"""
PROGRAM = """
import torch
import library

@torch.jit.script
def use(x):
    return library.faulty(x)
"""
BRANCHES = """
import torch
import unheard_of

@torch.jit.script
def doubtful(x):
    if isinstance(x, unheard_of.Kind):
        return x.no_such_attribute
    return x

@torch.jit.script
def certain(x):
    if isinstance(x, unheard_of.Kind):
        y = 1
    return x.no_such_attribute
"""


@dataclass(frozen=True)
class Library:
    path: str = "site-packages/library.py"
    name: str = "library"
    text: str = LIBRARY
    is_package: bool = False
    external: bool = True


class Environment:
    """A reader that finds the library and nothing else."""

    def find_module(self, dotted: str, importing_path: str) -> Library | None:
        return Library() if dotted == "library" else None

    def module_name(self, path: str) -> tuple[str, bool]:
        return path.rpartition("/")[2].removesuffix(".py"), False


def analysis_of(text: str) -> Analysis:
    torch = load("2.13.0")
    workspace = Workspace(torch, Environment())
    workspace.set_source("main.py", text)
    return Analysis(torch, workspace)


def compiled_names(analysis: Analysis) -> set[str]:
    return {value.name for value, _, _ in analysis.program.functions}


def test_a_library_is_followed_to_its_first_mistake() -> None:
    analysis = analysis_of(PROGRAM)
    (use,) = analysis.file_facts("main.py").definitions
    assert use.verdict == "error"
    assert use.first_error is not None
    assert use.first_error.code == "unknown-attribute"
    assert [finding.code for finding in use.findings] == ["failing-callee"]
    assert compiled_names(analysis) == {"use", "faulty"}


def test_a_library_that_is_asked_for_is_checked_whole() -> None:
    analysis = analysis_of(PROGRAM)
    analysis.file_facts("main.py")
    facts = analysis.file_facts(Library().path, "all")
    faulty = next(each for each in facts.definitions if each.qualname == "faulty")
    assert [finding.data["name"] for finding in faulty.findings] == ["no_such_attribute", "nor_this_one"]
    assert "unrelated" in compiled_names(analysis)


def test_a_branch_the_compiler_may_drop_has_no_mistakes() -> None:
    doubtful, certain = analysis_of(BRANCHES).file_facts("main.py").definitions
    assert (doubtful.verdict, doubtful.findings) == ("unknown", ())
    assert (certain.verdict, [finding.code for finding in certain.findings]) == ("error", ["unknown-attribute"])
