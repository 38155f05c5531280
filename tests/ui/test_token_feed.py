"""The count of tokens: exact with the tokenizer beside the template, else an estimate that says so."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from PySide6.QtCore import QObject, Signal
from pytestqt.qtbot import QtBot

from support.fake_web import FakeWeb
from support.services import PatientServices
from support.small_vocabularies import byte_pairs
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.errors import Problem
from thinkpane.prompt.prompt import Prompt
from thinkpane.prompt.token_service import Encoded
from thinkpane.templates.edited import EditedTemplate
from thinkpane.templates.template import Template
from thinkpane.tokens.segments import Segment
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.token_feed import TokenFeed, words
from thinkpane.workspace.state import DocumentState


class Prompts(QObject):
    """Stands in for the feed of prompts."""

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.prompt = Prompt()
        self.template = Template("chatml", "", built_in=True)

    def give(self, prompt: Prompt, template: Template) -> None:
        self.prompt, self.template = prompt, template
        self.changed.emit(prompt)


@pytest.fixture
def prompts(qapp: object) -> Prompts:
    return Prompts()


@pytest.fixture
def counts(prompts: Prompts) -> Iterator[TokenFeed]:
    made = TokenFeed(cast("Any", prompts))
    yield made
    made.close()


def test_one_of_a_thing_is_told_as_one() -> None:
    assert words(Encoded(1, estimated=1), Prompt("x"))[0] == "≈ 1 token, an estimate"


def test_counts_with_the_tokenizer_beside_the_template(
    prompts: Prompts, counts: TokenFeed, qtbot: QtBot, tmp_path: Path
) -> None:
    byte_pairs()._tokenizer.save(str(tmp_path / "tokenizer.json"))
    file = tmp_path / "chat_template.jinja"
    file.write_text("", encoding="utf-8")
    said: list[str] = []
    counts.told.connect(lambda text, _hint: said.append(text))
    with qtbot.waitSignal(counts.encoded):
        prompts.give(Prompt("<|im_start|>the", serial=1), Template(str(file), ""))
        before = counts.busy
    assert (before, counts.busy) == (True, False)
    prompt = Prompt("<|im_start|>the", (Segment(0, 12, True),), serial=2)
    with qtbot.waitSignal(counts.encoded):
        prompts.give(prompt, Template("chatml", "", built_in=True))
    # Another template's tokenizer is another one: until it has counted nothing is said.
    assert said == ["2 tokens, exact (tokenizer.json)", "", "≈ 2 tokens, an estimate"]


def test_a_tokenizer_that_comes_and_goes_beside_the_template_is_noticed_after_a_key(
    prompts: Prompts, counts: TokenFeed, qtbot: QtBot, tmp_path: Path
) -> None:
    file = tmp_path / "chat_template.jinja"
    file.write_text("", encoding="utf-8")
    prompts.give(Prompt("the cat", serial=1), Template(str(file), ""))
    qtbot.waitUntil(lambda: counts.current is not None and counts.current.encoding is None)
    byte_pairs()._tokenizer.save(str(tmp_path / "tokenizer.json"))
    prompts.give(Prompt("the cats", serial=2), prompts.template)
    qtbot.waitUntil(lambda: counts.current is not None and counts.current.encoding is not None)
    assert counts.file == tmp_path / "tokenizer.json"
    (tmp_path / "tokenizer.json").unlink()
    prompts.give(Prompt("the cat", serial=3), prompts.template)
    qtbot.waitUntil(lambda: counts.current is not None and counts.current.encoding is None)


def test_why_there_is_only_an_estimate() -> None:
    assert words(Encoded(1), Prompt()) == ("", "")
    assert words(Encoded(1), Prompt("a"))[1].endswith("no tokenizer belongs to the template")
    assert words(Encoded(1, problem=Problem("file", "It is broken.")), Prompt("a"))[1].endswith("It is broken.")


def test_a_pasted_template_takes_no_tokenizer_that_happens_to_lie_here(
    prompts: Prompts, counts: TokenFeed, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    byte_pairs()._tokenizer.save(str(tmp_path / "tokenizer.json"))
    monkeypatch.chdir(tmp_path)
    with qtbot.waitSignal(counts.encoded) as encoded:
        prompts.give(Prompt("the", serial=1), Template("", "pasted"))
    assert encoded.args == [Encoded(1, milliseconds=encoded.args[0].milliseconds, estimated=1)]


def test_places_in_changed_text_come_later_and_are_told(
    prompts: Prompts, counts: TokenFeed, qtbot: QtBot, tmp_path: Path
) -> None:
    vocabulary = byte_pairs(("<|im_start|>",), nfc=True)
    vocabulary._tokenizer.save(str(tmp_path / "tokenizer.json"))
    text = "<|im_start|>cafe\u0301 the"
    with qtbot.waitSignal(counts.encoded):
        prompts.give(Prompt(text, serial=1), Template(str(tmp_path), ""))
    ids, places = vocabulary.offsets(text)
    with qtbot.waitSignal(counts.placed):
        before = counts.places(0, len(ids))
    assert before == [(0, 12), *[(12, len(text))] * (len(ids) - 1)]
    assert counts.places(0, len(ids)) == places
    assert counts.token_at(len(text) - 1) == len(ids) - 1
    assert counts.count(0, len(text)) == len(ids)


def test_without_tokens_nothing_has_a_place(counts: TokenFeed) -> None:
    assert (counts.places(0, 5), counts.token_at(0), counts.count(0, 1)) == ([], None, None)


def test_a_server_that_merely_stands_in_a_document_is_sent_no_prompt(
    make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What is remembered of the original stands in for it, so that there is a prompt before anybody asks the server."""
    web, ref = FakeWeb(), "http://elsewhere:8080"
    monkeypatch.setattr(PatientServices, "reach", property(lambda _: web.reach(tmp_path)))
    talk = Conversation((message("user", "secret"),))
    edited = EditedTemplate("{{ messages[0].content }}", {})
    window = make_window(DocumentState(template=ref, edited=edited, conversation=talk))
    qtbot.waitUntil(lambda: window.prompts.prompt.text == "secret" and window.tokens.current is not None)
    assert window.tokens.found == ""
    assert web.asked == []
    window.prompts.templates.choose(ref)
    qtbot.waitUntil(lambda: window.prompts.templates.problem is not None and not window.prompts.templates.asks)
    assert window.tokens.found == ref, "a person wished for it"
