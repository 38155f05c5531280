"""The command line as a person runs it: the first word decides what is started."""

import subprocess
import sys
from pathlib import Path

import pytest

from support.patience import PATIENCE

APP = Path(__file__).parents[2] / "app"


def thinkpane(*words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """A run of the program in a process of its own."""
    start = f"import sys; sys.path.insert(0, {str(APP)!r}); from thinkpane.__main__ import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", start, *words], input=given, capture_output=True, timeout=PATIENCE, check=False
    )


def test_render_in_a_process_of_its_own() -> None:
    done = thinkpane("render", "-", "--template", "plain-instruct", given=b'[{"role": "user", "content": "h\xc3\xa9"}]')
    assert (done.returncode, done.stderr) == (0, b"")
    assert "hé".encode() in done.stdout


@pytest.mark.parametrize(("words", "status"), [(["nope"], 2), (["render", "--bogus"], 2), (["render", "/no/file"], 1)])
def test_faults_are_one_line(words: list[str], status: int) -> None:
    done = thinkpane(*words)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (status, b"", 1)


def test_worker_ends_with_its_input() -> None:
    done = thinkpane("worker")
    assert done.returncode == 0
    assert b'{"ready":true}' in done.stdout


def test_output_that_nobody_reads_is_no_crash() -> None:
    start = f"import sys; sys.path.insert(0, {str(APP)!r}); from thinkpane.__main__ import main; sys.exit(main())"
    with subprocess.Popen(
        [sys.executable, "-c", start, "templates"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()
        assert process.wait(PATIENCE) == 1
    assert said == b""
