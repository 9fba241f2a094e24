"""The projects of a client's folders, each with its settings and its analysis.

Owns `Session`, which lives in the worker's thread. Invariant: a file belongs to one project, and every open text is
known to the project of its file.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from ts_lsp.ide.faded import Faded
from ts_lsp.ide.snapshot import Snapshot, glance
from ts_lsp.project.environment import Environment, ModuleFinder, discover_environment, environment_files, package_root
from ts_lsp.project.files import read_file
from ts_lsp.project.libraries import registered_operators
from ts_lsp.project.settings import Settings, find_settings_file, load_settings, read_settings
from ts_lsp.project.sources import DiskSources
from ts_lsp.records import dataclass
from ts_lsp.rules.diagnostics import Diagnostic, RuleChoice
from ts_lsp.semantic.analysis import FileFacts
from ts_lsp.semantic.incremental import IncrementalAnalysis
from ts_lsp.server.client import Client
from ts_lsp.server.configuration import Configuration
from ts_lsp.server.diagnostics import Json
from ts_lsp.server.documents import Document, Documents, open_lines
from ts_lsp.server.scanning import Scanner
from ts_lsp.server.token_data import TokenMemory
from ts_lsp.server.uris import is_file, path_of, uri_of
from ts_lsp.server.view import View, location_in
from ts_lsp.server.watching import DiskWatch
from ts_lsp.server.worker import CancelToken
from ts_lsp.syntax.tree import SourceFile
from ts_lsp.text import Range
from ts_lsp.torchdata.loader import load
from ts_lsp.values.known import PythonTarget
from ts_lsp.values.workspace import Workspace

if TYPE_CHECKING:
    from ts_lsp.pybridge.bridge import PythonBridge

_SETTINGS_FILES = ("pyproject.toml", "pyvenv.cfg")
log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Project:
    """What belongs together: files that import each other, one torch version, one choice of rules."""

    root: Path
    settings: Settings
    choice: RuleChoice
    analysis: IncrementalAnalysis
    sources: DiskSources
    finder: ModuleFinder
    environment: Environment
    disk: DiskWatch
    """How the environment's places were when they were looked at last."""

    @cached_property
    def _bridge(self) -> PythonBridge:
        from ts_lsp.pybridge.bridge import PythonBridge

        return PythonBridge(self.environment.site_packages)

    def packages(self) -> PythonBridge:
        """What the packages of the environment say of themselves."""
        return self._bridge

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
        tell_projects: Callable[[Sequence[Project]], None],
    ) -> None:
        self.client = client
        self.documents = Documents()
        """The open documents as the analysis knows them; there may be newer ones."""
        self._newest = documents
        self._configuration = configuration
        self._tell = tell
        self._tell_projects = tell_projects
        self._projects: dict[Path, Project] = {}
        self._told: dict[str, tuple[Document, tuple[Diagnostic, ...], tuple[Faded, ...]]] = {}
        """What the client was told last, by the path of the document."""
        self.reports: dict[str, tuple[SourceFile, FileFacts, Json]] = {}
        """By path what was reported last, and the text and facts that it rests on."""
        self._tokens: dict[str, TokenMemory] = {}
        self._roots: dict[str, Path] = {}
        self._disk = DiskWatch()
        """What the client does not tell of."""
        self._scanner = Scanner()
        self._scan: Generator[int, None, tuple[str, ...]] | None = None
        self._scripting: tuple[str, ...] = ()
        """The files of the client's folders that may have entry points."""
        self._faults: set[str] = set()

    # What the worker asks.

    def take_over(self, path: str) -> None:
        """Gives the newest text of a document to the analysis; of a closed one, the text on disk."""
        document, before = self._newest.at(path), self.documents.at(path)
        if before is not None:
            self.documents.remove(before.uri)
        if document is not None:
            self.documents.put(document)
            if not document.is_python:
                return
        analysis = self.project(path).analysis
        if document is None:
            self._told.pop(path, None)
            self._tokens.pop(path, None)
            analysis.watch([each for each in analysis.paths if each != path])
            document = self._on_disk(path)
        if document is not None:
            analysis.apply_change(path, document.text)
        else:
            analysis.remove(path)

    def glance(self, path: str, token: CancelToken) -> bool:
        """Tells the diagnostics of an edited document; gives whether others may have changed, too."""
        document = self.documents.at(path)
        if document is not None:
            self._show(document, token)
        return not self.project(path).analysis.is_current or len(self._told) > 1

    def tell_again(self, path: str) -> None:
        """What the client was told of a document is not all that is to be said."""
        self._told.pop(path, None)

    def show(self, token: CancelToken) -> None:
        """Brings everything up to date, and tells what is new to the client."""
        for project in self.projects:
            project.analysis.refresh(token.check)
            self._tell_faults(project)
        for document in self.documents:
            token.check()
            self._show(document, token)

    def recover(self) -> None:
        for project in self.projects:
            project.analysis.start_again()

    def _show(self, document: Document, token: CancelToken) -> None:
        view = self.view(document, token) if not self.client.pulls_diagnostics else None
        if view is None:
            return
        shown = document, view.diagnostics, view.faded
        if self._told.get(document.path) != shown:
            self._told[document.path] = shown
            self._tell(document, view)

    def _tell_faults(self, project: Project) -> None:
        """Logs faults of our own, each once; the definitions beside them keep their facts."""
        for fault in project.analysis.program.faults:
            text = f"internal fault at {fault.qualname} in {fault.path}: {fault.error!r} (please report it)"
            if text not in self._faults:
                self._faults.add(text)
                log.error(text)

    # What requests ask.

    def document(self, uri: str) -> Document | None:
        """The open document of an address, else the file on disk; None where there is neither."""
        return self.documents.get(uri) or self._on_disk(path_of(uri), uri)

    def _on_disk(self, path: str, uri: str = "") -> Document | None:
        content = read_file(Path(path)) if is_file(path) and os.path.isfile(path) else None
        if content is None or not content.is_readable:
            return None
        return Document(uri or uri_of(path), path, None, open_lines(content.text), self.client.encoding)

    def scan(self, step: Callable[[int, int], object], token: CancelToken) -> Sequence[str]:
        """Looks for files of the client's folders that hand something to the compiler: their entry points count from
        now on. Goes on where it was stopped. `step` is told how many files there are so far, and were before."""
        if self._scan is None:
            self._scan = self._scanner.scan(self._folder_settings(), self._handing_names)
        before = self._scanner.known
        while True:
            token.check()
            try:
                step(next(self._scan), before)
            except StopIteration as end:
                self._scan, self._scripting = None, end.value
                break
        counted = set(self._scripting)
        for project in self.projects:
            kept = [path for path in project.analysis.paths if path in counted or self.documents.at(path) is not None]
            project.analysis.watch(kept)
        self._count(self._scripting)
        return self._scripting

    def look_at_disk(self) -> bool:
        """Takes over what has changed on disk as far as the client does not tell: environments and their packages, and
        texts and names of files that are known or stand beside them. Gives whether anything has."""
        news = {project: self._environment_news(project) for project in self.projects}
        packages = {path for found in news.values() for path in found}
        if any(found and _environment(each.root, each.settings) != each.environment for each, found in news.items()):
            self.start_again()
        elif packages:
            self.files_changed(packages, came_or_went=True)
        return bool(packages) | (not self.client.watches_files and self._look_at_unwatched())

    def _look_at_unwatched(self) -> bool:
        modules = {each.path for project in self.projects for each in project.analysis.workspace.given_modules()}
        files = {path for path in modules if is_file(path) and self.documents.at(path) is None}
        folders = {str(each) for project in self.projects for each in (project.root, project.root / "src")}
        folders |= {os.path.dirname(path) for path in files} | self._scanner.folders
        came_or_went = self._disk.came_or_went(folders)
        others = {path for path in self._disk.changed_files(files) if self._is_other_on_disk(path)}
        others.update(came_or_went, self._disk.changed_files(_settings_files(self.projects)))
        if others:
            self.files_changed(others, bool(came_or_went))
        return bool(others)

    @staticmethod
    def _environment_news(project: Project) -> list[str]:
        """What changed since the last call, of which an environment is made."""
        files = project.disk.changed_files(map(str, environment_files(project.root)))
        return files + project.disk.came_or_went(map(str, project.environment.site_packages))

    def _is_other_on_disk(self, path: str) -> bool:
        document = self._on_disk(path)
        sources = [project.analysis.workspace.source(path) for project in self.projects]
        return document is None or any(each is not None and each.text != document.text for each in sources)

    def _folder_settings(self) -> list[tuple[str, Settings]]:
        """The client's folders and the settings that hold there."""
        return [(each, self.project(os.path.join(each, "any.py")).settings) for each in self._configuration.folders]

    def _handing_names(self, path: str) -> Collection[str]:
        self._take_in(path)
        return self.project(path).analysis.workspace.handing_names(path)

    def _take_in(self, path: str) -> None:
        """Has the analysis know a file."""
        analysis = self.project(path).analysis
        if analysis.workspace.source(path) is None:
            document = self.text_of(path)
            if document is not None:
                analysis.apply_change(path, document.text)

    def _count(self, paths: Iterable[str]) -> None:
        """The entry points of these files count, as soon as there is nothing else to do."""
        by_project: dict[Project, list[str]] = {}
        for path in paths:
            self._take_in(path)
            by_project.setdefault(self.project(path), []).append(path)
        for project, own in by_project.items():
            project.analysis.watch_later(own)

    def every_document(self, paths: Iterable[str], step: Callable[[int], object], token: CancelToken) -> list[Document]:
        """The documents of these paths and all open ones. Their entry points count from now on.

        `step` is told how many there are so far.
        """
        found = {each.path: each for each in self.documents if each.is_python}
        self._count(dict.fromkeys([*found, *paths]))
        for project in self.projects:
            project.analysis.refresh(token.check)
        for path in paths:
            step(len(found))
            source = self.project(path).analysis.workspace.source(path)
            if path not in found and source is not None:
                found[path] = Document(uri_of(path), path, None, open_lines(source.text), self.client.encoding)
        return list(found.values())

    def view(self, document: Document, token: CancelToken, needs_all: bool = False, asked: str = "") -> View | None:
        """The newest state of a document as features see it; None for one that nothing is known of.

        Unless all is needed, definitions that rest on the last edit may be as they were before it. `asked` may be the
        address of a notebook's cell.
        """
        if not document.is_python:
            return None
        project = self.project(document.path)
        if project.analysis.workspace.source(document.path) is None:
            project.analysis.apply_change(document.path, document.text)
        if needs_all:
            project.analysis.whole_facts(document.path, token.check)
        snapshot = project.glance(document.path, token)
        if snapshot is None:
            return None
        is_ours = not project.finder.is_external(Path(document.path))
        cell = next((each for each in document.cells if each.document.uri == asked), None)
        tokens = self._tokens.setdefault(document.path, TokenMemory()) if self.documents.at(document.path) else None
        return View(
            document,
            snapshot,
            project.settings,
            self.client,
            project.packages,
            token,
            self.text_of,
            self.address,
            is_ours,
            cell,
            project.environment.torch_version is not None,
            tokens or TokenMemory(),
        )

    def text_of(self, path: str) -> Document | None:
        """The text that stands at a path now."""
        return self.documents.at(path) or self._on_disk(path)

    def address(self, path: str) -> str:
        """The address of a path, spelled as the client spells it where it has the file open."""
        document = self.documents.at(path)
        return document.uri if document is not None else uri_of(path)

    def location(self, path: str, place: Range) -> lsp.Location | None:
        """A place in any file; None where the file has gone."""
        document = self.text_of(path)
        return location_in(document, place, self.address(path)) if document is not None else None

    # Projects.

    def interpreter(self, path: str) -> str | None:
        """The Python of the project that a path belongs to."""
        return self.project(path).environment.interpreter

    def files_changed(self, paths: Collection[str], came_or_went: bool) -> None:
        """Files have other contents on disk, or there are others than before."""
        if any(os.path.basename(path) in _SETTINGS_FILES for path in paths):
            self.start_again()
            return
        for project in self.projects:
            project.sources.refresh()
            known = project.analysis.workspace.source
            stale = [path for path in paths if self.documents.at(path) is None and known(path) is not None]
            for path in stale:
                document = self._on_disk(path)
                if document is not None:
                    project.analysis.apply_change(path, document.text)
                else:
                    project.analysis.watch([each for each in project.analysis.paths if each != path])
                    project.analysis.remove(path)
            if came_or_went:
                project.analysis.look_again()

    def configure(self, configuration: Configuration) -> None:
        """Other folders or settings hold."""
        if configuration != self._configuration:
            self._configuration = configuration
            self.start_again()

    def start_again(self) -> None:
        """Everything is read and worked out again."""
        self._scan = None
        self._projects.clear()
        self._roots.clear()
        self.reports.clear()
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
            self._tell_projects(self.projects)
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
        sources = DiskSources(finder)
        workspace = Workspace(torch, sources, settings.entry_points, python)
        for notice in (*notices, *more):
            log.warning("%s", notice)
        choice = RuleChoice.written(settings.select, settings.ignore, settings.severity)
        analysis = IncrementalAnalysis(torch, workspace, settings.scope)
        project = Project(root, settings, choice, analysis, sources, finder, environment, DiskWatch())
        self._environment_news(project)  # from now on it is seen what changes
        self._disk.changed_files(_settings_files([project]))
        return project


def _environment(root: Path, settings: Settings) -> Environment:
    return discover_environment(root, settings.python)[0]


def _settings_files(projects: Iterable[Project]) -> list[str]:
    return [str(each.root / "pyproject.toml") for each in projects]
