"""A frozen build finds every kind by itself, renders in its workers, and opens its window; `make freeze` runs this."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
BODY = {"messages": [{"role": "user", "content": "[L3] Hi"}]}


@pytest.fixture(scope="module")
def program(request: pytest.FixtureRequest) -> str:
    folder = request.config.getoption("--frozen", default=None)
    if folder is None:
        pytest.skip("no frozen build was named; `make freeze` makes one")
    found = Path(folder).absolute() / ("thinkpane.exe" if sys.platform == "win32" else "thinkpane")
    assert found.is_file(), found
    return str(found)


def said(command: list[str], folder: Path, given: str = "") -> str:
    """What a command prints, run far from the checkout."""
    home = {"THINKPANE_HOME": str(folder / "home"), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | home,
        input=given,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("words", [["kinds", "--json"], ["templates", "--json"], ["--version"]])
def test_it_says_what_the_checkout_says(program: str, words: list[str], tmp_path: Path) -> None:
    assert said([program, *words], tmp_path) == said([sys.executable, "-m", "thinkpane", *words], tmp_path)


def test_it_renders_in_a_worker_of_its_own(program: str, tmp_path: Path) -> None:
    words = ["render", "-", "--template", "protium-1.0"]
    found = said([program, *words], tmp_path, json.dumps(BODY))
    assert found == said([sys.executable, "-m", "thinkpane", *words], tmp_path, json.dumps(BODY))
    assert "Artemis" in found


def test_it_opens_its_window(program: str, tmp_path: Path) -> None:
    (tmp_path / "body.json").write_text(json.dumps(BODY), encoding="utf-8")
    said([program, "shot", "body.json", "-o", "window.png", "--run", "demo"], tmp_path)
    assert (tmp_path / "window.png").stat().st_size > 10_000


def test_it_leaves_out_what_is_never_imported(program: str) -> None:
    names = {each.name for each in Path(program).parent.rglob("*")}
    assert not names & {"huggingface_hub", "tkinter", "_tkinter"}
