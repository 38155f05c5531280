"""The way to a child process: it carries both directions, and can be cut while somebody waits at it."""

import sys
import threading

import pytest

from support.patience import PATIENCE
from thinkpane.engine.duct import started
from thinkpane.engine.process import bare_environment

ECHO = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read(1 << 20)); sys.stdout.flush(); sys.stdin.read()"
DEAF = "import signal; signal.pause()"


def test_what_is_written_comes_back() -> None:
    process, duct = started([sys.executable, "-c", ECHO], bare_environment())
    sent = bytes(range(256)) * 4096
    duct.requests.write(sent)
    duct.requests.flush()
    assert duct.replies.read(len(sent)) == sent
    duct.close()
    assert process.wait(PATIENCE) == 0


def test_a_program_that_does_not_exist_leaves_nothing_open() -> None:
    with pytest.raises(OSError, match="no/such"):
        started(["/no/such/program"], bare_environment())


@pytest.mark.skipif(sys.platform == "win32", reason="There it ends with the process")
@pytest.mark.parametrize("act", ["read", "write"])
def test_it_is_cut_while_the_process_is_still_there(act: str) -> None:
    process, duct = started([sys.executable, "-c", DEAF], bare_environment())
    begins, found = threading.Event(), list[object]()

    def wait() -> None:
        begins.set()
        try:
            found.append(duct.replies.read(8) if act == "read" else duct.requests.write(bytes(1 << 24)))
        except BrokenPipeError:
            found.append(b"")

    waiting = threading.Thread(target=wait)
    waiting.start()
    assert begins.wait(PATIENCE)
    duct.cut()
    waiting.join(PATIENCE)
    assert found == [b""]
    assert process.poll() is None
    duct.cut()
    duct.close()
    duct.cut()
    process.kill()
    process.wait()
