"""Addresses of documents and paths of files.

Owns the way between the two. Invariant: nothing raises; what is no file (an untitled buffer, a cell of a notebook)
keeps its address as its path.
"""

from __future__ import annotations

import os

from pygls.uris import from_fs_path, to_fs_path

_FILE = "file:"


def path_of(uri: str) -> str:
    """The absolute path of a file's address; any other address as it is."""
    if not uri.startswith(_FILE):
        return uri
    try:
        path = to_fs_path(uri)
    except ValueError:
        return uri
    return os.path.abspath(path) if path else uri


def uri_of(path: str) -> str:
    """The address of a path."""
    if not os.path.isabs(path):
        return path
    return from_fs_path(path) or path


def is_file(path: str) -> bool:
    """Whether a path is one of a file, existing or not, and no address."""
    return os.path.isabs(path)
