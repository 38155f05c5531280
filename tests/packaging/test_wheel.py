"""The wheel holds all that it needs: every file of resources/, every module; nothing is found only in a checkout."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    words = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    done = subprocess.run(
        [*words, "--wheel-dir", str(folder), str(TOP)], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    return zipfile.ZipFile(next(folder.glob("*.whl")))


def tracked_below(folder: str) -> list[str]:
    done = subprocess.run(["git", "ls-files", folder], cwd=TOP, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("no git checkout")
    return done.stdout.splitlines()


def test_every_resource_is_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    wanted = {name.replace("resources/", "thinkpane/_resources/", 1) for name in tracked_below("resources")}
    assert wanted - names == set()
    assert wanted


def test_every_module_is_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    wanted = {name.replace("app/", "", 1) for name in tracked_below("app")}
    assert wanted - names == set()


def test_the_wheel_runs_by_itself(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    wheel.extractall(tmp_path)
    script = "from thinkpane import resources; print(len(resources.read_text('templates/chatml/template.jinja')))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 0
