"""How much memory another process holds, where the system tells."""

import os
import subprocess

import pytest

from thinkpane.engine import memory


def test_it_is_told_of_a_process_that_is_there() -> None:
    assert (memory.resident_bytes(os.getpid()) or 0) > 1_000_000


@pytest.mark.parametrize("fault", [OSError("no ps"), subprocess.TimeoutExpired("ps", 5)])
def test_where_it_cannot_be_told_nothing_ends(fault: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_pid: int) -> int:
        raise fault

    monkeypatch.setattr(memory, "_bytes", fails)
    assert memory.resident_bytes(1) is None
