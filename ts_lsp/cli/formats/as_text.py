"""Everything the engine knows of the files, for people: what compiles because of what, and what does not."""

from __future__ import annotations

from collections.abc import Iterator

from ts_lsp.cli.results import AttributeResult, DefinitionResult, EntryResult, FileResult, Outcome


def dump_text(outcome: Outcome) -> str:
    """One block a file: its entry points, what compiles with its attributes, what does not compile and why."""
    return "\n".join("".join(f"{line}\n" for line in _file(file)) for file in outcome.files)


def _file(file: FileResult) -> Iterator[str]:
    yield file.path
    if file.entries:
        yield "  handed to the compiler"
        yield from (f"    {_entry(entry)}" for entry in file.entries)
    if file.definitions:
        yield "  compiled"
        for definition in file.definitions:
            yield f"    {_definition(definition)}"
            yield from (f"      {_attribute(each)}" for each in definition.attributes)
    if file.unreached:
        yield "  not compiled"
        yield from (f"    {each.line}: {each.kind} {each.qualname}: {each.why}" for each in file.unreached)


def _entry(entry: EntryResult) -> str:
    where = f" ({entry.target_path}:{entry.target_line})" if entry.target_path else ""
    target = f" {entry.target}{where}" if entry.target else ""
    return f"{entry.line}: {entry.kind}{target}: {entry.verdict}"


def _definition(definition: DefinitionResult) -> str:
    name = definition.schema if definition.schema and definition.verdict != "error" else definition.qualname
    text = f"{definition.line}: {definition.kind} {name}: {definition.verdict}"
    if definition.first_error is not None:
        error = definition.first_error
        text += f" ({error.code} at {error.path}:{error.line})"
    elif definition.verdict == "unknown" and definition.unknown_reason:
        text += f" ({definition.unknown_reason})"
    reasons = ", ".join(dict.fromkeys(f"{each.path}:{each.line}" for each in definition.entries))
    return f"{text}; because of {reasons}" if reasons else text


def _attribute(each: AttributeResult) -> str:
    shown = f": {each.type}" if each.type else ""
    return f"{each.name}{shown} ({each.kind}{f': {each.why}' if each.why else ''})"
