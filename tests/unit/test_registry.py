"""Kinds are found by listing a folder; one that is empty or lacks its constant is refused in words."""

import sys
from collections.abc import Iterator
from importlib import import_module, invalidate_caches
from pathlib import Path
from types import ModuleType

import pytest

from thinkpane.registry import kinds_in, names_in


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    package = tmp_path / "some_kinds"
    package.mkdir()
    for name, text in (
        ("__init__", ""),
        ("_api", ""),
        ("common", ""),
        ("b", "KIND = 'second'\n"),
        ("a", "KIND = 'first'\n"),
    ):
        (package / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    invalidate_caches()
    yield import_module("some_kinds")
    for name in [each for each in sys.modules if each.startswith("some_kinds")]:
        del sys.modules[name]


def test_kinds_come_in_alphabetical_order(folder: ModuleType) -> None:
    assert kinds_in(folder, "KIND", ("common",)) == ["first", "second"]


def test_listing_imports_nothing(folder: ModuleType) -> None:
    assert names_in(folder, ("common",)) == ["a", "b"]
    assert "some_kinds.a" not in sys.modules


def test_a_module_without_its_constant_is_named(folder: ModuleType) -> None:
    with pytest.raises(RuntimeError, match=r"some_kinds\.common has no constant KIND"):
        kinds_in(folder, "KIND")


def test_an_empty_folder_is_a_broken_build(folder: ModuleType) -> None:
    with pytest.raises(RuntimeError, match="The build lacks the modules some_kinds"):
        kinds_in(folder, "KIND", ("a", "b", "common"))
