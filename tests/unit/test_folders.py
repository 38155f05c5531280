"""The folders of settings, state and cache."""

from pathlib import Path

import pytest

from thinkpane.folders import folders


def test_one_variable_moves_them_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THINKPANE_HOME", str(tmp_path))
    found = folders()
    for place in (found.settings_file, found.endpoints_file, found.recent_file, found.autosaves, found.layout_file):
        assert place.is_relative_to(tmp_path)
    assert list(tmp_path.iterdir()) == [], "nothing is made before somebody writes"


def test_without_it_they_are_the_platforms_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("THINKPANE_HOME")
    found = folders()
    assert "thinkpane" in str(found.config)
    assert found.config != found.cache
