"""The settings: defaults, bounds, what the file keeps, and what happens to a file that is broken."""

import json
from pathlib import Path

import pytest

from thinkpane.errors import ThinkpaneError
from thinkpane.workspace.settings import SETTINGS, Setting, Settings, SettingValue


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda each: each.name)
def test_declared_settings_are_whole(setting: Setting) -> None:
    assert setting.checked(setting.default) == setting.default
    assert setting.title
    assert setting.help.endswith(".")
    assert isinstance(setting.default, str | bool) or (setting.low is not None and setting.high is not None)


def test_defaults_hold_until_set_and_survive_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    settings = Settings(file)
    assert settings.text("theme") == "system"
    assert settings.whole("limits.blocks") == 100
    heard: list[str] = []
    end = settings.listen(heard.append)
    settings.set("theme", "dark")
    settings.set("limits.blocks", 7)
    settings.set("zoom", 2)
    assert heard == ["theme", "limits.blocks", "zoom"]
    end()
    again = Settings(file)
    assert (again.text("theme"), again.whole("limits.blocks"), again.number("zoom")) == ("dark", 7, 2.0)


def test_default_leaves_the_file_and_unknown_keys_stay(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text(json.dumps({"future": [1], "limits": {"blocks": 7, "more": 2}, "theme": "light"}))
    settings = Settings(file)
    settings.set("theme", "system")
    settings.set("limits.blocks", 100)
    assert json.loads(file.read_text()) == {"future": [1], "limits": {"more": 2}}


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("theme", "pink", "one of system, dark, light"),
        ("theme", 3, "one of system"),
        ("zoom", 9.0, "a number from 0.5 to 3"),
        ("zoom", True, "a number from"),
        ("limits.blocks", 0, "a whole number from 1"),
        ("limits.blocks", 1.5, "a whole number"),
    ],
)
def test_value_that_is_not_allowed_changes_nothing(tmp_path: Path, name: str, value: SettingValue, words: str) -> None:
    settings = Settings(tmp_path / "settings.json")
    before = settings.get(name)
    with pytest.raises(ThinkpaneError, match=words):
        settings.set(name, value)
    assert settings.get(name) == before
    with pytest.raises(KeyError):
        settings.get("no.such")


def test_bad_value_in_the_file_is_told_and_replaced(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text('{"zoom": "big", "theme": "dark"}')
    settings = Settings(file)
    assert settings.number("zoom") == 1.0
    assert settings.text("theme") == "dark"
    assert [each.field for each in settings.problems] == ["zoom"]
    settings.set("zoom", 1.5)
    assert settings.problems == []


@pytest.mark.parametrize("text", ['{"theme": ', "[]"])
def test_broken_file_is_put_aside_not_overwritten(tmp_path: Path, text: str) -> None:
    file = tmp_path / "settings.json"
    file.write_text(text)
    settings = Settings(file)
    assert len(settings.problems) == 1
    settings.set("theme", "dark")
    assert (tmp_path / "settings.broken.json").read_text() == text
    assert Settings(file).text("theme") == "dark"
