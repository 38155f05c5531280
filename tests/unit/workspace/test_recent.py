"""The list of recent files."""

from pathlib import Path

import pytest

from thinkpane.errors import ThinkpaneError
from thinkpane.workspace.recent import Recent, RecentTemplates, is_missing


def test_newest_first_each_once_and_limited(tmp_path: Path) -> None:
    recent = Recent(tmp_path / "state" / "recent.json", limit=2)
    assert recent.paths() == []
    one, two, three = (tmp_path / name for name in ("1", "2", "3"))
    for path in (one, two, one, three):
        recent.add(path)
    assert recent.paths() == [three, one]
    recent.forget(three)
    assert Recent(tmp_path / "state" / "recent.json").paths() == [one]
    recent.clear()
    assert recent.paths() == []


def test_relative_paths_are_made_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    recent = Recent(tmp_path / "recent.json")
    recent.add(Path("a.json"))
    assert recent.paths() == [tmp_path / "a.json"]


@pytest.mark.parametrize("text", ["", "{}", '[3, "/x"]'])
def test_damaged_list_is_no_obstacle(tmp_path: Path, text: str) -> None:
    file = tmp_path / "recent.json"
    file.write_text(text)
    recent = Recent(file)
    recent.add(tmp_path / "a")
    assert recent.paths()[0] == tmp_path / "a"


def test_list_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    with pytest.raises(ThinkpaneError, match="could not be written"):
        Recent(tmp_path / "state" / "recent.json").add(tmp_path)


def test_templates_are_kept_by_ref_and_paths_made_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    recent = RecentTemplates(tmp_path / "state" / "recent-templates.json", limit=3)
    for ref in ("a.jinja", "hf:a/b", "http://127.0.0.1:8080", "hf:a/b"):
        recent.add(ref)
    assert recent.refs() == ["hf:a/b", "http://127.0.0.1:8080", str(tmp_path / "a.jinja")]
    assert [is_missing(ref) for ref in recent.refs()] == [False, False, True]
    (tmp_path / "a.jinja").write_text("x")
    assert not is_missing(str(tmp_path / "a.jinja"))
    recent.forget("a.jinja")
    assert recent.refs() == ["hf:a/b", "http://127.0.0.1:8080"]


def test_a_relative_path_that_stands_first_is_known_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    recent = RecentTemplates(tmp_path / "state" / "recent-templates.json")
    assert not recent.begins_with("a.jinja")
    recent.add("a.jinja")
    assert recent.begins_with("a.jinja")
    assert recent.begins_with(str(tmp_path / "a.jinja"))
    recent.add("hf:a/b")
    assert not recent.begins_with("a.jinja")
