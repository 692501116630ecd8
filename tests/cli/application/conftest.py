"""The application keeps files in the user's folder, and speaks the user's language."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "COLUMNS", "LINES", "TEXTUAL"):
        monkeypatch.delenv(name, raising=False)
