"""Printed types and schemas in one spelling, so that those of two printers can be compared."""

from __future__ import annotations

import re


def plain_type(text: str) -> str:
    """A printed type, or schema, without what does not matter: spaces, the modules of classes, older spellings."""
    text = re.sub(r" \(inferred\)| \(of Python compilation unit at: \w+\)", "", text)
    text = re.sub(r"\b(?:[^\W\d]\w*\.)+(?=[^\W\d])", "", text)
    text = re.sub(r"\bNoneType\b", "None", text)
    text = re.sub(r"\bnumber\b", "Scalar", text)
    return re.sub(r"\s", "", text)
