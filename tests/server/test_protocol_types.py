"""lsprotocol's classes, finished when they are first used, are those that it makes itself."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import json, sys
if sys.argv[1] == "lazily":
    import ts_lsp.server
else:
    import lsprotocol.types
import attrs
from lsprotocol import converters, types

converter = converters.get_converter()
classes = [each for _, each in sorted(types.ALL_TYPES_MAP.items()) if isinstance(each, type)]
told = {}
for each in classes:
    if attrs.has(each):
        fields = attrs.fields(each)
        told[each.__name__] = [(f.name, repr(f.type), repr(f.default), f.kw_only, repr(f.validator)) for f in fields]
place = types.Range(types.Position(1, 2), types.Position(line=3, character=4))
message = {"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": {
    "textDocument": {"uri": "file:///a.py"}, "position": {"line": 1, "character": 2}}}
request = converter.structure(message, types.METHOD_TO_TYPES["textDocument/hover"][0])
item = types.CompletionItem("x", kind=types.CompletionItemKind.Class, documentation=types.MarkupContent("markdown", ""))
try:
    types.Position(-1, "x")
    refused = ""
except Exception as fault:
    refused = type(fault).__name__
print(json.dumps([told, repr(place), place == types.Range(place.start, place.end), place.start < place.end,
    repr(request), converter.unstructure(request), converter.unstructure(item), refused]))
"""


def told(how: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, how], cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True
    )
    return re.sub(r"0x[0-9a-f]+", "0x", done.stdout)


def test_lazily_made_classes_are_the_same() -> None:
    lazily = told("lazily")
    assert len(lazily) > 100_000
    assert lazily == told("as they are")
