"""Signature help: the candidates of a call, their parameters as offsets where the client understands those."""

from __future__ import annotations

from lsprotocol import types as lsp

from ts_lsp.ide.signature_help import Signature, signature_help
from ts_lsp.server.view import View


def signature(view: View, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
    found = signature_help(view.snapshot, view.from_lsp(params.position))
    if found is None:
        return None
    document = view.client.capabilities.text_document
    told = document and document.signature_help and document.signature_help.signature_information
    by_offset = bool(told and told.parameter_information and told.parameter_information.label_offset_support)
    own_parameter = bool(told and told.active_parameter_support)
    active = found.signatures[found.active].active
    documentation = view.python.documentation(found.denotes) if found.denotes else ""
    explained = view.client.documentation(documentation, "signature_help") if documentation else None
    return lsp.SignatureHelp(
        [_information(each, by_offset, own_parameter, explained) for each in found.signatures],
        active_signature=found.active,
        active_parameter=_told(found.signatures[found.active], active),
    )


def _information(
    signature: Signature, by_offset: bool, own_parameter: bool, explained: lsp.MarkupContent | str | None
) -> lsp.SignatureInformation:
    label = signature.label
    parameters = [
        lsp.ParameterInformation((_units(label, start), _units(label, end)) if by_offset else label[start:end])
        for start, end in signature.parameters
    ]
    active = _told(signature, signature.active) if own_parameter else None
    return lsp.SignatureInformation(label, explained, parameters, active_parameter=active)


def _told(signature: Signature, active: int | None) -> int:
    """A parameter's index; past the last one where none is active, which highlights nothing."""
    return len(signature.parameters) if active is None else active


def _units(label: str, end: int) -> int:
    """The UTF-16 units of a label's beginning, in which the protocol counts offsets of labels."""
    return len(label[:end].encode("utf-16-le")) // 2
