"""Completes the lines of module classes in files that do not say where constants come from.

Owns `completed`. Invariant: lines that say it stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Line = Sequence[str]

_SCALARS = ("int", "float", "bool", "str", "NoneType")
# What constructors convert before they keep it.
_CONVERTED = ("scale_factor",)


def completed(lines: Iterable[Line]) -> list[Line]:
    """The lines, with the arguments that constants are. A scalar is kept as it is given, and a tuple as long as it is.

    An int in the place of a float may be refused; a pooling's stride is its kernel size when it is left out.
    """
    lines = list(lines)
    if any(line[0] == "constant" and len(line) > 3 for line in lines):
        return lines
    parameters = {line[1] for line in lines if line[0] == "parameter"}
    kernel = next((line[2] for line in lines if line[:2] == ["constant", "kernel_size"]), None)
    found: list[Line] = []
    variants: list[Line] = []
    for line in lines:
        name = line[1] if len(line) > 1 else ""
        if line[0] != "constant" or name not in parameters or name in _CONVERTED:
            found.append(line)
            continue
        as_given = ["constant", name, "", f"={name}"]
        is_pooling = name == "stride" and ["parameter", "stride", "None"] in lines and line[2] == kernel
        is_scalar = line[2] in _SCALARS
        found.append([*line, "=kernel_size" if is_pooling else f"={name}"] if is_pooling or is_scalar else line)
        if is_pooling or not is_scalar:
            kinds = ("int", "tuple", "list") if is_pooling else ("tuple", "list")
            variants += [["variant", name, f":{kind}", *as_given] for kind in kinds]
        elif line[2] == "float":
            variants.append(["variant", name, ":int", "unknown", "refusal", ""])
    return found + variants
