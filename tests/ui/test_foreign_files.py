"""Files that others wrote are not overwritten unasked."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from support.windows import add, let_go
from thinkpane.ui import document_files
from thinkpane.ui.document_files import first_document
from thinkpane.ui.main_window import MainWindow
from thinkpane.workspace.document_file import read_document, write_document
from thinkpane.workspace.state import DocumentState


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], list[str]]:
    """The questions before a file is overwritten, and the answers that they get."""
    questions: list[str] = []
    replies: list[str] = []

    def ask(_parent: object, _title: str, text: str, offered: tuple[str, ...]) -> str:
        questions.append(text)
        reply = replies.pop(0)
        assert reply in (*offered, "")
        return reply

    monkeypatch.setattr(document_files, "ask", ask)
    return questions, replies


BODY = '{"messages": [{"role": "user", "content": "theirs"}]}'


@pytest.mark.parametrize("reply", ["", "Save as a document beside it", "Overwrite"])
def test_a_request_body_is_not_overwritten_unasked(
    window: MainWindow, tmp_path: Path, asked: tuple[list[str], list[str]], reply: str
) -> None:
    questions, replies = asked
    path = tmp_path / "request.json"
    path.write_text(BODY)
    assert window.files.open(path)
    add(window, "ours")
    replies.append(reply)
    assert window.files.save() == bool(reply)
    assert len(questions) == 1
    beside = tmp_path / "request.thinkpane.json"
    assert (path.read_text() == BODY) == (reply != "Overwrite")
    assert beside.exists() == (reply == "Save as a document beside it")
    assert window.document.is_modified == (not reply)
    if reply:
        add(window, "more")
        assert window.files.save()
        assert len(questions) == 1, "its file is a document now"


def test_a_document_beside_is_not_overwritten_unasked(
    window: MainWindow, tmp_path: Path, asked: tuple[list[str], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "request.json"
    path.write_text(BODY)
    (tmp_path / "request.thinkpane.json").write_text("another's")
    suggested: list[str] = []

    def choose(_parent: object, _title: str, suggestion: str, _filter: str) -> tuple[str, str]:
        suggested.append(suggestion)
        return "", ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    assert window.files.open(path)
    asked[1].append("Save as a document beside it")
    assert not window.files.save()
    assert suggested == [str(tmp_path / "request.thinkpane.json")]
    assert (tmp_path / "request.thinkpane.json").read_text() == "another's"


@pytest.mark.parametrize("reply", ["", "Overwrite"])
def test_a_file_that_another_program_changed_is_not_overwritten_unasked(
    window: MainWindow, tmp_path: Path, asked: tuple[list[str], list[str]], reply: str
) -> None:
    path = tmp_path / "talk.thinkpane.json"
    write_document(path, first_document())
    assert window.files.open(path)
    add(window, "ours")
    write_document(path, replace(first_document(), template="llama-3"))
    asked[1].append(reply)
    assert window.files.save() == bool(reply)
    assert (read_document(path).template == "llama-3") == (not reply)
    assert "Another program changed “talk.thinkpane.json”" in asked[0][0]


def test_a_restored_document_knows_its_file(
    make_window: Callable[[DocumentState], MainWindow], tmp_path: Path, asked: tuple[list[str], list[str]]
) -> None:
    path = tmp_path / "talk.thinkpane.json"
    write_document(path, first_document())
    crashed = make_window(first_document())
    crashed.restore()
    assert crashed.files.open(path)
    add(crashed, "ours")
    let_go(crashed)
    fresh = make_window(first_document())
    fresh.restore()
    fresh.layout_.banner.choices[0].click()
    assert fresh.document.path == path
    assert fresh.files.save()
    assert asked[0] == [], "nobody changed it"
