"""One version stands everywhere, and a release changes all of it or nothing."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from scripts.release import CHANGELOGS, PLACES, Unreleasable, changed, versions
from ts_lsp import __version__


def test_the_versions_agree() -> None:
    assert versions() == {name: {__version__} for name in PLACES}


def test_a_release_is_written_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    read = Path.read_text

    def with_news(path: Path, encoding: str) -> str:
        """Changelogs have nothing unreleased just after a release."""
        return "# Changelog\n\n## Unreleased\n\n- News.\n" if path.name == "CHANGELOG.md" else read(path, encoding)

    monkeypatch.setattr(Path, "read_text", with_news)
    texts = changed("12.34.56", date(2030, 1, 2))
    assert set(texts) == {*PLACES, *CHANGELOGS}
    assert all("12.34.56" in text for text in texts.values())
    assert texts["CHANGELOG.md"] == "# Changelog\n\n## 12.34.56 (2030-01-02)\n\n- News.\n"


@pytest.mark.parametrize("version", ["", "1.2", "v1.2.3", "1.2.3rc1"])
def test_what_is_no_version_is_not_released(version: str) -> None:
    with pytest.raises(Unreleasable, match="no version"):
        changed(version, date(2030, 1, 2))
