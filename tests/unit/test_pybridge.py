"""What packages say of themselves, read off their text."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent

import pytest

from ts_lsp.pybridge.bridge import PythonBridge
from ts_lsp.pybridge.markdown import as_markdown
from ts_lsp.pybridge.sources import PythonSources
from ts_lsp.pybridge.torch_docs import TorchDocs

FILES = {
    "torch/__init__.py": """
        from torch.functional import *
        from .nn import modules as modules_alias
        """,
    "torch/functional.py": '''
        def _decorator(f):
            return f


        @_decorator
        def einsum(
            equation: str,
            *operands,
        ):
            """Sums products.

        A line at the margin.
            """
            return equation


        if TYPE_CHECKING:
            lu = None
        else:

            def lu(A):
                """Factors."""


        class Other:
            def lu(self):
                """Is another one."""
        ''',
    "torch/nn/__init__.py": "from .modules import (Linear,  # the layer\n    Other as Third)\n",
    "torch/nn/modules/__init__.py": "from .linear import Linear, Other\nfrom ..modules import *\n",
    "torch/nn/modules/linear.py": '''
        class Linear:
            """A layer, see :class:`~torch.nn.Bilinear`."""

            def forward(self, input):
                """Multiplies."""


        Other = Linear
        ''',
    "torch/nn/functional.py": '''
        from torch._torch_docs import notes

        conv = _add_docstr(
            torch.conv,
            r"""
        conv(input) -> Tensor

        Convolves. {note}
        """.format(**notes)
            + "More.",
        )


        def upsample(input):
            """Makes larger.

            .. warning::
                This function is deprecated in favor of :func:`torch.nn.functional.interpolate`.
                It goes on.
            """


        def _pool(input):
            """Pools."""


        pool = boolean_dispatch(arg_name="flag", if_true=_other, if_false=_pool)
        ''',
    "torch/_torch_docs.py": r'''
        import torch._C
        from torch._C import _add_docstr as add_docstr


        def parse_kwargs(desc):
            raise RuntimeError("never run")


        common = merge_dicts(
            parse_kwargs(
                """
            input (Tensor): the input.
            out (Tensor, optional): the output,
                on two lines.
        """
            ),
            {"dim": "the dimension"},
        )
        notes: dict[str, str] = {"note": """In two \
        parts."""}

        add_docstr(
            torch.add,
            r"""
        add(input, *, out=None) -> Tensor

        Adds :attr:`input` over {dim}.
        """
            + r"""
        Args:
            {input}

        Keyword args:
            {out}
            {nothing}
        """.format(**common),
        )

        add_docstr(
            torch.old, "old(x)\n\n.. warning:: :func:`torch.old` is deprecated in favor of :func:`torch.add`"
        )
        ''',
    "torch/_tensor_docs.py": 'add_docstr_all("add_", """add_(other) -> Tensor""")\n',
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("packages")
    for name, text in FILES.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text).lstrip("\n"))
    return root


@pytest.mark.parametrize(
    ("path", "file", "name", "line"),
    [
        ("torch.einsum", "torch/functional.py", "einsum", 5),
        ("torch.lu", "torch/functional.py", "lu", 20),
        ("torch.nn.Linear", "torch/nn/modules/linear.py", "Linear", 0),
        ("torch.nn.Linear.forward", "torch/nn/modules/linear.py", "forward", 3),
        ("torch.nn.Third", "torch/nn/modules/linear.py", "Other", 7),
        ("torch.modules_alias.linear.Other", "torch/nn/modules/linear.py", "Other", 7),
        ("torch.nn.functional.pool", "torch/nn/functional.py", "pool", 26),
    ],
)
def test_definitions_are_found_through_imports(folder: Path, path: str, file: str, name: str, line: int) -> None:
    found = PythonBridge([folder]).definition(path)
    assert found is not None
    assert (found.path, found.range.line) == (str(folder / file), line)
    text = (folder / file).read_text().split("\n")[line]
    assert text[found.range.column : found.range.end_column] == name
    assert found.full.start <= found.range.start <= found.range.end <= found.full.end


@pytest.mark.parametrize(
    "path", ["torch", "torch.add", "torch.nn.Linear.missing", "torch.nn.Linear.a.b", "", ".", "a..b"]
)
def test_what_no_source_defines_is_not_found(folder: Path, path: str) -> None:
    assert PythonBridge([folder]).definition(path) is None
    assert PythonBridge([folder]).documentation("missing." + path) == ""


def test_texts_of_builtins_are_put_together(folder: Path) -> None:
    bridge = PythonBridge([folder])
    added = bridge.documentation("torch.add")
    assert added.startswith("```python\nadd(input, *, out=None) -> Tensor\n```\n\nAdds `input` over {dim}.")
    assert "- `input` (Tensor): the input." in added
    assert "the output,\non two lines." in added
    assert bridge.documentation("torch.Tensor.add_").startswith("```python\nadd_(other)")
    assert bridge.documentation("torch.nn.functional.conv").endswith("Convolves. In two parts.\nMore.")
    assert bridge.documentation("torch.conv") == bridge.documentation("torch.nn.functional.conv")


def test_docstrings_are_read_off_the_source(folder: Path) -> None:
    bridge = PythonBridge([folder])
    assert bridge.documentation("torch.einsum").startswith("Sums products.")
    assert bridge.documentation("torch.lu") == "Factors."
    assert bridge.documentation("torch.nn.Linear") == "A layer, see `torch.nn.Bilinear`."
    assert bridge.documentation("torch.nn.functional.pool") == "Pools."
    assert "number of items" in bridge.documentation("builtins.len")
    assert "square root" in bridge.documentation("math.sqrt")


def test_what_goes_away_is_told(folder: Path) -> None:
    bridge = PythonBridge([folder])
    assert bridge.deprecated("torch") == {"old": "`torch.old` is deprecated in favor of `torch.add`"}
    interpolate = "This function is deprecated in favor of `torch.nn.functional.interpolate`"
    assert bridge.deprecated("torch.nn.functional") == {"upsample": interpolate}
    assert bridge.deprecated_note("torch.nn.functional.upsample") == f"deprecated by torch: {interpolate}"
    assert bridge.deprecated("math") == {}


def test_without_torch_there_is_nothing() -> None:
    bridge = PythonBridge()
    assert bridge.definition("torch.nn.Linear") is None
    assert bridge.documentation("torch.add") == ""
    assert bridge.deprecated("torch") == {}


def test_files_that_are_odd_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "__init__.py").write_bytes(b"def broken(:\n\xff\nfrom . import *\nfrom .odd import broken\n")
    assert PythonBridge([tmp_path]).definition("odd.broken") is None
    assert PythonBridge([tmp_path]).definition("odd.other") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See :func:`a.b` and :meth:`~Tensor.c`, ``d``.", "See `a.b` and `Tensor.c`, `d`."),
        (".. math::\n    x^2\n\nText", "```latex\nx^2\n```\n\nText"),
        ("Like::\n\n    >>> f(1)\n    2\n\nEnd", "Like:\n\n```python\n>>> f(1)\n2\n```\n\nEnd"),
        (".. note::\n    Take care.\n    Twice.", "**Note**:\n\nTake care.\nTwice."),
        ("\nArgs:\n    size (int):\n        how large\n    b: c", "**Args**\n\n- `size` (int):\nhow large\n- `b`: c"),
        ("`Paper <http://a>`_", "[Paper](http://a)"),
        (".. unknown::\n    gone\nstays", "stays"),
        ("", ""),
    ],
)
def test_markdown(text: str, expected: str) -> None:
    assert as_markdown(text) == expected


READ_BY_TORCH = """
import json, sys, torch
found = {}
for path in json.load(sys.stdin):
    value = torch
    for name in path.split(".")[1:]:
        value = getattr(value, name, None)
    is_python = hasattr(value, "__code__")  # a function of Python's took the builtin's place
    found[path] = None if is_python else getattr(value, "__doc__", None)
json.dump(found, sys.stdout)
"""


@pytest.mark.oracle
def test_the_texts_are_those_of_torch_itself() -> None:
    torch = find_spec("torch")
    assert torch is not None
    assert torch.origin is not None
    docs = TorchDocs(PythonSources([Path(torch.origin).parents[1]]))
    paths = [path for path in docs.paths_whose_source_has("") if path.startswith("torch.") and "_C" not in path]
    done = subprocess.run(
        [sys.executable, "-c", READ_BY_TORCH], input=json.dumps(paths), capture_output=True, text=True
    )
    actual = json.loads(done.stdout)
    assert len(paths) > 900
    different = [path for path in paths if actual[path] is not None and docs.of(path) != actual[path]]
    assert different == []
