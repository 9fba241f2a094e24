"""Signature help: the candidates of a call, their parameters as offsets where the client understands those."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Union

from lsprotocol import types as lsp

from ts_lsp.ide.signature_help import Signature, signature_help
from ts_lsp.records import dataclass
from ts_lsp.server.view import View

_Text = Union[lsp.MarkupContent, str]


@dataclass(frozen=True, slots=True)
class _Style:
    """How the client takes signatures, and what there is to say of this one and its parameters by name."""

    by_offset: bool
    own_parameter: bool
    documentation: _Text | None
    parameters: Mapping[str, _Text]


def signature(view: View, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
    found = signature_help(view.snapshot, view.from_lsp(params.position))
    if found is None:
        return None
    style = _style(view, found.denotes)
    active = found.signatures[found.active].active
    return lsp.SignatureHelp(
        [_information(each, style) for each in found.signatures],
        active_signature=found.active,
        active_parameter=_told(found.signatures[found.active], active),
    )


def _style(view: View, denotes: str) -> _Style:
    document = view.client.capabilities.text_document
    told = document and document.signature_help and document.signature_help.signature_information
    by_offset = bool(told and told.parameter_information and told.parameter_information.label_offset_support)
    own_parameter = bool(told and told.active_parameter_support)
    documentation = view.python.documentation(denotes) if denotes else ""
    if not documentation:
        return _Style(by_offset, own_parameter, None, {})
    parameters = {
        name: view.client.documentation(text, "signature_help")
        for name, text in view.python.parameters(denotes).items()
    }
    return _Style(by_offset, own_parameter, view.client.documentation(documentation, "signature_help"), parameters)


def _information(signature: Signature, style: _Style) -> lsp.SignatureInformation:
    label = signature.label
    parameters = [
        lsp.ParameterInformation(
            (_units(label, start), _units(label, end)) if style.by_offset else label[start:end],
            style.parameters.get(_name(label[start:end])),
        )
        for start, end in signature.parameters
    ]
    active = _told(signature, signature.active) if style.own_parameter else None
    return lsp.SignatureInformation(label, style.documentation, parameters, active_parameter=active)


def _name(parameter: str) -> str:
    """What the documentation of a function calls a parameter of the operator: its receiver is the input."""
    name = parameter.partition("=")[0].rpartition(" ")[2]
    return "input" if name == "self" else name


def _told(signature: Signature, active: int | None) -> int:
    """A parameter's index; past the last one where none is active, which highlights nothing."""
    return len(signature.parameters) if active is None else active


def _units(label: str, end: int) -> int:
    """The UTF-16 units of a label's beginning, in which the protocol counts offsets of labels."""
    return len(label[:end].encode("utf-16-le")) // 2
