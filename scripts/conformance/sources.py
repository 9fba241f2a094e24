"""Fetching PyTorch's test folder: the distribution's source package, by apt, without touching the system's sources.

apt reads a configuration of its own in the cache folder. Which mirror to ask is taken from the sources that the
system already uses; where those name no Debian mirror, the variable DEBIAN_MIRROR does.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

PACKAGE = "pytorch"
VERSION = "2.6.0+dfsg-7"
SUITE = "trixie"
_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


class SourcesUnavailable(Exception):
    """The test folder could not be fetched; the text says why and what to do."""


def test_folder(cache: Path) -> Path:
    """The unpacked test folder, fetched when it is not there yet."""
    unpacked = cache / f"{PACKAGE}-{VERSION}"
    if not unpacked.exists():
        archive = _download(cache / "apt")
        partial = cache / "unpacking"
        _unpack_tests(archive, partial)
        partial.rename(unpacked)
        shutil.rmtree(cache / "apt")
    return unpacked / "test"


def _download(folder: Path) -> Path:
    for name in ("lists/partial", "cache/archives/partial", "source"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    folder = folder.resolve()
    trust = f"[signed-by={_KEYRING}] " if _KEYRING.exists() else ""
    (folder / "sources.list").write_text(f"deb-src {trust}{_mirror()} {SUITE} main\n")
    options = {
        "Dir::Etc::sourcelist": folder / "sources.list",
        "Dir::Etc::sourceparts": "/dev/null",
        "Dir::State::lists": folder / "lists",
        "Dir::Cache": folder / "cache",
    }
    command = ["apt-get", "-qq", *(part for name, value in options.items() for part in ("-o", f"{name}={value}"))]
    _run([*command, "update"], folder)
    _run([*command, "source", "--download-only", f"{PACKAGE}={VERSION}"], folder / "source")
    archives = list((folder / "source").glob("*.orig.tar.*"))
    if not archives:
        raise SourcesUnavailable("apt-get source delivered no archive")
    return archives[0]


def _run(command: list[str], folder: Path) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    except FileNotFoundError:
        raise SourcesUnavailable("apt-get is needed; on another system give an unpacked tree with --source") from None
    if done.returncode:
        raise SourcesUnavailable(f"{' '.join(command[:1] + command[-3:])}: {done.stderr.strip()}")


def _mirror() -> str:
    given = os.environ.get("DEBIAN_MIRROR")
    if given:
        return given
    for uri in _system_uris():
        if uri.rstrip("/").endswith("/debian"):
            return uri
    raise SourcesUnavailable("apt's sources name no Debian mirror; set DEBIAN_MIRROR to one")


def _system_uris() -> Iterator[str]:
    """The addresses in the system's own source files, of both formats, in order."""
    folder = Path("/etc/apt")
    files = [folder / "sources.list", *sorted((folder / "sources.list.d").glob("*"))]
    for path in files:
        if path.suffix in (".list", ".sources") and path.is_file():
            for line in path.read_text(errors="replace").splitlines():
                if re.match(r"\s*(URIs:|deb(-src)?\s)", line):
                    yield from re.findall(r"\bhttps?://\S+", line)


def _unpack_tests(archive: Path, target: Path) -> None:
    with tarfile.open(archive) as tar:
        tar.extraction_filter = getattr(tarfile, "data_filter", None)
        for member in tar:
            inside = member.name.partition("/")[2]
            if inside.startswith("test/") and member.isfile() and ".." not in inside.split("/"):
                member.name = inside
                tar.extract(member, target)
