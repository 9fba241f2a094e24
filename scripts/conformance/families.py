"""Telling kinds of differences apart: messages without their names, types and numbers."""

from __future__ import annotations

import re

_BRACKETED = re.compile(r"\b(?:List|Dict|Tuple|Optional|Union|Future|RRef)\[[^\[\]\n]*\]")
_TYPE = r"(?:Tensor|int|float|bool|str|complex|Scalar|number|NoneType|Any|Device|T)"
_REPLACEMENTS = (
    (re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|`[^`\n]*`"), "'X'"),
    (re.compile(r"<(?:class|function|bound method|built-in|module)[^>\n]*>+"), "OBJECT"),
    (re.compile(r"\b__torch__[\w.]*|\b0x[0-9a-f]+"), "T"),
    (re.compile(rf"\b{_TYPE}(?:\[\d*\])?\??(?: \(inferred\))?(?!\w)"), "T"),
    (re.compile(r"T(?:(?: or |, )T)+"), "T"),
    (re.compile(r"-?\b\d+(?:\.\d+)?\b"), "N"),
    (re.compile(r"\s+"), " "),
)
# Messages in which a bare name follows.
_BARE_NAME = re.compile(r"\b(undefined value|nonexistent attribute:|has no attribute|Type mismatch:|Argument) [\w.]+")


def family(headline: str) -> str:
    """A compiler's message with everything replaced that differs from program to program."""
    text = _schema_reason(headline)
    while (shorter := _BRACKETED.sub("T", text)) != text:
        text = shorter
    for pattern, replacement in _REPLACEMENTS:
        text = pattern.sub(replacement, text)
    return _BARE_NAME.sub(r"\1 X", text).strip()[:160] or "(no message)"


def _schema_reason(headline: str) -> str:
    """Of a schema followed by why it does not match, the why."""
    match = re.match(r"[\w.:<>]+\(.*?\) -> .*?:\n(.*)", headline, re.DOTALL)
    return "(schema) " + match[1].split("\n")[0] if match else headline.split("\n")[0]
