"""Completion in compiled code: only what the compiler takes, best fit first.

Owns `Completions`, `complete` and `operator_documentation`. Invariant: outside of compiled code, in comments
and in strings (but for the keys of a dict) nothing is offered.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from ts_lsp.ide.completion_items import Completion, fitting, member_items, module_items, rank_of
from ts_lsp.ide.half_typed import Place, Written, place_of, written_at
from ts_lsp.ide.header_completion import header_items
from ts_lsp.ide.names_in_scope import names_in_scope
from ts_lsp.ide.python_names import owner_of_type
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.records import dataclass
from ts_lsp.semantic.offered import members_of, schemas_of, torch_module
from ts_lsp.semantic.probing import Probed
from ts_lsp.semantic.sugared import Simple
from ts_lsp.syntax.completing import PLACEHOLDER
from ts_lsp.syntax.walking import walk
from ts_lsp.text import Position, Range
from ts_lsp.torchdata.loader import TorchData
from ts_lsp.types.display import annotation_form, operator_schema_text
from ts_lsp.types.model import Type
from ts_lsp.types.schema import Schema
from ts_lsp.values.model import ModuleValue

_NAMING = re.compile(
    r"[ \t\f]*(?:def|class|import|from|async[ \t]+def|global|nonlocal)\b[^(:]*\Z|.*\b(?:as|for)[ \t]+\Z"
)
_NUMBER = re.compile(r"(?:^|[^\w.])\d[\w]*\.?\Z")


@dataclass(frozen=True, slots=True)
class Completions:
    """What can stand in the place of `range`, which is the word around the cursor.

    `owner` is the path by which Python knows what stands before the dot, if torch or Python defines it. `is_called`:
    the word's arguments stand behind it already.
    """

    range: Range
    items: tuple[Completion, ...]
    owner: str = ""
    is_called: bool = False


def complete(snapshot: Snapshot, position: Position, unsupported: bool = False) -> Completions | None:
    """What can be written at a place. `unsupported`: names of torch that do not compile are told, too."""
    written = written_at(snapshot, position)
    if written is None or _is_given_freely(written):
        return None
    header = header_items(written)
    if header is not None:
        return Completions(written.word, tuple(header))
    place = place_of(written)
    found = _items(place, unsupported) if place is not None else None
    if found is None:
        return None
    behind = written.unit.chunk.text[written.typed.end : written.typed.end + 1]
    return Completions(written.word, tuple(found[1]), found[0], behind == "(")


def _is_given_freely(written: Written) -> bool:
    """Whether a new name or a number stands there, about which nothing can be known."""
    statement = written.typed.statement
    line = re.split(r"[\r\n]", statement)[-1]
    word = written.unit.chunk.text[written.typed.start : written.typed.end]
    return bool(_NAMING.match(line) and not written.typed.open) or word[:1].isdigit() or bool(_NUMBER.search(line))


def _items(place: Place, unsupported: bool) -> tuple[str, Sequence[Completion]] | None:
    """What is offered, and the path of what stands before the dot."""
    node, parent = place.node, place.completed.nodes[1]
    if place.typed.string >= 0:
        is_key = isinstance(parent, ast.Subscript) and parent.slice is node
        return ("", _keys(place, parent)) if is_key and isinstance(parent, ast.Subscript) else None
    call = _call_of(place)
    watched: list[ast.AST] = [node]
    if isinstance(node, ast.Attribute):
        watched.append(node.value)
    if call is not None:
        watched += [call.func, *call.args, *(each.value for each in call.keywords)]
    probed = place.probe(watched)
    expected = _expected(place, probed, call)
    if isinstance(node, ast.Attribute):
        return _members(probed, node, expected, unsupported)
    if isinstance(node, ast.keyword) and isinstance(parent, ast.Call):
        probed = place.probe([parent.func])
        return "", list(_keywords(probed, parent, node))
    if not isinstance(node, ast.Name):
        return None
    items = list(_keywords(probed, call, node)) if call is not None else []
    sight = probed.seen.get(node)
    if sight is not None:
        items += (
            Completion(
                name,
                kind,
                detail,
                rank_of(name, type_, expected),
                is_callable=kind in ("function", "class"),
                type=type_,
            )
            for name, kind, detail, type_ in names_in_scope(probed.context, sight.names)
        )
    return "", items


def _call_of(place: Place) -> ast.Call | None:
    """The call whose argument the word is, by itself."""
    node, parent = place.node, place.completed.nodes[1]
    if isinstance(parent, ast.keyword):
        parent = place.completed.nodes[2]
    return parent if isinstance(parent, ast.Call) and parent.func is not node else None


def _members(
    probed: Probed, node: ast.Attribute, expected: Type | None, unsupported: bool
) -> tuple[str, Sequence[Completion]]:
    """What may follow a dot, and the path by which Python knows what stands before it."""
    sight = probed.seen.get(node.value)
    if sight is None:
        return "", ()
    module = torch_module(sight.value)
    torch = probed.context.program.torch
    if module is None:
        type_ = sight.value.type if isinstance(sight.value, Simple) else None
        items = member_items(torch, members_of(probed.context, sight.value), type_)
        return owner_of_type(type_) if type_ is not None else "", fitting(torch, items, expected)
    items = module_items(torch, module, unsupported)
    if items:
        return module, fitting(torch, items, expected)
    own = names_in_scope(probed.context, {}, ModuleValue(module))
    return module, [Completion(name, kind, detail, rank_of(name, type_, expected)) for name, kind, detail, type_ in own]


def _expected(place: Place, probed: Probed, call: ast.Call | None) -> Type | None:
    """The type that the surroundings want of the word."""
    sight = probed.seen.get(place.node)
    if sight is not None and sight.hint is not None:
        return sight.hint
    if call is not None:
        return _parameter_type(place, probed, call)
    return None


def _parameter_type(place: Place, probed: Probed, call: ast.Call) -> Type | None:
    """The type of the parameter that the word is given for, in the first candidate that fits so far."""
    schemas, bound = _candidates(probed, call)
    for schema in schemas:
        formals = schema.arguments[1:] if bound else schema.arguments
        for number, each in enumerate(call.args):
            if each is place.node:
                return formals[number].type if number < len(formals) else None
        for keyword in call.keywords:
            if keyword.value is place.node:
                return next((each.type for each in formals if each.name == keyword.arg), None)
    return None


def _candidates(probed: Probed, call: ast.Call) -> tuple[tuple[Schema, ...], bool]:
    sight = probed.seen.get(call.func)
    found = schemas_of(probed.context, sight.value, call.func) if sight is not None else None
    return (found.schemas, found.is_bound) if found is not None else ((), False)


def _keywords(probed: Probed, call: ast.Call, node: ast.Name | ast.keyword) -> Iterator[Completion]:
    """The names of parameters that are not given yet."""
    if isinstance(node, ast.Name) and node not in call.args:
        return
    schemas, bound = _candidates(probed, call)
    before = call.args.index(node) if isinstance(node, ast.Name) else len(call.args)
    given = {each.arg for each in call.keywords}
    told: set[str] = set()
    for schema in schemas:
        formals = schema.arguments[1:] if bound else schema.arguments
        for number, formal in enumerate(formals):
            if (number < before and not formal.keyword_only) or formal.name in given | told or not formal.name:
                continue
            told.add(formal.name)
            detail = formal.printed or annotation_form(formal.type)
            yield Completion(f"{formal.name}=", "variable", detail, 1)


def _keys(place: Place, subscript: ast.Subscript) -> list[Completion]:
    """The keys that literals of the definition show for a dict."""
    owner = ast.unparse(subscript.value)
    found: dict[str, None] = {}
    for each in walk(place.definition):
        if (
            isinstance(each, ast.Subscript)
            and isinstance(each.slice, ast.Constant)
            and ast.unparse(each.value) == owner
        ):
            if isinstance(each.slice.value, str):
                found[each.slice.value] = None
        elif isinstance(each, (ast.Assign, ast.AnnAssign)) and isinstance(each.value, ast.Dict):
            targets = each.targets if isinstance(each, ast.Assign) else [each.target]
            if any(ast.unparse(target) == owner for target in targets):
                keys = (key.value for key in each.value.keys if isinstance(key, ast.Constant))
                found.update(dict.fromkeys(key for key in keys if isinstance(key, str)))
    return [Completion(key, "constant", "str") for key in found if key != PLACEHOLDER]


def operator_documentation(torch: TorchData, operator: str) -> str:
    """All schemas of an operator, as torch prints them."""
    return "\n".join(map(operator_schema_text, torch.schemas(operator)))
