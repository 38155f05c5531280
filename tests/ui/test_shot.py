"""`thinkpane shot` and the tour: the program in a process of its own, without a display."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage

from support.path_server import PathServer
from support.server import chat_stream
from thinkpane.ui import theme

APP = Path(__file__).parents[2] / "app"
SAMPLE = Path(__file__).parents[2] / "resources" / "samples" / "first.thinkpane.json"


def thinkpane(*words: str, where: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """A run in `where`, on a machine without a display."""
    known = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    known.pop("QT_QPA_PLATFORM", None)
    return subprocess.run(
        [sys.executable, "-m", "thinkpane", *words],
        cwd=where,
        env={**known, "PYTHONPATH": str(APP), "THINKPANE_HOME": str(where / "home"), **environment},
        capture_output=True,
        timeout=120,
        check=False,
    )


def colour(image: QImage, x: int, y: int) -> str:
    return QColor(image.pixel(x, y)).name()


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_a_picture_in_either_theme(tmp_path: Path, scheme: str) -> None:
    done = thinkpane("shot", str(SAMPLE), "-o", "out.png", "--theme", scheme, "--size", "1024x640", where=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    image = QImage(str(tmp_path / "out.png"))
    assert (image.width(), image.height()) == (1024, 640)
    wanted = theme.DARK if scheme == "dark" else theme.LIGHT
    assert colour(image, image.width() - 160, 12) == wanted.window, "the menu bar's ground"


def test_a_run_fills_the_panes(tmp_path: Path) -> None:
    plain = thinkpane("shot", str(SAMPLE), "-o", "plain.png", where=tmp_path)
    ran = thinkpane("shot", str(SAMPLE), "-o", "ran.png", "--run", "demo", "--pane", "thinking", where=tmp_path)
    assert (plain.returncode, ran.returncode, ran.stderr) == (0, 0, b"")
    thinking = theme.DARK.thinking_ground
    assert thinking not in colours(QImage(str(tmp_path / "plain.png")))
    assert thinking in colours(QImage(str(tmp_path / "ran.png")))


_SLOW = """
import sys
from itertools import count
from pathlib import Path

from support.services import PatientServices
from thinkpane.ui.document_files import first_document
from thinkpane.ui.shot import Picture, Studio
from thinkpane.ui.widgets import answer_text

times = count(0, 0.005)
answer_text.perf_counter = lambda: next(times)
services = PatientServices()
with Studio(services) as studio:
    studio.show(first_document())
    assert studio.take(Picture(run="demo"), Path("out.png")) is None
    texts = studio.window.findChildren(answer_text.AnswerText)
    assert all(each.is_rendered for each in texts)
    assert any("Now the weather in Graz" in each.rich.toPlainText() for each in texts)
services.close()
print("all of it")
"""


def test_a_picture_waits_for_all_of_the_answer(tmp_path: Path) -> None:
    """One block a slice, as on a machine that is busy with other things. In a process of its own: a studio takes the
    application's style, which windows of other tests do not have."""
    done = subprocess.run(
        [sys.executable, "-c", _SLOW],
        cwd=tmp_path,
        env={
            **os.environ,
            "QT_QPA_PLATFORM": "offscreen",
            "PYTHONPATH": os.pathsep.join((str(APP), str(APP.parent / "tests"))),
            "THINKPANE_HOME": str(tmp_path / "home"),
        },
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout.strip()) == (0, b"all of it"), done.stderr.decode()


def test_both_paths_in_one_picture(tmp_path: Path) -> None:
    text = b'data: {"choices":[{"index":0,"text":"<think>Hm.</think>Yes.","finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
    with PathServer(chat=(chat_stream("Hm.", "Yes."),), completions=(text,)) as server:
        words = ("shot", str(SAMPLE), "-o", "both.png", "--pane", "both")
        done = thinkpane(*words, "--run", f"openai-chat+{server.url}", where=tmp_path)
        assert (done.returncode, done.stderr) == (0, b"")
        assert {"/v1/chat/completions", "/v1/completions"} <= set(server.received)
    image = QImage(str(tmp_path / "both.png"))
    places = [x for x in range(image.width()) if colour(image, x, 700) == theme.DARK.card]
    assert min(places) < 720 < max(places), "an answer's card on each side"
    alone = thinkpane(*words, where=tmp_path)
    assert alone.returncode == 2
    assert b"--pane both needs --run E" in alone.stderr


def colours(image: QImage) -> set[str]:
    """The colours along a column through the middle of the output."""
    return {colour(image, 440, y) for y in range(image.height())}


def test_a_template_that_fails_is_pictured_and_told(tmp_path: Path) -> None:
    (tmp_path / "bad.jinja").write_text("{% if %}")
    done = thinkpane("shot", str(SAMPLE), "-o", "out.png", "--template", "bad.jinja", where=tmp_path)
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1
    assert b"line 1" in done.stderr
    assert (tmp_path / "out.png").exists()


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["shot", str(SAMPLE)], 2),
        (["shot", str(SAMPLE), "-o", "x.png", "--select", "no such words"], 1),
        (["shot", str(SAMPLE), "-o", "x.png", "--size", "big"], 2),
        (["shot", str(SAMPLE), "-o", "x.png", "--pane", "nothing"], 2),
        (["shot", "missing.json", "-o", "x.png"], 1),
        (["shot", str(SAMPLE), "-o", "nowhere/x.png"], 1),
        (["shot", str(SAMPLE), "-o", "x.txt"], 2),
        ([""], 2),
        (["--bogus"], 2),
        (["a.json", "b.json"], 2),
    ],
)
def test_faults_are_one_line(tmp_path: Path, words: list[str], status: int) -> None:
    (tmp_path / "a.json").write_text("{}")
    done = thinkpane(*words, where=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (status, b"", 1)
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("display", ["", ":4711", "nonsense"])
def test_without_a_display_the_tour_does_the_job(tmp_path: Path, display: str) -> None:
    settings = tmp_path / "home" / "config" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"demo": {"speed": 0.0}}')
    done = thinkpane(where=tmp_path, DISPLAY=display)
    assert done.returncode == 0
    first = done.stderr.decode().splitlines()[0]
    assert "display" in first
    assert "tour" in first
    said = done.stdout.decode()
    assert "<|assistant|><think>" in said
    assert "\x1b" not in said, "colours are for terminals"
    assert said.rstrip().endswith('get_weather {"city": "Graz"}')
    for scheme in ("dark", "light"):
        assert QImage(str(tmp_path / "build" / "tour" / f"window-{scheme}.png")).width() == 1440
