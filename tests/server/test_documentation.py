"""Documentation and definitions of what torch defines, as messages, with a small torch of the test's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.pipes import Pipes, serving

TEXT = """\
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)

    def forward(self, x: torch.Tensor):
        x = torch.add(x, x)
        x = F.interpolate(x, 2)
        print(len(x.shape), x.add_(1))
        return x


torch.jit.script(Net())
"""
TORCH = {
    "version.py": "__version__ = '2.13.0'\n",
    "__init__.py": "",
    "nn/__init__.py": "from .linear import Linear\n",
    "nn/modules/__init__.py": "",
    "nn/modules/linear.py": "class Linear:\n    pass\n",
    "nn/functional.py": 'def interpolate(input, size):\n    """Makes it larger: ``size``."""\n',
    "_torch_docs.py": """\
add_docstr(torch.add, r'''
add(input, other) -> Tensor

Adds :attr:`other`.

Args:
    input (Tensor): the one
        on the left
    other (Tensor): the one on the right

Returns:
    Tensor: both
''')
""",
    "_tensor_docs.py": 'add_docstr_all("add_", """Adds in place.""")\n',
}
MARKDOWN = {
    "hover": {"contentFormat": ["markdown"]},
    "signatureHelp": {"signatureInformation": {"documentationFormat": ["markdown", "plaintext"]}},
}
pytestmark = pytest.mark.xdist_group("server messages")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("documented")
    packages = root / ".venv" / "lib" / "python3.11" / "site-packages"
    for name, text in TORCH.items():
        file = packages / "torch" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (root / ".venv" / "pyvenv.cfg").write_text("version = 3.11.4\n")
    return root


@pytest.fixture(scope="module")
def running(folder: Path) -> Iterator[Pipes]:
    with serving(folder, variables={"VIRTUAL_ENV": ""}) as pipes:
        pipes.start({"textDocument": MARKDOWN})
        pipes.open((folder / "net.py").as_uri(), TEXT)
        yield pipes


def _at(folder: Path, written: str, behind: int = 0) -> dict[str, Any]:
    """The place of the last character of a piece of the text, or `behind` it."""
    before = TEXT[: TEXT.index(written) + len(written) - 1 + behind]
    line = before.count("\n")
    position = {"line": line, "character": len(before) - before.rfind("\n") - 1}
    return {"textDocument": {"uri": (folder / "net.py").as_uri()}, "position": position}


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("torch.add", "```python\nadd(input, other) -> Tensor\n```\n\nAdds `other`."),
        ("F.interpolate", "Makes it larger: `size`."),
        ("x.add_", "Adds in place."),
        ("print(len", "Return the number of items in a container."),
    ],
)
def test_hover_tells_what_torch_says(running: Pipes, folder: Path, written: str, text: str) -> None:
    shown = running.call("textDocument/hover", _at(folder, written))
    assert shown["contents"]["kind"] == "markdown"
    assert text in shown["contents"]["value"]


def test_signatures_are_explained(running: Pipes, folder: Path) -> None:
    found = running.call("textDocument/signatureHelp", _at(folder, "torch.add(", 1))
    explained = found["signatures"][found["activeSignature"]]["documentation"]
    assert explained["kind"] == "markdown"
    assert "Adds `other`." in explained["value"]
    parameters = found["signatures"][0]["parameters"]
    assert parameters[0]["documentation"] == {"kind": "markdown", "value": "(Tensor): the one\non the left"}
    assert parameters[1]["documentation"]["value"] == "(Tensor): the one on the right"
    assert "documentation" not in parameters[2]


@pytest.mark.parametrize(
    ("written", "file", "line"),
    [("F.interpolate", "nn/functional.py", 0), ("nn.Linear", "nn/modules/linear.py", 0)],
)
def test_definitions_are_in_the_sources_of_torch(
    running: Pipes, folder: Path, written: str, file: str, line: int
) -> None:
    found = running.call("textDocument/definition", _at(folder, written))
    assert [each["uri"].rpartition("site-packages/torch/")[2] for each in found] == [file]
    assert found[0]["range"]["start"] == {"line": line, "character": found[0]["range"]["start"]["character"]}


def test_what_has_no_source_has_no_definition(running: Pipes, folder: Path) -> None:
    assert running.call("textDocument/definition", _at(folder, "torch.add")) == []
