"""Markdown rendered through formats: what it shows, and that nothing is ever loaded or opened."""

import socket
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QTextDocument, QTextFormat
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from thinkpane.ui.widgets.code_colours import LONGEST, coloured
from thinkpane.ui.widgets.rich_text import RichText, ask_and_open


@pytest.fixture
def rich(qtbot: QtBot) -> RichText:
    found = RichText("Answer")
    qtbot.addWidget(found)
    found.resize(400, 300)
    found.show()
    return found


def links(rich: RichText) -> list[str]:
    """The addresses of all links in the document."""
    found: list[str] = []
    block = rich.document().begin()
    while block.isValid():
        parts = block.begin()
        while not parts.atEnd():
            format = parts.fragment().charFormat()
            if format.isAnchor():
                found.append(format.anchorHref())
            parts += 1
        block = block.next()
    return found


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("# Head\n\none *two* **three** `four`\nfive", "Head\none two three four\nfive"),
        ("1. a\n2. b\n   - c\n", "1.\ta\n2.\tb\n◦\tc"),
        ("7. a\n\n   more\n", "7.\ta\nmore"),
        ("```py\nx = 1\n\ny\n```", "x = 1\n\ny"),
        ("- \n- b", "•\t\n•\tb"),
        ("> a\n> b", "▏a\n▏b"),
        ("<b>x</b> <script>1</script>", "<b>x</b> <script>1</script>"),
        ("<div>\n<img src=x>\n</div>", "<div>\n<img src=x>\n</div>"),
        ("a\u202eb\x1b[31m", "a\\u202Eb\\x1b[31m"),
        ("![pic](https://e.example/x.png)", "![pic](https://e.example/x.png)"),
        ("a &amp; b &#65;", "a & b A"),
    ],
)
def test_markdown_is_shown_as_meant_and_html_as_text(rich: RichText, source: str, shown: str) -> None:
    rich.append_block(source)
    assert rich.toPlainText().lower() == shown.lower()
    assert rich.markdown == source


def test_blocks_are_appended_one_after_the_other(rich: RichText) -> None:
    for block in ("one\n\n", "| a | b |\n|---|---|\n| c | d |\n\n", "```\nx\n```\n", "end"):
        rich.append_block(block)
    assert rich.toPlainText().split("\n")[0] == "one"
    assert rich.toPlainText().endswith("x\nend")
    assert "".join(rich.toPlainText().split()) == "oneabcdxend"


def test_code_is_coloured_by_its_language_and_stays_what_it_was() -> None:
    source = "def f():\n    return 'x'  # why\n\n\n"
    found = list(coloured(source, "python"))
    assert "".join(text for text, _ in found) == source
    assert len({colour for _, colour in found}) >= 4
    assert list(coloured(source, "no-such-language")) == [(source, "")]
    assert list(coloured("x" * (LONGEST + 1), "python")) == [("x" * (LONGEST + 1), "")]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("[a](https://e.example/?b=c)", ["https://e.example/?b=c"]),
        ("<http://e.example>", ["http://e.example"]),
        (
            "[a](javascript:alert(1)) [b](file:///etc/passwd) [c](steam://run) [d](/etc/passwd) [e](data:text/html,x)",
            [],
        ),
    ],
)
def test_only_web_addresses_are_links(rich: RichText, source: str, found: list[str]) -> None:
    rich.append_block(source)
    assert links(rich) == found


def test_nothing_is_loaded_whatever_the_answer_says(
    rich: RichText, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = tmp_path / "x.png"
    picture.write_bytes(b"no picture")
    asked: list[object] = []
    monkeypatch.setattr(socket.socket, "connect", lambda *_: asked.append("connect"))
    rich.append_block(
        f'![a]({picture})\n\n![b](file://{picture}) <img src="{picture}">\n\n![c](http://127.0.0.1:9/x.png)'
    )
    rich.grab()
    block = rich.document().begin()
    while block.isValid():
        assert all(not each.format.isImageFormat() for each in block.textFormats())
        block = block.next()
    for kind in QTextDocument.ResourceType:
        assert bytes(rich.loadResource(kind.value, QUrl.fromLocalFile(str(picture)))) == b""  # type: ignore[call-overload]
    assert asked == []


def test_a_link_is_opened_only_after_its_whole_address_was_seen(
    rich: RichText, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(bytes(url.toEncoded().data()).decode()))
    seen: list[str] = []

    def answer(button: QMessageBox.StandardButton) -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        seen.append(f"{box.text()} {box.informativeText()}")
        box.button(button).click()

    for button in (QMessageBox.StandardButton.Cancel, QMessageBox.StandardButton.Open):
        QTimer.singleShot(0, lambda button=button: answer(button))
        ask_and_open(rich, "https://bücher.example/a?b=c")
    assert opened == ["https://xn--bcher-kva.example/a?b=c"]
    assert "xn--bcher-kva.example" in seen[0]
    assert "https://bücher.example/a?b=c" in seen[0]
    ask_and_open(rich, "file:///etc/passwd")
    assert len(opened) == 1


def test_what_is_copied_is_plain_text(rich: RichText) -> None:
    rich.append_block("**a** <b>")
    rich.selectAll()
    rich.copy()
    data = QGuiApplication.clipboard().mimeData()
    assert (data.text(), data.hasHtml()) == ("a <b>", False)


def test_it_is_as_high_as_its_text_and_has_no_undo(rich: RichText) -> None:
    rich.append_block("one\n\n")
    low = rich.sizeHint().height()
    rich.append_block("two\n\nthree")
    assert rich.sizeHint().height() >= 2 * low
    assert rich.document().isUndoAvailable() is False
    assert rich.property("kind") == "rich"
    rich.empty()
    assert rich.toPlainText() == ""
    rich.append_block("again")
    assert rich.document().begin().blockFormat().property(QTextFormat.Property.BlockTopMargin) in (None, 0.0)
