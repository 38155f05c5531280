"""The house rules that a machine can check: sizes, names, imports, what files may not hold."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
APP = TOP / "app" / "thinkpane"
MODULES = sorted(APP.rglob("*.py"))
FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "managers", "manager", "misc", "common"}


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(APP)))
def test_module_is_one_room(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 600, "600 lines are the end"
    assert path.stem not in FORBIDDEN_NAMES
    tree = ast.parse(text)
    if text.strip():
        assert ast.get_docstring(tree), "a module says what it owns"
    for each in functions(tree):
        length = (each.end_lineno or each.lineno) - each.lineno + 1
        assert length <= 60, f"{each.name} has {length} lines; 60 are the end"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(APP)))
def test_what_is_public_says_what_it_is(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    silent = [
        node.name
        for node in tree.body
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ]
    assert silent == []


def test_no_todo_without_an_issue() -> None:
    pattern = re.compile(r"\b(TODO|FIXME|XXX)\b(?!.*#\d+)")
    found = [
        f"{path}:{n}"
        for path in MODULES
        for n, line in enumerate(path.read_text().splitlines(), 1)
        if pattern.search(line)
    ]
    assert found == []


def test_no_registry_address_in_any_tracked_file() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=TOP, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("no git checkout")
    pattern = re.compile(
        r"--(extra-)?index-url|--find-links|https?://(?!127\.|localhost)[^\s/\"']*(pypi|registry|simple/)[^\s\"']*"
    )
    found = [
        name
        for name in listed.stdout.splitlines()
        if name.endswith((".txt", ".toml", ".cfg", ".md", "Makefile", "run", ".yml", ".lock"))
        and pattern.search((TOP / name).read_text(encoding="utf-8", errors="replace"))
    ]
    assert found == []


# What the command line may not drag in when it starts.
@pytest.mark.parametrize("words", [["--version"], ["templates"], ["kinds"]])
def test_command_line_runs_without_qt_and_httpx(words: list[str]) -> None:
    script = (
        "import sys, runpy\n"
        f"sys.argv = ['thinkpane', *{words!r}]\n"
        "try:\n    runpy.run_module('thinkpane', run_name='__main__')\n"
        "except SystemExit as end:\n    assert not end.code, end.code\n"
        "heavy = ('PySide6', 'httpx', 'tokenizers')\n"
        "bad = sorted(name for name in sys.modules if name.split('.')[0] in heavy)\n"
        "assert not bad, bad\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


CORE = [
    name for name in sorted(path.name for path in APP.iterdir() if path.is_dir()) if name not in ("ui", "__pycache__")
]


@pytest.mark.parametrize("room", CORE)
def test_core_room_imports_no_qt(room: str) -> None:
    script = (
        "import importlib, pkgutil, sys\n"
        f"package = importlib.import_module('thinkpane.{room}')\n"
        "for each in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):\n"
        "    importlib.import_module(each.name)\n"
        "assert not [name for name in sys.modules if name.startswith('PySide6')]\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


# A tooltip that looks like markup is markup to Qt, and may then load files: foreign words go through plain_tip.
@pytest.mark.parametrize("path", sorted((APP / "ui").rglob("*.py")), ids=lambda path: str(path.relative_to(APP)))
def test_tooltips_are_plain_text(path: Path) -> None:
    places = {"setToolTip": 0, "setTabToolTip": 1, "showText": 1}
    bare = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in places):
            continue
        words = node.args[places[node.func.attr]]
        if isinstance(words, ast.IfExp):
            known = all(isinstance(each, ast.Constant) for each in (words.body, words.orelse))
        else:
            known = isinstance(words, ast.Constant)
        wrapped = isinstance(words, ast.Call) and isinstance(words.func, ast.Name) and words.func.id == "plain_tip"
        if not (known or wrapped):
            bare.append(f"line {node.lineno}")
    assert bare == []
