"""The projects of a client's folders, each with its settings and its analysis.

Owns `Session`, which lives in the worker's thread. Invariant: a file belongs to one project, and every open text is
known to the project of its file.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from ts_lsp.ide.snapshot import Snapshot, glance
from ts_lsp.project.environment import ModuleFinder, discover_environment, package_root
from ts_lsp.project.files import read_file
from ts_lsp.project.libraries import registered_operators
from ts_lsp.project.settings import Settings, find_settings_file, load_settings, read_settings
from ts_lsp.project.sources import DiskSources
from ts_lsp.records import dataclass
from ts_lsp.rules.diagnostics import Diagnostic, RuleChoice
from ts_lsp.semantic.incremental import IncrementalAnalysis
from ts_lsp.server.client import Client
from ts_lsp.server.configuration import Configuration
from ts_lsp.server.documents import Document, Documents, open_lines
from ts_lsp.server.uris import is_file, path_of, uri_of
from ts_lsp.server.view import View
from ts_lsp.server.worker import CancelToken
from ts_lsp.torchdata.loader import load
from ts_lsp.values.known import PythonTarget
from ts_lsp.values.workspace import Workspace

log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Project:
    """What belongs together: files that import each other, one torch version, one choice of rules."""

    root: Path
    settings: Settings
    choice: RuleChoice
    analysis: IncrementalAnalysis
    finder: ModuleFinder

    def glance(self, path: str, token: CancelToken) -> Snapshot | None:
        """The state of a file, in which at least the definitions edited last are up to date."""
        return glance(self.analysis, path, self.choice, token.check)


class Session:
    """Answers for documents. Texts come from the client's open documents, else from disk."""

    def __init__(
        self,
        client: Client,
        documents: Documents,
        configuration: Configuration,
        tell: Callable[[Document, View], None],
    ) -> None:
        self.client = client
        self.documents = documents
        self._configuration = configuration
        self._tell = tell
        self._projects: dict[Path, Project] = {}
        self._told: dict[str, tuple[Document, tuple[Diagnostic, ...]]] = {}
        """What the client was told last, by the address of the document."""
        self._roots: dict[str, Path] = {}

    # What the worker asks.

    def take_over(self, path: str) -> None:
        """Gives the newest text of a document to the analysis; of a closed one, the text on disk."""
        document = self.documents.at(path)
        project = self.project(path)
        if document is not None:
            project.analysis.apply_change(path, document.text)
        else:
            project.analysis.remove(path)

    def glance(self, path: str, token: CancelToken) -> bool:
        """Tells the diagnostics of an edited document; gives whether others may have changed, too."""
        document = self.documents.at(path)
        if document is not None:
            self._show(document, token)
        return not self.project(path).analysis.is_current or len(self._told) > 1

    def show(self, token: CancelToken) -> None:
        """Brings everything up to date, and tells what is new to the client."""
        for project in self.projects:
            project.analysis.refresh(token.check)
        for document in self.documents:
            token.check()
            self._show(document, token)

    def _show(self, document: Document, token: CancelToken) -> None:
        view = self.view(document, token) if not self.client.pulls_diagnostics else None
        if view is None:
            return
        shown = document, view.snapshot.diagnostics
        if self._told.get(document.uri) != shown:
            self._told[document.uri] = shown
            self._tell(document, view)

    # What requests ask.

    def document(self, uri: str) -> Document | None:
        """The open document of an address, else the file on disk; None where there is neither."""
        document = self.documents.get(uri)
        if document is not None:
            return document
        path = path_of(uri)
        content = read_file(Path(path)) if is_file(path) and os.path.isfile(path) else None
        if content is None or not content.is_readable:
            return None
        return Document(uri, path, None, open_lines(content.text), self.client.encoding)

    def view(self, document: Document, token: CancelToken, needs_all: bool = False) -> View | None:
        """The newest state of a document as features see it; None for one that nothing is known of.

        Unless all is needed, definitions that rest on the last edit may be as they were before it.
        """
        project = self.project(document.path)
        if project.analysis.workspace.source(document.path) is None:
            project.analysis.apply_change(document.path, document.text)
        if needs_all:
            project.analysis.whole_facts(document.path, token.check)
        snapshot = project.glance(document.path, token)
        if snapshot is None:
            return None
        return View(document, snapshot, project.settings, self.client, token, self.text_of, self.address)

    def text_of(self, path: str) -> Document | None:
        """The text that stands at a path now."""
        return self.documents.at(path) or self.document(uri_of(path))

    def address(self, path: str) -> str:
        """The address of a path, spelled as the client spells it where it has the file open."""
        document = self.documents.at(path)
        return document.uri if document is not None else uri_of(path)

    # Projects.

    def files_changed(self, paths: Sequence[str]) -> None:
        """Files came, went or have other contents on disk."""
        if any(os.path.basename(path) == "pyproject.toml" for path in paths):
            self.configure(self._configuration)
            return
        for path in paths:
            if self.documents.at(path) is None:
                project = self.project(path)
                project.finder.refresh()
                project.analysis.workspace.remove_source(path)

    def configure(self, configuration: Configuration) -> None:
        """Other folders or settings: everything is worked out again."""
        self._configuration = configuration
        self._projects.clear()
        self._roots.clear()
        for document in self.documents:
            self.take_over(document.path)

    @property
    def projects(self) -> Sequence[Project]:
        return tuple(self._projects.values())

    def project(self, path: str) -> Project:
        """The project that a path belongs to."""
        root = self._root(path)
        if root not in self._projects:
            self._projects[root] = self._open(root)
        return self._projects[root]

    def _root(self, path: str) -> Path:
        """The folder of a path's project: of the nearest settings inside its workspace folder, or that folder."""
        place = os.path.dirname(path) if is_file(path) else ""
        if place not in self._roots:
            self._roots[place] = self._find_root(Path(place), Path(path)) if place else self._first_folder()
        return self._roots[place]

    def _find_root(self, place: Path, path: Path) -> Path:
        around = [folder for folder in self._configuration.folders if place.is_relative_to(folder)]
        folder = Path(max(around, key=len)) if around else None
        settings = find_settings_file(place)
        if settings is not None and (folder is None or settings.parent.is_relative_to(folder)):
            return settings.parent
        return folder or package_root(path)

    def _first_folder(self) -> Path:
        return Path(self._configuration.folders[0] if self._configuration.folders else os.getcwd())

    def _open(self, root: Path) -> Project:
        settings, notices = load_settings(root)
        tables = [self._configuration.settings]
        folder = next((each for each in self._configuration.folders if root.is_relative_to(each)), None)
        if folder is not None:
            tables.append(self._configuration.folder_settings.get(folder, {}))
        for table in tables:
            settings, more = read_settings(table, settings, "the editor's settings")
            notices += more
        environment, more = discover_environment(root, settings.python)
        folders = (root, *environment.site_packages)
        torch = load(settings.torch_version or environment.torch_version).with_libraries(
            partial(registered_operators, folders)
        )
        python = PythonTarget(version=environment.python_version or PythonTarget().version)
        finder = ModuleFinder([root], environment)
        workspace = Workspace(torch, DiskSources(finder), settings.entry_points, python)
        for notice in (*notices, *more):
            log.warning("%s", notice)
        choice = RuleChoice.written(settings.select, settings.ignore, settings.severity)
        return Project(root, settings, choice, IncrementalAnalysis(torch, workspace, settings.scope), finder)
