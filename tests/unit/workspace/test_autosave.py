"""Unsaved work reaches the disk by itself, is found after a crash by one instance only, is gone after a clean end."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from support.patience import PATIENCE
from thinkpane.errors import Problem
from thinkpane.workspace.autosave import Autosave, claim_leftovers
from thinkpane.workspace.document import Document
from thinkpane.workspace.instance_lock import InstanceLock
from thinkpane.workspace.state import DocumentState


def edit(document: Document, template: str) -> None:
    document.change(replace(document.state, template=template), ["template"], "test", "edit")


@contextmanager
def autosaved(document: Document, folder: Path, delay: float = 0.0) -> Iterator[Autosave]:
    autosave = Autosave(document, folder, delay=delay)
    try:
        yield autosave
    finally:
        autosave.close()


def crash(folder: Path, template: str) -> None:
    """Another process that edits, autosaves and dies without a clean end."""
    script = (
        "import os, sys\n"
        "from dataclasses import replace\n"
        "from pathlib import Path\n"
        "from thinkpane.workspace.autosave import Autosave\n"
        "from thinkpane.workspace.document import Document\n"
        "document = Document()\n"
        "autosave = Autosave(document, Path(sys.argv[1]))\n"
        "document.change(replace(document.state, template=sys.argv[2]), ['template'], 'test', 'edit')\n"
        "assert autosave.flush()\n"
        "os._exit(9)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    words = [sys.executable, "-c", script, str(folder), template]
    done = subprocess.run(words, timeout=PATIENCE, check=False, env=environment)
    assert done.returncode == 9


def test_a_change_is_written_without_being_asked(tmp_path: Path) -> None:
    written = threading.Event()
    document = Document()
    autosave = Autosave(document, tmp_path, delay=0.01, on_written=lambda _: written.set())
    try:
        edit(document, "x")
        assert written.wait(PATIENCE)
        assert autosave.written_at is not None
        assert len(list(tmp_path.glob("*.json"))) == 1
    finally:
        autosave.close()


def test_default_delay_keeps_the_promise_of_two_seconds() -> None:
    assert Autosave.__init__.__kwdefaults__ is not None
    assert Autosave.__init__.__kwdefaults__["delay"] <= 1.5


def test_changes_that_follow_do_not_put_it_off(tmp_path: Path) -> None:
    document = Document()
    with autosaved(document, tmp_path, delay=3600) as autosave:
        edit(document, "a")
        due = autosave._due
        edit(document, "b")
        assert due is not None
        assert autosave._due == due


def test_work_of_a_crashed_instance_is_found(tmp_path: Path) -> None:
    crash(tmp_path, "kept")
    found = claim_leftovers(tmp_path)
    assert [each.state and each.state.template for each in found] == ["kept"]
    assert found[0].saved_at is not None
    assert claim_leftovers(tmp_path) == [], "what is held is offered once"
    found[0].keep()
    again = claim_leftovers(tmp_path)
    assert len(again) == 1
    again[0].discard()
    assert list(tmp_path.iterdir()) == []


def test_work_of_a_running_instance_is_left_alone(tmp_path: Path) -> None:
    document = Document()
    with autosaved(document, tmp_path) as autosave:
        edit(document, "x")
        assert autosave.flush()
        assert claim_leftovers(tmp_path) == []
    assert list(tmp_path.iterdir()) == [], "a clean end leaves nothing"


def test_saved_work_needs_no_autosave(tmp_path: Path) -> None:
    document = Document()
    folder = tmp_path / "state"
    with autosaved(document, folder) as autosave:
        edit(document, "x")
        assert autosave.flush()
        assert list(folder.glob("*.json"))
        document.save_as(tmp_path / "a.thinkpane.json")
        assert autosave.flush()
        assert list(folder.iterdir()) == []


def test_leftovers_come_newest_first_and_broken_ones_say_why(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"saved_at": "2020-01-01T00:00:00+00:00", "document": {"thinkpane": 1}}')
    (tmp_path / "b.json").write_text('{"saved_at": "2021-01-01T00:00:00+00:00", "document": {"thinkpane": 1}}')
    (tmp_path / "c.json").write_text("{")
    (tmp_path / "d.json").write_text('{"saved_at": "noon", "document": {"thinkpane": 1}}')
    found = claim_leftovers(tmp_path)
    assert [each.file.name for each in found[:2]] == ["b.json", "a.json"]
    assert found[0].state == DocumentState()
    assert {each.file.name for each in found if each.problem} == {"c.json", "d.json"}
    for each in found:
        each.discard()
    assert claim_leftovers(tmp_path / "nowhere") == []


def test_full_disk_is_told_and_the_next_write_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    problems: list[Problem | None] = []
    blocked = tmp_path / "state"
    blocked.write_text("a file where the folder should be")
    document = Document()
    autosave = Autosave(document, blocked, delay=0.0, on_written=problems.append)
    try:
        edit(document, "x")
        assert autosave.flush()
        blocked.unlink()
        edit(document, "y")
        assert autosave.flush()
    finally:
        autosave.close()
    assert problems[0] is not None
    assert problems[0].kind == "file"
    assert problems[-1] is None


def test_lock_is_held_by_one(tmp_path: Path) -> None:
    first = InstanceLock.take(tmp_path / "a.lock")
    assert first is not None
    assert InstanceLock.take(tmp_path / "a.lock") is None
    first.release()
    first.release()
    second = InstanceLock.take(tmp_path / "a.lock")
    assert second is not None
    second.let_go()
    assert (tmp_path / "a.lock").exists()
