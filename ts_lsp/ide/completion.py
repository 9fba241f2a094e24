"""Completion in compiled code: only what the compiler takes, best fit first.

Owns `Completion`, `Completions`, `complete` and `documentation_of`. Invariant: outside of compiled code, in comments
and in strings (but for the keys of a dict) nothing is offered.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ts_lsp.ide.annotation_names import type_names
from ts_lsp.ide.half_typed import Place, place_at
from ts_lsp.ide.names_in_scope import names_in_scope
from ts_lsp.ide.snapshot import Snapshot
from ts_lsp.ide.torch_names import TorchName, names_in
from ts_lsp.records import dataclass, replace
from ts_lsp.semantic.offered import Member, members_of, schemas_of, torch_module
from ts_lsp.semantic.probing import Probed
from ts_lsp.syntax.completing import PLACEHOLDER
from ts_lsp.syntax.walking import walk
from ts_lsp.text import Position, Range
from ts_lsp.torchdata.loader import TorchData
from ts_lsp.types.display import annotation_form, operator_schema_text, schema_text
from ts_lsp.types.model import ANY, Type
from ts_lsp.types.relations import contains_unknown, is_subtype
from ts_lsp.types.schema import Schema
from ts_lsp.values.model import ModuleValue

_NAMING = re.compile(
    r"[ \t\f]*(?:def|class|import|from|async[ \t]+def|global|nonlocal)\b[^(:]*\Z|.*\b(?:as|for)[ \t]+\Z"
)
_NUMBER = re.compile(r"(?:^|[^\w.])\d[\w]*\.?\Z")


@dataclass(frozen=True, slots=True)
class Completion:
    """A name to choose. `rank`: 0 fits the type that is wanted, 1 is anything else, 2 private, 9 not supported.

    `kind` is a word of the protocol's. `why_not` says why the compiler does not take it. `key` finds its documentation.
    """

    label: str
    kind: str
    detail: str = ""
    rank: int = 1
    why_not: str = ""
    is_callable: bool = False
    key: str = ""


@dataclass(frozen=True, slots=True)
class Completions:
    """What can stand in the place of `range`, which is the word around the cursor."""

    range: Range
    items: tuple[Completion, ...]


def complete(snapshot: Snapshot, position: Position, unsupported: bool = False) -> Completions | None:
    """What can be written at a place. `unsupported`: names of torch that do not compile are told, too."""
    place = place_at(snapshot, position)
    if place is None or _is_given_freely(place):
        return None
    items = _items(place, unsupported)
    return Completions(place.word, tuple(items)) if items is not None else None


def _is_given_freely(place: Place) -> bool:
    """Whether a new name or a number stands there, about which nothing can be known."""
    statement = place.typed.statement
    line = re.split(r"[\r\n]", statement)[-1]
    word = place.unit.chunk.text[place.typed.start : place.typed.end]
    return bool(_NAMING.match(line) and not place.typed.open) or word[:1].isdigit() or bool(_NUMBER.search(line))


def _items(place: Place, unsupported: bool) -> list[Completion] | None:
    node, parent = place.node, place.completed.nodes[1]
    if place.typed.string >= 0:
        is_key = isinstance(parent, ast.Subscript) and parent.slice is node
        return _keys(place, parent) if is_key and isinstance(parent, ast.Subscript) else None
    annotation = _annotation_around(place)
    if annotation:
        probed = place.probe(())
        owner = node.value if isinstance(node, ast.Attribute) else None
        return [Completion(*each) for each in type_names(probed.context, owner)]
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
        return list(_keywords(probed, parent, node))
    if not isinstance(node, ast.Name):
        return None
    items = list(_keywords(probed, call, node)) if call is not None else []
    sight = probed.seen.get(node)
    if sight is not None:
        items += (
            Completion(name, kind, detail, _rank(name, type_, expected), is_callable=kind in ("function", "class"))
            for name, kind, detail, type_ in names_in_scope(probed.context, sight.names)
        )
    return items


def _annotation_around(place: Place) -> bool:
    for inner, outer in zip(place.completed.nodes, place.completed.nodes[1:], strict=False):
        if getattr(outer, "annotation", None) is inner or getattr(outer, "returns", None) is inner:
            return True
    return False


def _call_of(place: Place) -> ast.Call | None:
    """The call whose argument the word is, by itself."""
    node, parent = place.node, place.completed.nodes[1]
    if isinstance(parent, ast.keyword):
        parent = place.completed.nodes[2]
    return parent if isinstance(parent, ast.Call) and parent.func is not node else None


def _members(probed: Probed, node: ast.Attribute, expected: Type | None, unsupported: bool) -> list[Completion]:
    sight = probed.seen.get(node.value)
    if sight is None:
        return []
    module = torch_module(sight.value)
    torch = probed.context.program.torch
    if module is None:
        found = (each for each in members_of(probed.context, sight.value) if not each.name.startswith("__"))
        return [_member(torch, each, expected) for each in found]
    names = names_in(torch, module)
    if names:
        return [_torch_name(torch, each, expected) for each in names if unsupported or not each.why_not]
    return [
        Completion(name, kind, detail, _rank(name, type_, expected))
        for name, kind, detail, type_ in names_in_scope(probed.context, {}, ModuleValue(module))
    ]


def _member(torch: TorchData, member: Member, expected: Type | None) -> Completion:
    is_callable = member.kind in ("method", "function")
    result, detail, key = member.type, "", ""
    if member.operator:
        texts = torch.schema_texts(member.operator)
        more = f" (+{len(texts) - 1} overloads)" if len(texts) > 1 else ""
        first = operator_schema_text(member.schema) if member.schema is not None else texts[0] if texts else ""
        detail, key = first + more, member.operator
        result = _result_of(torch, member.operator) if expected is not None else None
    elif member.schema is not None:
        detail = schema_text(_without_receiver(member.schema) if member.kind == "method" else member.schema)
        result = member.schema.returns[0].type if member.schema.returns else None
    elif member.type is not None:
        detail = annotation_form(member.type)
    return Completion(member.name, member.kind, detail, _rank(member.name, result, expected), "", is_callable, key)


def _without_receiver(schema: Schema) -> Schema:
    return replace(schema, arguments=schema.arguments[1:])


def _torch_name(torch: TorchData, name: TorchName, expected: Type | None) -> Completion:
    result = name.result
    if name.operator and expected is not None:
        result = _result_of(torch, name.operator)
    rank = 9 if name.why_not else _rank(name.name, result, expected)
    return Completion(
        name.name, name.kind, name.detail, rank, name.why_not, name.kind == "function", name.operator or name.path
    )


def _result_of(torch: TorchData, operator: str) -> Type | None:
    schemas = torch.schemas(operator)
    return schemas[0].returns[0].type if schemas and len(schemas[0].returns) == 1 else None


def _rank(name: str, type_: Type | None, expected: Type | None) -> int:
    if name.startswith("_"):
        return 2
    if type_ is None or expected is None or expected == ANY or contains_unknown(type_):
        return 1
    return 0 if is_subtype(type_, expected) else 1


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


def documentation_of(torch: TorchData, key: str) -> str:
    """What a completion's name means: all its schemas, as torch prints them."""
    if "::" in key:
        return "\n".join(map(operator_schema_text, torch.schemas(key)))
    return key
