"""Template code never runs in the process that a person works in: it does not even import Jinja."""

import subprocess
import sys
from pathlib import Path

import pytest

TAIL = "\nbad = sorted(name for name in sys.modules if name.split('.')[0] == 'jinja2')\nassert not bad, bad\n"

COMMAND = """
import sys, runpy
sys.argv = ['thinkpane', *{words!r}]
try:
    runpy.run_module('thinkpane', run_name='__main__')
except SystemExit as end:
    assert not end.code, end.code
"""

MODULES = """
import importlib, pkgutil, sys, thinkpane
for each in pkgutil.walk_packages(thinkpane.__path__, 'thinkpane.'):
    if not each.name.startswith('thinkpane.engine.') and not each.name.endswith('__main__'):
        importlib.import_module(each.name)
for name in ('host', 'process', 'pool', 'request', 'frames'):
    importlib.import_module('thinkpane.engine.' + name)
"""


BODY = '{"messages": [{"role": "user", "content": "hi"}]}'


def run(script: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", script], input=BODY, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]


def test_no_module_of_the_main_process_imports_jinja() -> None:
    run(MODULES + TAIL)


@pytest.mark.parametrize("words", [["render"], ["render", "--trace"], ["controls"], ["templates"], ["kinds"]])
def test_headless_commands_import_no_jinja(words: list[str]) -> None:
    given = ["--template", "chatml", "-"] if words[0] == "render" else ["chatml"] if words[0] == "controls" else []
    run(COMMAND.format(words=[*words, *given]) + "import sys" + TAIL)


def test_the_window_imports_no_jinja(tmp_path: Path) -> None:
    picture = tmp_path / "window.png"
    run(COMMAND.format(words=["shot", "--template", "chatml", "-o", str(picture), "-"]) + "import sys" + TAIL)
    assert picture.exists()
