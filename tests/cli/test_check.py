"""`ts-lsp check` from outside: formats, exit codes, fixes, and what it does with files that are no source."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import ROOT, python, ts_lsp, ts_lsp_process
from ts_lsp.cli.sharing import shares

OPTIONAL = """\
from typing import Optional

import torch
from torch import Tensor


@torch.jit.script
def add(x: Optional[Tensor]) -> Tensor:
    return x + 1
"""
CLEAN = OPTIONAL.replace("Optional[Tensor]", "Tensor")
PLACE = "9:12"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bad.py").write_text(OPTIONAL)
    (tmp_path / "good.py").write_text(CLEAN)
    return tmp_path


def test_nothing_found_is_0_and_says_nothing_on_stdout(folder: Path) -> None:
    run = ts_lsp("check", "good.py", folder=folder)
    assert (run.code, run.out) == (0, "")
    assert "nothing found in 1 file, 1 entry point" in run.err


def test_quiet_says_nothing_but_findings(folder: Path) -> None:
    assert ts_lsp("check", "--quiet", "good.py", folder=folder).err == ""


def test_the_full_format_shows_source_reason_and_fix(folder: Path) -> None:
    run = ts_lsp("check", "bad.py", folder=folder)
    assert run.code == 1
    lines = run.out.splitlines()
    assert lines[0].startswith(f"bad.py:{PLACE}: error[optional-operand] ")
    at = lines.index("9 |     return x + 1")
    assert lines[at + 1] == "  |            ^^^^^"
    assert any(line.strip().startswith("= why: ") for line in lines)
    assert "= fix: Insert `assert x is not None`" in run.out
    assert "    +     assert x is not None" in lines
    assert "\x1b" not in run.out


def test_concise_is_a_line_a_finding(folder: Path) -> None:
    run = ts_lsp("check", "--output-format", "concise", folder=folder)
    assert [line.split(" ")[:2] for line in run.out.splitlines()] == [[f"bad.py:{PLACE}:", "error[optional-operand]"]]


def test_json_holds_every_file_and_the_findings(folder: Path) -> None:
    document = json.loads(ts_lsp("check", "--output-format", "json", folder=folder).out)
    bad, good = document["files"]
    assert (bad["path"], good["path"], good["findings"]) == ("bad.py", "good.py", [])
    (finding,) = bad["findings"]
    place = {key: finding[key] for key in ("line", "column", "end_line", "end_column")}
    assert place == {"line": 9, "column": 12, "end_line": 9, "end_column": 17}
    assert (finding["code"], finding["severity"], finding["definition"]) == ("optional-operand", "error", "add")
    (edit,) = finding["fixes"][0]["edits"]
    assert edit == {
        "path": "bad.py",
        "line": 9,
        "column": 1,
        "end_line": 9,
        "end_column": 1,
        "text": "    assert x is not None\n",
    }


def test_sarif_names_rule_place_and_fix(folder: Path) -> None:
    document = json.loads(ts_lsp("check", "--output-format", "sarif", folder=folder).out)
    (run,) = document["runs"]
    assert (document["version"], run["columnKind"]) == ("2.1.0", "unicodeCodePoints")
    (result,) = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "optional-operand"
    location = result["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "bad.py"
    assert location["region"] == {"startLine": 9, "startColumn": 12, "endLine": 9, "endColumn": 17}
    assert result["fixes"][0]["artifactChanges"][0]["replacements"]


def test_github_prints_commands_with_escaped_properties(folder: Path) -> None:
    (folder / "with,comma.py").write_text(OPTIONAL)
    run = ts_lsp("check", "--output-format", "github", "with,comma.py", folder=folder)
    assert run.out.startswith("::error title=ts-lsp (optional-operand),file=with%2Ccomma.py,line=9,col=12,")


def test_columns_count_code_points_and_carets_count_width(folder: Path) -> None:
    (folder / "wide.py").write_text(OPTIONAL.replace("x + 1", '("日本" == "𝒳") or x + 1').replace("Tensor:", "bool:"))
    run = ts_lsp("check", "wide.py", folder=folder)
    lines = run.out.splitlines()
    assert lines[0].startswith("wide.py:9:29: ")
    marked = lines[lines.index('9 |     return ("日本" == "𝒳") or x + 1') + 1]
    assert marked.index("^") == len("  |     return (") + len('"日本" == "𝒳") or ') + len("日本")


def test_stdin_is_checked_under_its_name(folder: Path) -> None:
    run = ts_lsp(
        "check", "--output-format", "concise", "--stdin-filename", "new.py", "-", folder=folder, stdin=OPTIONAL
    )
    assert run.code == 1
    assert run.out.startswith(f"new.py:{PLACE}: ")


@pytest.mark.parametrize(
    ("name", "data"),
    [("binary.py", b"\x00\x01\x02"), ("latin.py", b"# caf\xe9\n"), ("coded.py", b"# coding: no-such-encoding\n")],
)
def test_a_file_that_is_no_source_is_a_finding_and_the_rest_is_checked(folder: Path, name: str, data: bytes) -> None:
    (folder / name).write_bytes(data)
    run = ts_lsp("check", "--output-format", "concise", name, "bad.py", folder=folder)
    assert run.code == 1
    assert sorted(line.split(" ")[1] for line in run.out.splitlines()) == [
        "error[optional-operand]",
        "error[unreadable-file]",
    ]
    assert f"{name}:1:1: " in run.out


def test_a_missing_file_is_a_finding_and_the_rest_is_checked(folder: Path) -> None:
    run = ts_lsp("check", "--output-format", "concise", "missing.py", "bad.py", folder=folder)
    assert run.code == 1
    assert "missing.py:1:1: error[unreadable-file] " in run.out
    assert "error[optional-operand]" in run.out


def test_broken_syntax_is_a_finding_and_the_rest_of_the_file_is_checked(folder: Path) -> None:
    (folder / "broken.py").write_text(f"{OPTIONAL}\n\ndef half(:\n    pass\n")
    run = ts_lsp("check", "--output-format", "concise", "broken.py", folder=folder)
    codes = [line.split(" ")[1] for line in run.out.splitlines()]
    assert "error[optional-operand]" in codes
    assert "error[syntax-error]" in codes


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "--select", "optional-operant"], "did you mean 'optional-operand'?"),
        (["check", "--output-format", "xml"], "'xml' is not one of"),
        (["check", "--fix", "--diff"], "--fix and --diff exclude each other"),
        (["check", "-", "good.py"], "cannot be given together"),
        (["chekc"], "No such command"),
        (["explain", "no-such-rule"], "no rule is called 'no-such-rule'"),
        (["operators", "no_such_operator"], "no operator is called"),
    ],
)
def test_a_usage_error_is_2_and_one_line_on_stderr(folder: Path, arguments: list[str], said: str) -> None:
    run = ts_lsp(*arguments, folder=folder)
    assert (run.code, run.out) == (2, "")
    assert said in run.err
    assert run.err.count("\n") == 1
    assert "--help" in run.err


def test_fix_applies_the_safe_fixes_and_checks_again(folder: Path) -> None:
    run = ts_lsp("check", "--fix", "bad.py", folder=folder)
    assert (run.code, run.out) == (0, "")
    assert "1 fix applied" in run.err
    assert (folder / "bad.py").read_text() == OPTIONAL.replace(
        "    return x + 1", "    assert x is not None\n    return x + 1"
    )


def test_fix_keeps_line_ends(folder: Path) -> None:
    (folder / "bad.py").write_bytes(OPTIONAL.replace("\n", "\r\n").encode())
    ts_lsp("check", "--fix", "bad.py", folder=folder)
    data = (folder / "bad.py").read_bytes()
    assert b"    assert x is not None\r\n    return x + 1\r\n" in data
    assert data.count(b"\n") == data.count(b"\r\n")


@pytest.mark.parametrize(
    ("start", "encoding"), [("# coding: latin-1\n# caf\xe9\n", "latin-1"), ("# café\n", "utf-8-sig")]
)
def test_fix_keeps_the_encoding(folder: Path, start: str, encoding: str) -> None:
    (folder / "bad.py").write_bytes((start + OPTIONAL).encode(encoding))
    assert ts_lsp("check", "--fix", "bad.py", folder=folder).code == 0
    mended = OPTIONAL.replace("    return x + 1", "    assert x is not None\n    return x + 1")
    assert (folder / "bad.py").read_bytes() == (start + mended).encode(encoding)


def test_diff_shows_what_fix_would_do_and_changes_nothing(folder: Path) -> None:
    run = ts_lsp("check", "--diff", "bad.py", folder=folder)
    assert run.code == 1
    assert run.out.splitlines()[:2] == ["--- bad.py", "+++ bad.py"]
    assert "+    assert x is not None" in run.out.splitlines()
    assert (folder / "bad.py").read_text() == OPTIONAL


def test_unsafe_fixes_wait_to_be_asked_for(folder: Path) -> None:
    (folder / "bad.py").write_text(
        "import torch\n\n\n@torch.jit.script\ndef f(n: int) -> int:\n    n //= 2\n    return n\n"
    )
    assert ts_lsp("check", "--diff", "bad.py", folder=folder).out == ""
    assert "+    n = n // 2" in ts_lsp("check", "--diff", "--unsafe-fixes", "bad.py", folder=folder).out


def test_fixes_of_one_place_are_not_applied_twice(folder: Path) -> None:
    (folder / "bad.py").write_text(OPTIONAL.replace("x + 1", "(x + 1) * (x + 2)"))
    ts_lsp("check", "--fix", "bad.py", folder=folder)
    assert (folder / "bad.py").read_text().count("assert x is not None") == 1


def test_fix_of_stdin_prints_the_mended_text(folder: Path) -> None:
    run = ts_lsp("check", "--fix", "-", folder=folder, stdin=OPTIONAL)
    assert run.code == 0
    assert "    assert x is not None\n    return x + 1\n" in run.out


def test_statistics_count_each_rule(folder: Path) -> None:
    run = ts_lsp("check", "--statistics", folder=folder)
    assert run.out.split() == ["1", "optional-operand"]


def test_rules_can_be_chosen_by_option_and_setting(folder: Path) -> None:
    assert ts_lsp("check", "--ignore", "optional-operand", folder=folder).code == 0
    assert ts_lsp("check", "--select", "bare-raise,not-boolean", folder=folder).code == 0
    (folder / "pyproject.toml").write_text('[tool.ts-lsp]\nseverity = { optional-operand = "warning" }\n')
    assert "warning[optional-operand]" in ts_lsp("check", folder=folder).out
    (folder / "pyproject.toml").write_text('[tool.ts-lsp]\nignore = ["optional-operand"]\n')
    assert ts_lsp("check", folder=folder).code == 0


def test_a_setting_that_does_not_hold_is_a_message_and_the_rest_holds(folder: Path) -> None:
    (folder / "pyproject.toml").write_text(
        '[tool.ts-lsp]\nignroe = []\nscope = 3\nignore = ["optional-operand", "nope"]\n'
    )
    run = ts_lsp("check", folder=folder)
    assert run.code == 0
    for said in ("`ignroe`", "`scope`", "`nope`"):
        assert said in run.err


def test_the_scope_decides_what_is_checked(folder: Path) -> None:
    (folder / "plain.py").write_text(OPTIONAL.replace("@torch.jit.script\n", ""))
    assert ts_lsp("check", "plain.py", folder=folder).code == 0
    assert ts_lsp("check", "--scope", "all", "plain.py", folder=folder).code == 1


def test_an_entry_point_can_be_named(folder: Path) -> None:
    text = OPTIONAL.replace("@torch.jit.script", "@tools.compiled").replace(
        "import torch\n", "import tools\nimport torch\n"
    )
    (folder / "own.py").write_text(text)
    assert ts_lsp("check", "own.py", folder=folder).code == 0
    assert ts_lsp("check", "--entry-point", "tools.compiled", "own.py", folder=folder).code == 1


def test_jobs_change_nothing_but_the_time(folder: Path) -> None:
    for number in range(5):
        (folder / f"more_{number}.py").write_text(OPTIONAL)
    alone = ts_lsp("check", "--output-format", "json", folder=folder)
    shared = ts_lsp("check", "--output-format", "json", "--jobs", "3", folder=folder)
    assert (alone.code, alone.out) == (shared.code, shared.out)


def test_files_that_import_each_other_are_checked_together() -> None:
    texts = {
        "/project/package/__init__.py": "from . import first\n",
        "/project/package/first.py": "from .second import (helper,\n    other)\n",
        "/project/package/second.py": "x = 1\n" * 100,
        "/project/alone.py": "import torch\n" * 50,
        "/project/user.py": "def f():\n    import package.first as p\n",
    }
    package = sorted(texts.keys() - {"/project/alone.py"})
    assert sorted(map(sorted, shares(texts, 2))) == [["/project/alone.py"], package]
    assert sorted(map(len, shares(texts, 5))) == [1, 4]
    assert [sorted(each) for each in shares(texts, 1)] == [sorted(texts)]


def test_the_shipped_examples_are_what_they_say(folder: Path) -> None:
    mistakes = ts_lsp("check", "--output-format", "concise", "examples/mistakes.py", folder=ROOT)
    assert [line.split(" ")[1] for line in mistakes.out.splitlines()] == [
        "error[optional-operand]",
        "error[reassigned-type]",
        "error[fstring-format]",
    ]
    assert ts_lsp("check", "examples/clean.py", folder=ROOT).code == 0


def test_a_process_of_its_own_gives_the_same_answer(folder: Path) -> None:
    assert ts_lsp_process("check", "--output-format", "concise", "bad.py", folder=folder) == ts_lsp(
        "check", "--output-format", "concise", "bad.py", folder=folder
    )


def test_checking_imports_nothing_that_it_does_not_need(folder: Path) -> None:
    program = (
        "import sys; from ts_lsp.cli.check import command; command.main(['bad.py'], standalone_mode=False); "
        "print([name for name in ('rich', 'jedi', 'pygls', 'lsprotocol', 'torch') if name in sys.modules])"
    )
    assert python("-c", program, folder=folder).out.splitlines()[-1] == "[]"


def test_what_fails_in_a_file_that_is_not_checked_is_told_where_it_is_handed_over(folder: Path) -> None:
    package = folder / "package"
    package.mkdir()
    (package / "__init__.py").write_text("from .net import Net\n")
    (package / "net.py").write_text(
        "from torch import nn\n\nclass Net(nn.Module):\n    def forward(self, x):\n        return x + 'a'\n"
    )
    (folder / "use.py").write_text("import torch\nfrom package import Net\n\nmodel = Net()\ntorch.jit.script(model)\n")
    alone = ts_lsp("check", "--output-format", "concise", "use.py", folder=folder)
    assert (alone.code, len(alone.out.splitlines())) == (1, 1)
    assert alone.out.startswith("use.py:5:18: error[failing-callee] ")
    assert alone.out.rstrip().endswith("(see package/net.py:5:16)")
    annotation = ts_lsp("check", "--output-format", "github", "use.py", folder=folder).out
    assert "%0Apackage/net.py:5:16: " in annotation
    together = ts_lsp("check", "--output-format", "concise", "use.py", "package", folder=folder)
    assert [line.split(" ")[0] for line in together.out.splitlines()] == ["package/net.py:5:16:"]
