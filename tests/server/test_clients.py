"""Whole sessions, with the capabilities that editors really have."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.protocol import default_converter
from pytest_lsp import ClientServerConfig, LanguageClient

from tests.server.pipes import PATIENCE

ROOT = Path(__file__).parents[2]
EDITORS = ("vscode", "nvim", "emacs30", "ale", "kate", "minimal")
REFRESHED = (
    lsp.WORKSPACE_CODE_LENS_REFRESH,
    lsp.WORKSPACE_INLAY_HINT_REFRESH,
    lsp.WORKSPACE_SEMANTIC_TOKENS_REFRESH,
)
ENCODINGS = {"nvim": "utf-8", "emacs30": "utf-32"}
COMMAND = ClientServerConfig(
    [sys.executable, "-m", "ts_lsp", "server"], server_env={**os.environ, "PYTHONPATH": str(ROOT)}
)
LINE = '    return len("é😋"), x.no_such_method()'
TEXT = f"import torch\n\n\n@torch.jit.script\ndef f(x):\n{LINE}\n"

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.xdist_group("server sessions")]


def capabilities(editor: str) -> dict[str, Any]:
    if editor == "minimal":
        return {}
    found: dict[str, Any] = json.loads((ROOT / f"tests/server/data/{editor}.json").read_text())["capabilities"]
    return found


@pytest_lsp.fixture(params=EDITORS, scope="module", config=COMMAND)
async def client(request: pytest.FixtureRequest, lsp_client: LanguageClient) -> AsyncIterator[None]:
    folder = request.getfixturevalue("tmp_path_factory").mktemp(request.param)
    (folder / "opened.py").write_text(TEXT)
    lsp_client.editor, lsp_client.folder = request.param, folder
    lsp_client.registered = []
    lsp_client.feature(lsp.CLIENT_REGISTER_CAPABILITY)(
        lambda params: lsp_client.registered.extend(params.registrations)
    )
    for method in REFRESHED:
        lsp_client.feature(method)(lambda params: None)
    lsp_client.told = await lsp_client.initialize_session(
        lsp.InitializeParams(
            capabilities=default_converter().structure(capabilities(request.param), lsp.ClientCapabilities),
            root_uri=folder.as_uri(),
            workspace_folders=[lsp.WorkspaceFolder(folder.as_uri(), folder.name)],
        )
    )
    yield
    await lsp_client.shutdown_session()


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.005)


def opened(client: LanguageClient, name: str, text: str) -> str:
    uri = str((client.folder / name).as_uri())
    item = lsp.TextDocumentItem(uri, "python", 1, text)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    return uri


def changed(client: LanguageClient, uri: str, version: int, text: str, place: lsp.Range) -> None:
    change = lsp.TextDocumentContentChangePartial(range=place, text=text)
    document = lsp.VersionedTextDocumentIdentifier(uri=uri, version=version)
    client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))


async def diagnostics(client: LanguageClient, uri: str, count: int) -> list[lsp.Diagnostic]:
    """The diagnostics of a document, once there are as many; asked for where that is how the client does it."""
    if "diagnostic" not in capabilities(client.editor).get("textDocument", {}):
        await until(lambda: len(client.diagnostics.get(uri, [None] * 99)) == count)
        return list(client.diagnostics[uri])
    report = await client.text_document_diagnostic_async(lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(uri)))
    assert isinstance(report, lsp.RelatedFullDocumentDiagnosticReport)
    assert len(report.items) == count
    assert uri not in client.diagnostics
    return list(report.items)


def column(client: LanguageClient, part: str) -> int:
    """Where a part of `LINE` begins, as the client counts."""
    encoding = ENCODINGS.get(client.editor, "utf-16")
    codec, width = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}[encoding]
    return len(LINE[: LINE.index(part)].encode(codec)) // width


async def test_what_is_announced(client: LanguageClient) -> None:
    told = client.told.capabilities
    assert told.position_encoding == ENCODINGS.get(client.editor, "utf-16")
    assert told.text_document_sync.change is lsp.TextDocumentSyncKind.Incremental
    assert bool(told.diagnostic_provider) is (client.editor in ("vscode", "nvim"))


async def test_a_mistake_comes_and_goes(client: LanguageClient) -> None:
    uri = opened(client, "opened.py", TEXT)
    (found,) = await diagnostics(client, uri, 1)
    start = column(client, "x.no")
    assert found.range.start == lsp.Position(5, start)
    assert (found.source, found.severity) == ("ts-lsp", lsp.DiagnosticSeverity.Error)
    shows = capabilities(client.editor).get("textDocument", {}).get("publishDiagnostics", {})
    assert (found.code_description is not None) is bool(shows.get("codeDescriptionSupport"))
    assert (found.data is not None) is bool(shows.get("dataSupport"))
    place = lsp.Range(lsp.Position(5, start + 2), lsp.Position(5, start + len("x.no_such_method")))
    changed(client, uri, 2, "relu", place)
    assert await diagnostics(client, uri, 0) == []
    hover = await client.text_document_hover_async(
        lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(5, start))
    )
    assert "Tensor" in hover.contents.value
    client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri)))


async def test_the_same_diagnostics_are_told_once(client: LanguageClient) -> None:
    if not client.told.capabilities.diagnostic_provider:
        return
    uri = opened(client, "twice.py", TEXT)
    document = lsp.TextDocumentIdentifier(uri)
    first = await client.text_document_diagnostic_async(lsp.DocumentDiagnosticParams(document))
    changed(client, uri, 2, "# more\n", lsp.Range(lsp.Position(6, 0), lsp.Position(6, 0)))
    again = lsp.DocumentDiagnosticParams(document, previous_result_id=first.result_id)
    second = await client.text_document_diagnostic_async(again)
    assert isinstance(second, lsp.RelatedUnchangedDocumentDiagnosticReport)
    changed(client, uri, 3, "\n", lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0)))
    third = await client.text_document_diagnostic_async(again)
    assert isinstance(third, lsp.RelatedFullDocumentDiagnosticReport)
    assert third.result_id != first.result_id


NAVIGATED = """import torch

def below(x):
    return x

@torch.jit.script
def above(value):
    return below(value)
"""


async def test_names_lead_somewhere(client: LanguageClient) -> None:
    uri = opened(client, "navigated.py", NAVIGATED)
    document = lsp.TextDocumentIdentifier(uri)
    call, name = lsp.Position(7, 12), lsp.Range(lsp.Position(2, 4), lsp.Position(2, 9))
    (target,) = await client.text_document_definition_async(lsp.DefinitionParams(document, call))
    place = target.target_selection_range if isinstance(target, lsp.LocationLink) else target.range
    assert place == name
    marks = await client.text_document_document_highlight_async(lsp.DocumentHighlightParams(document, call))
    assert [each.kind for each in marks] == [lsp.DocumentHighlightKind.Write, lsp.DocumentHighlightKind.Read]
    context = lsp.ReferenceContext(include_declaration=False)
    (use,) = await client.text_document_references_async(lsp.ReferenceParams(context, document, call))
    assert use == lsp.Location(uri, lsp.Range(lsp.Position(7, 11), lsp.Position(7, 16)))
    shown = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document))
    assert [each.name for each in shown] == ["below", "above"]
    (found,) = await client.workspace_symbol_async(lsp.WorkspaceSymbolParams("abv"))
    assert (found.name, found.location.uri) == ("above", uri)
    (item,) = await client.text_document_prepare_call_hierarchy_async(lsp.CallHierarchyPrepareParams(document, call))
    (above,) = await client.call_hierarchy_incoming_calls_async(lsp.CallHierarchyIncomingCallsParams(item))
    assert (above.from_.name, above.from_ranges[0].start) == ("above", lsp.Position(7, 11))
    (entry,) = await client.call_hierarchy_incoming_calls_async(lsp.CallHierarchyIncomingCallsParams(above.from_))
    assert entry.from_.name == "torch.jit.script"
    (again,) = await client.call_hierarchy_outgoing_calls_async(lsp.CallHierarchyOutgoingCallsParams(above.from_))
    assert again.to == item
    client.text_document_did_close(lsp.DidCloseTextDocumentParams(document))


async def test_names_are_changed_everywhere_or_not_at_all(client: LanguageClient) -> None:
    uri = opened(client, "renamed.py", NAVIGATED)
    document, call = lsp.TextDocumentIdentifier(uri), lsp.Position(7, 12)
    edit = await client.text_document_rename_async(
        lsp.RenameParams(text_document=document, position=call, new_name="lower")
    )
    edits = edit.changes[uri] if edit.changes else edit.document_changes[0].edits
    assert [(each.range.start.line, each.new_text) for each in edits] == [(2, "lower"), (7, "lower")]
    with pytest.raises(JsonRpcException, match="in use already"):
        await client.text_document_rename_async(
            lsp.RenameParams(text_document=document, position=call, new_name="above")
        )
    prepared = await client.text_document_prepare_rename_async(lsp.PrepareRenameParams(document, call))
    assert prepared.placeholder == "below"
    client.text_document_did_close(lsp.DidCloseTextDocumentParams(document))


async def test_plain_python_is_others_work(client: LanguageClient) -> None:
    uri = opened(client, "plain.py", "import os\n\ndef f(x):\n    return x.no_such_method() + undefined\n")
    assert await diagnostics(client, uri, 0) == []
    for line in range(4):
        place = lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(line, 8))
        assert await client.text_document_hover_async(place) is None


async def test_settings_of_the_editor_hold(client: LanguageClient) -> None:
    uri = opened(client, "settings.py", TEXT)
    (found,) = await diagnostics(client, uri, 1)
    settings = {"ts-lsp": {"ignore": [str(found.code)]}}
    client.set_configuration(settings)
    client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(settings))
    await until_told(client, uri, 0)
    client.set_configuration({})
    client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams({}))
    await until_told(client, uri, 1)


async def until_told(client: LanguageClient, uri: str, count: int) -> None:
    """Waits until as many diagnostics are told: to who asks, after it was told to ask."""
    if not client.told.capabilities.diagnostic_provider:
        await diagnostics(client, uri, count)
        return
    async with asyncio.timeout(PATIENCE):
        while True:
            params = lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(uri))
            report = await client.text_document_diagnostic_async(params)
            if len(report.items) == count:
                return
            await asyncio.sleep(0.01)


async def test_a_changed_settings_file_holds(client: LanguageClient) -> None:
    uri = opened(client, "file.py", TEXT)
    (found,) = await diagnostics(client, uri, 1)
    file = client.folder / "pyproject.toml"
    file.write_text(f'[tool.ts-lsp]\nignore = ["{found.code}"]\n')
    event = lsp.FileEvent(file.as_uri(), lsp.FileChangeType.Created)
    client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([event]))
    await until_told(client, uri, 0)
    file.unlink()
    client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([event]))
    await until_told(client, uri, 1)


async def test_commands(client: LanguageClient) -> None:
    uri = opened(client, "commands.py", TEXT)

    async def execute(name: str, *arguments: object) -> Any:
        return await client.workspace_execute_command_async(lsp.ExecuteCommandParams(name, list(arguments)))

    facts = await execute("ts-lsp.showFacts", uri, {"line": 5, "character": column(client, "x.no")})
    assert facts["types"] == ["Tensor"]
    entries = await execute("ts-lsp.showEntryPoints")
    assert [(each["target"], each["verdict"]) for each in entries if each["uri"] == uri] == [("f", "error")]
    assert await execute("ts-lsp.restart") is None
    await diagnostics(client, uri, 1)
