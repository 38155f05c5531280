"""The journal on disk: whole lines at once, only its owner's, and the oldest removed."""

import os
import stat
import sys
from pathlib import Path

import pytest

from thinkpane.runs.journal import Journal


def test_lines_are_on_disk_as_soon_as_they_are_written(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "state" / "journals")
    file = journal.open("0123456789abcdef")
    file.write(b"one\n")
    assert file.path.read_bytes() == b"one\n"
    file.write(b"two\n")
    assert file.path.read_bytes() == b"one\ntwo\n"
    file.close()
    assert file.path.name.endswith("-01234567.transcript")
    assert journal.files() == [file.path]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_only_its_owner_may_read_it(tmp_path: Path) -> None:
    file = Journal(tmp_path).open("1")
    file.close()
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600


def test_the_oldest_runs_are_removed(tmp_path: Path) -> None:
    journal = Journal(tmp_path, runs=3)
    names = []
    for number in range(5):
        file = journal.open(f"run{number}")
        file.close()
        names.append(file.path)
    assert journal.files() == names[:1:-1]


def test_what_is_large_goes_first_where_it_is_oldest(tmp_path: Path) -> None:
    for name, size in (("1", 50), ("2", 40), ("3", 30), ("4", 30)):
        (tmp_path / f"{name}.transcript").write_bytes(b"x" * size)
    other = tmp_path / "0.txt"
    other.write_bytes(b"x" * 1000)
    newest = Journal(tmp_path, bytes=100).open("5")
    newest.close()
    left = {path.name for path in tmp_path.iterdir()} - {newest.path.name}
    assert left == {"0.txt", "2.transcript", "3.transcript", "4.transcript"}


def test_a_folder_that_is_none_is_an_os_error(tmp_path: Path) -> None:
    taken = tmp_path / "file"
    taken.write_bytes(b"")
    with pytest.raises(OSError, match="file"):
        Journal(taken / "journals").open("1")


def test_a_line_is_written_whole_though_the_system_takes_it_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, data: write(file, bytes(data)[:3]))
    file = Journal(tmp_path).open("1")
    file.write(b"a long line\n")
    file.close()
    assert file.path.read_bytes() == b"a long line\n"


def test_one_run_alone_cannot_fill_the_disk(tmp_path: Path) -> None:
    file = Journal(tmp_path, bytes=10).open("1")
    file.write(b"12345678\n")
    with pytest.raises(OSError, match="larger than the journal"):
        file.write(b"9\n")
    file.close()
    assert file.path.read_bytes() == b"12345678\n"
