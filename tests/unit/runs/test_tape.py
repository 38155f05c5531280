"""A recording beside a run: a fault of the disk is told once and stops nothing."""

import errno

from thinkpane.endpoints.recording import RecordingHeader, read_recording
from thinkpane.runs.tape import Tape

HEADER = RecordingHeader("t", "ollama")


class Disk:
    """Takes `room` lines, then is full."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.lines: list[bytes] = []
        self.closed = 0

    def write(self, line: bytes) -> None:
        if len(self.lines) >= self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        self.lines.append(line)

    def close(self) -> None:
        self.closed += 1
        if self.room < 4:
            raise OSError(errno.EIO, "Input/output error")


def played(disk: Disk) -> list[str]:
    """What is said while a reply is written to `disk`."""
    said: list[str] = []
    tape = Tape(HEADER, disk.write, said.append, disk.close)
    tape.head(200, {}, 1)
    tape.data(b"abc", 2)
    tape.data(b"def", 3)
    tape.over(None, 4)
    tape.over(None, 5)
    return said


def test_a_reply_is_written_and_the_file_closed_once() -> None:
    disk = Disk(99)
    assert played(disk) == []
    assert read_recording(b"".join(disk.lines)).data == b"abcdef"
    assert disk.closed == 1


def test_a_full_disk_is_told_once_at_any_moment() -> None:
    for room in range(5):
        disk = Disk(room)
        said = played(disk)
        assert "No space left on device" in said[0]
        assert [words for words in said[1:] if "No space" in words] == []
        assert len(disk.lines) == room
        assert disk.closed == 1
