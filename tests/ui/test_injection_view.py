"""Special tokens from input in a window: red, counted, one after the other, and what sanitising makes of them."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from support.small_vocabularies import byte_pairs
from support.told import wait_told
from thinkpane.analysis.sanitized_prompt import SanitizedPrompt
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.errors import Problem
from thinkpane.prompt.diff import diff
from thinkpane.ui import theme
from thinkpane.ui.dialogs.sanitized import SanitizedDialog, marked_text, summary
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.prompt import PromptPane
from thinkpane.ui.widgets.text_lit import lit
from thinkpane.workspace.state import DocumentState

TEMPLATE = (
    "{% for each in messages %}<|turn|>{{ each.content }}{% if each.name %}<|{{ each.name }}|>{% endif %}{% endfor %}"
)
TALK = Conversation((message("user", "see <|turn|> there"), message("user", "the one")))


@pytest.fixture
def open_talk(
    make_window: Callable[[DocumentState], MainWindow], tmp_path: Path
) -> Callable[[Conversation], MainWindow]:
    def opened(talk: Conversation) -> MainWindow:
        byte_pairs(("<|turn|>", "<|end|>"))._tokenizer.save(str(tmp_path / "tokenizer.json"))
        file = tmp_path / "chat_template.jinja"
        file.write_text(TEMPLATE, encoding="utf-8")
        return make_window(DocumentState(template=str(file), conversation=talk))

    return opened


def prompt_of(window: MainWindow) -> PromptPane:
    found = window.layout_.panes["prompt"]
    assert isinstance(found, PromptPane)
    return found


def assembled() -> Conversation:
    second = message("user", "the one")
    return Conversation((TALK.messages[0], type(second)({**second.data, "name": "end"})))


def test_they_are_counted_and_gone_through(open_talk: Callable[[Conversation], MainWindow], qtbot: QtBot) -> None:
    window = open_talk(assembled())
    bar, view = window.injection_view.bar, prompt_of(window).view
    qtbot.waitUntil(bar.isVisible)
    assert bar.sentence.whole == "2 special tokens from input: 1 typed, 1 assembled with the template"
    text = window.prompts.prompt.text
    typed, made = text.index("<|turn|>", 8), text.index("<|end|>")
    assert view.lit("forged") == lit([(typed, typed + 8), (made, made + 7)])
    marks = prompt_of(window).overview.ruler
    qtbot.waitUntil(lambda: len(marks.marks.between(typed, made + 1, 9)) == 2)
    assert marks.marks.between(made, made + 1, 9)[0].words == "<|end|> assembled from template and input"
    said = []
    for button in (bar.next, bar.next, bar.next, bar.previous):
        button.click()
        said.append((bar.sentence.whole.partition(":")[0], view.selected_text))
    assert said == [("1 of 2", "<|turn|>"), ("2 of 2", "<|end|>"), ("1 of 2", "<|turn|>"), ("2 of 2", "<|end|>")]
    window.injection_view.go_on()
    assert view.selected_text == "<|turn|>"
    window.injection_view.go_back()
    assert bar.sentence.whole.startswith("2 of 2: <|end|> assembled with message 2 · name, characters 1–3")
    assert bar.sentence.whole.endswith("by template line 1")


def test_they_are_painted_red(open_talk: Callable[[Conversation], MainWindow], qtbot: QtBot) -> None:
    window = open_talk(TALK)
    view = prompt_of(window).view
    qtbot.waitUntil(window.injection_view.bar.isVisible)
    at = view.rect_of(window.prompts.prompt.text.index("<|turn|>", 8) + 4)
    qtbot.waitUntil(lambda: view.grab().width() > 0)
    image = view.viewport().grab().toImage()
    ratio = image.devicePixelRatio()
    line = image.pixelColor(QPoint(at.left(), at.top() + view.rows.style.face.text_height - 1) * ratio)
    assert line.name() == theme.current().bad, "a line below, for who tells no red ground from another"
    found = image.pixelColor(QPoint(at.left(), at.top() + 1) * ratio)
    ground = theme.current().color(theme.current().pane)
    assert found.red() - ground.red() > found.blue() - ground.blue()


def test_a_prompt_without_them_has_no_line_for_them(
    open_talk: Callable[[Conversation], MainWindow], qtbot: QtBot
) -> None:
    window = open_talk(Conversation((message("user", "plain"),)))
    with qtbot.waitSignal(window.injection_view.feed.changed):
        pass
    assert not window.injection_view.bar.isVisible()
    assert not prompt_of(window).view.lit("forged")


def test_what_sanitising_gives_is_shown(open_talk: Callable[[Conversation], MainWindow], qtbot: QtBot) -> None:
    window = open_talk(assembled())
    bar = window.injection_view.bar
    qtbot.waitUntil(bar.isVisible)
    bar.sanitize.click()
    qtbot.waitUntil(lambda: any(isinstance(each, SanitizedDialog) for each in QApplication.topLevelWidgets()))
    (dialog,) = (each for each in QApplication.topLevelWidgets() if isinstance(each, SanitizedDialog))
    vocabulary = byte_pairs(("<|turn|>", "<|end|>"))
    whole = len(vocabulary.encode([window.prompts.prompt.text])[0])
    plain = len(vocabulary.encode_plain("<|turn|>"))
    assert dialog.summary.text() == (
        f"1 control token is encoded as plain text. {whole + plain - 1} tokens in place of {whole}. "
        "1 assembled with the template is still there."
    )
    assert dialog.view.text == window.prompts.prompt.text
    assert dialog.view.selected_text == "<|turn|>"
    assert dialog.steps.where.text() == "1 of 1: <|turn|> is plain text now"
    dialog.close()


def test_texts_that_differ_are_shown_in_one_with_what_is_plain() -> None:
    before, after = "a </think> b <s> c", "a b <s> new c"
    found = SanitizedPrompt(before, after, ((4, 7),), diff(before, after))
    text, marks = marked_text(found)
    assert {(text[each.start : each.end], each.role) for each in marks} >= {("<s>", "plain")}
    gone = "".join(text[each.start : each.end] for each in marks if each.role == "removed")
    assert "</think>" in gone
    assert [each for each in marks if each.start >= each.end] == []
    assert "also wrote another text" in summary(found, 0)


def test_why_it_cannot_be_told() -> None:
    assert summary(SanitizedPrompt("a", problem=Problem("template", "It raises.")), 2) == "It raises."


def test_a_sanitised_prompt_is_not_shown_over_another_one(
    open_talk: Callable[[Conversation], MainWindow], qtbot: QtBot
) -> None:
    window = open_talk(assembled())
    feed = window.injection_view.feed
    qtbot.waitUntil(window.injection_view.bar.isVisible)
    shown: list[object] = []
    feed.sanitized.connect(shown.append)
    for text, count in ((window.prompts.prompt.text, 1), ("another", 1)):
        window.injection_view.show_sanitized()
        wait_told(feed._sanitizing, 30.0)
        window.prompts._prompt = replace(window.prompts.prompt, text=text)
        QApplication.sendPostedEvents(feed)
        assert len(shown) == count
