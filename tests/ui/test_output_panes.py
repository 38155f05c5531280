"""Thinking, answer, tool calls and wire, fed with the events of a run as the bridge gives them."""

from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from support.fake_runs import Runs, context_of
from support.output_panes import Output
from thinkpane.errors import Problem
from thinkpane.runs.wire import said
from thinkpane.streaming.events import (
    AnswerDelta,
    AnswerWasThinking,
    Ended,
    Event,
    Failed,
    Finish,
    ThinkingDelta,
    ThinkingOpaque,
    TimingsReport,
    ToolDelta,
    UsageReport,
    Warned,
)
from thinkpane.streaming.transcript import Transcript
from thinkpane.ui.models.replayed import Replayed
from thinkpane.ui.panes.answer import PANE as ANSWER
from thinkpane.ui.panes.answer import AnswerPane
from thinkpane.ui.panes.calls import PANE as CALLS
from thinkpane.ui.panes.calls import CallsPane
from thinkpane.ui.panes.thinking import PANE as THINKING
from thinkpane.ui.panes.thinking import ThinkingPane
from thinkpane.ui.panes.wire import PANE as WIRE
from thinkpane.ui.panes.wire import WirePane
from thinkpane.ui.widgets.thinking_card import MOST_ROWS, last_line

PROMPT = "opened by the prompt"


def test_before_a_run_one_sentence_says_what_will_appear(output: Output) -> None:
    assert output.answer.empty.isVisible()
    assert "Ctrl+Enter" in output.answer.empty.text()
    assert [output.thinking.isVisible(), output.answer.card.isVisible(), output.calls.isVisible()] == [False] * 3


def test_a_run_waits_thinks_answers_and_is_done(output: Output, runs: Runs, qtbot: QtBot) -> None:
    runs.begin()
    assert output.thinking.cards[0].badge("state") == "waiting"
    assert output.answer.card.badge("state") == "waiting"
    runs.give(ThinkingDelta("First I ", PROMPT), at=0.5)
    runs.give(ThinkingDelta("look.", PROMPT), at=4.7)
    card = output.thinking.cards[0]
    assert (card.badge("source"), card.badge("state")) == (PROMPT, "")
    qtbot.waitUntil(lambda: card.view.text == "First I look.")
    runs.give(AnswerDelta("It is "), at=4.8)
    runs.give(AnswerDelta("so."), at=5.8)
    assert card.title() == "Thinking · 4.3 s"
    qtbot.waitUntil(lambda: output.answer.view.text == "It is so.")
    assert output.answer.card.badge("state") == "streaming"
    runs.finish(Finish("stop"), Ended(clean=True))
    assert output.answer.card.badge("state") == "done"
    assert output.answer.figures.text().startswith("first token 0.50 s · ")


def test_without_thinking_its_card_goes_away(output: Output, runs: Runs) -> None:
    runs.begin()
    runs.give(AnswerDelta("At once."))
    assert not output.thinking.isVisible()


def test_thinking_folds_when_the_answer_begins_and_its_preview_shows_the_last_line(output: Output, runs: Runs) -> None:
    runs.begin()
    runs.give(ThinkingDelta("one\ntwo\n\n", PROMPT), AnswerDelta("x"))
    card = output.thinking.cards[0]
    assert card.is_folded
    assert last_line("one\ntwo\n\n") == "two"
    card.press_arrow()
    assert card.view.text == "one\ntwo\n\n"


@pytest.mark.parametrize("presses", [1, 2])
def test_what_a_person_folded_or_opened_stays_so(output: Output, runs: Runs, presses: int) -> None:
    runs.begin()
    runs.give(ThinkingDelta("one", PROMPT))
    card = output.thinking.cards[0]
    for _ in range(presses):
        card.press_arrow()
    folded = card.is_folded
    runs.give(ThinkingDelta(" two", PROMPT))
    runs.give(AnswerDelta("x"))
    runs.finish(Ended(clean=True))
    assert card.is_folded == folded == (presses == 1)


def test_a_folded_card_lays_nothing_out_and_catches_up_when_opened(output: Output, runs: Runs) -> None:
    runs.begin()
    runs.give(ThinkingDelta("one", PROMPT))
    card = output.thinking.cards[0]
    card.press_arrow()
    runs.give(ThinkingDelta(" two", PROMPT))
    assert card.view.text == "one"
    card.press_arrow()
    assert card.view.text == "one two"


def test_several_blocks_are_a_list_with_their_sources(output: Output, runs: Runs) -> None:
    runs.begin()
    runs.give(
        ThinkingDelta("a", "field: reasoning_content", "1"),
        AnswerDelta("x"),
        ThinkingDelta("b", "tag: <think>", "2"),
        ThinkingOpaque("redacted", "zzz", "3"),
    )
    assert [card.badge("source") for card in output.thinking.cards] == [
        "field: reasoning_content",
        "tag <think> in the answer",
        "",
    ]
    assert output.thinking.cards[1].title().startswith("Thinking 2")
    assert output.thinking.cards[2].badge("size") == "hidden by the provider"


def test_a_block_that_grows_after_an_answer_stays_open(output: Output, runs: Runs) -> None:
    runs.begin()
    runs.give(ThinkingDelta("a", PROMPT, "1"), AnswerDelta("x"), ThinkingDelta("b", "tag: <think>", "2"))
    assert [card.is_folded for card in output.thinking.cards] == [True, False]
    runs.give(AnswerDelta("y", "2"))
    assert [card.is_folded for card in output.thinking.cards] == [True, True]


def test_thinking_that_is_being_read_is_not_folded_away(output: Output, runs: Runs) -> None:
    runs.begin()
    runs.give(ThinkingDelta("line\n" * 100, PROMPT))
    card = output.thinking.cards[0]
    card.view.scroll_rows(-30)
    runs.give(ThinkingDelta("more\n", PROMPT), AnswerDelta("x"))
    assert not card.is_folded
    assert not card.view.is_at_end()
    assert card.view.latest_button.isVisible()


def test_signed_and_redacted_thinking_says_so(output: Output, runs: Runs) -> None:
    runs.begin()
    runs.give(ThinkingDelta("a", "block: thinking", "1"), ThinkingOpaque("signature", "s" * 40, "1"))
    runs.give(ThinkingOpaque("redacted", "zzz", "2"))
    runs.finish(Finish("end_turn"), Ended(clean=True))
    one, two = output.thinking.cards
    assert (one.badge("proof"), two.badge("proof"), two.badge("size")) == ("signed", "", "hidden by the provider")
    assert (one.edit.isHidden(), two.edit.isHidden()) == (False, True)


def test_seconds_are_counted_while_one_waits_and_while_it_thinks(output: Output, runs: Runs) -> None:
    run = runs.begin()
    run.time.now = 1003.2
    runs.tick.emit(run)
    assert output.thinking.cards[0].badge("state") == "waiting 3 s"
    runs.events.emit(run, [])
    assert output.answer.card.badge("state") == "waiting 3 s", "signs of life do not take the seconds away"
    runs.give(ThinkingDelta("Hm.", PROMPT), at=4.0)
    run.time.now = 1006.5
    runs.tick.emit(run)
    assert output.thinking.cards[0].title() == "Thinking… 2.5 s"
    run.time.now = 1099.0
    runs.finish()
    assert output.thinking.cards[0].title() == "Thinking · 5.0 s", "the clock stands still since the end at 9 s"
    assert output.answer.card.badge("state") == "stopped"


def test_the_preview_of_folded_thinking_shows_the_end_of_its_last_line(output: Output, runs: Runs) -> None:
    runs.begin()
    runs.give(ThinkingDelta("first\n" + "word " * 200 + "the very end", PROMPT), AnswerDelta("x"))
    shown = output.thinking.cards[0].preview_text
    assert shown.startswith("…")
    assert shown.endswith("the very end")


def test_an_edited_thought_is_told_with_the_thoughts_around_it(output: Output, runs: Runs, qtbot: QtBot) -> None:
    runs.begin()
    runs.give(ThinkingDelta("one", "tag: <think>", "1"), AnswerDelta("x"), ThinkingDelta("two", "tag: <think>", "2"))
    assert all(card.edit.isHidden() for card in output.thinking.cards)
    runs.finish(Ended(clean=True))
    card = output.thinking.cards[1]
    with qtbot.waitSignal(output.thinking.thinking_edited) as told:
        card.edit.click()
    assert told.args == ["onetwo"]
    assert card.editor is not None
    with qtbot.waitSignal(output.thinking.thinking_edited) as told:
        QTest.keyClicks(card.editor.field, "!")
    assert told.args == ["onetwo!"]
    output.thinking.show_replayed(Replayed("Dropped.", "warning", "<prompt>"))
    assert (card.editor.verdict.text(), card.editor.preview.text) == ("Dropped.", "<prompt>")
    with qtbot.waitSignal(output.thinking.append_requested) as asked:
        card.editor.append.click()
    assert asked.args == ["onetwo!"]
    card.editor.cancel.click()
    assert card.view.text == "two"
    assert not card.edit.isHidden()


def test_another_reading_takes_the_place_of_the_reply(output: Output, runs: Runs) -> None:
    run = runs.begin()
    runs.give(AnswerDelta("<b>a</b>c"), ToolDelta("a", "1", "f", "{}"))
    runs.finish(Ended(clean=True))
    output.calls.cards[0].add_button.click()
    output.calls.cards[0].result.insert_exactly("typed")
    run.transcript = Transcript()
    run.transcript.apply_all([ThinkingDelta("a", "tag: <b>"), AnswerDelta("c"), ToolDelta("a", "1", "f", "{}")])
    runs.reread.emit(run)
    assert (output.thinking.cards[0].preview_text, output.answer.view.text) == ("a", "c")
    assert output.calls.cards[0].typed == "typed"


def test_the_server_s_count_of_thinking_replaces_the_estimate(output: Output, runs: Runs) -> None:
    runs.begin()
    runs.give(ThinkingDelta("a" * 40, PROMPT))
    assert output.thinking.cards[0].badge("size") == "≈ 10 tok"
    runs.finish(UsageReport({"completion_tokens_details": {"reasoning_tokens": 7}}), Ended(clean=True))
    assert output.thinking.cards[0].badge("size") == "7 tok"


def test_an_answer_that_turns_out_to_be_thinking_moves(output: Output, runs: Runs) -> None:
    runs.begin()
    runs.give(AnswerDelta("hm, let me see"))
    runs.give(AnswerWasThinking("closed by </think>"), AnswerDelta("So: yes, that is it."))
    assert output.thinking.cards[0].badge("source") == "closed by </think>"
    assert output.answer.view.text == "So: yes, that is it."


def test_a_failure_says_why_where_one_looks_and_keeps_what_came(output: Output, runs: Runs) -> None:
    runs.begin()
    runs.give(ThinkingDelta("half a th", PROMPT))
    fault = Problem("network", "The connection was lost <img src=x>.")
    runs.finish(Failed(fault), Ended(clean=False))
    assert output.thinking.cards[0].view.text == "half a th"
    assert output.thinking.cards[0].badge("state") == "error"
    assert output.answer.card.badge("state") == "error"
    assert output.answer.error.isVisible()
    assert output.answer.error.text() == "The connection was lost <img src=x>. What came before is kept."
    assert output.answer.error.textFormat() == Qt.TextFormat.PlainText


@pytest.mark.parametrize(
    ("events", "word"),
    [
        ((Finish("length"), Ended(clean=True)), "cut off by the token limit"),
        ((Ended(clean=False),), "stopped"),
        ((), "stopped"),
        ((Finish("tool_calls"), Ended(clean=True)), "done"),
    ],
)
def test_how_a_reply_ended_is_said(output: Output, runs: Runs, events: tuple[Event, ...], word: str) -> None:
    runs.begin()
    runs.give(AnswerDelta("So"))
    runs.finish(*events)
    assert output.answer.card.badge("state") == word


def test_warnings_and_other_finish_words_are_shown(output: Output, runs: Runs) -> None:
    runs.begin()
    runs.give(AnswerDelta("So"), Warned("late_thinking", "Thinking came after the answer."))
    runs.finish(Finish("content_filter"), Ended(clean=True))
    assert output.answer.warnings.text() == "Thinking came after the answer."
    assert output.answer.card.badge("finish") == "finish: content_filter"


def test_the_answer_is_copied_exactly(output: Output, runs: Runs) -> None:
    runs.begin()
    runs.give(AnswerDelta("a\u00a0b\r\n"), AnswerDelta("\u2028c", "2"))
    output.answer.copy()
    assert QGuiApplication.clipboard().text() == "a\u00a0b\r\n\u2028c" == output.answer.view.text


def test_the_server_s_speed_wins_over_our_own(output: Output, runs: Runs) -> None:
    run = runs.begin()
    runs.give(AnswerDelta("a" * 20), at=1.0)
    runs.give(AnswerDelta("a" * 20), at=3.0)
    runs.tick.emit(run)
    assert output.answer.figures.text() == "first token 1.00 s · 20 chars/s"
    runs.give(UsageReport({"completion_tokens": 10}))
    runs.tick.emit(run)
    assert output.answer.figures.text() == "first token 1.00 s · 5 tok/s"
    runs.give(TimingsReport({"predicted_per_second": 61.4}))
    runs.tick.emit(run)
    assert output.answer.figures.text() == "first token 1.00 s · 61 tok/s"


def test_a_second_run_starts_clean(output: Output, runs: Runs) -> None:
    runs.begin()
    runs.give(ThinkingDelta("old", PROMPT), AnswerDelta("old"), ToolDelta("a", "1", "old", "{}"))
    runs.finish(Failed(Problem("network", "Lost.")), Ended(clean=False))
    runs.begin()
    runs.give(ThinkingDelta("new", PROMPT))
    assert [card.view.text for card in output.thinking.cards] == ["new"]
    assert output.answer.view.text == ""
    assert not output.answer.error.isVisible()
    assert not output.calls.isVisible()


def test_long_thinking_takes_no_more_than_its_rows(output: Output, runs: Runs, qtbot: QtBot) -> None:
    runs.begin()
    runs.give(ThinkingDelta("line\n" * 5000, PROMPT))
    view = output.thinking.cards[0].view
    row = view.rows.style.face.row_height
    qtbot.waitUntil(lambda: MOST_ROWS * row <= view.height() < (MOST_ROWS + 1) * row)
    assert view.is_at_end()


def test_panes_built_after_a_run_show_it(runs: Runs, qtbot: QtBot) -> None:
    run = runs.begin()
    runs.give(ThinkingDelta("t", PROMPT), AnswerDelta("a"), ToolDelta("a", "1", "f", "{}"))
    runs.finish(Ended(clean=True))
    run.wire.append(said(0, "request", "POST /"))
    thinking = cast("ThinkingPane", THINKING.build(context_of(runs)))
    answer = cast("AnswerPane", ANSWER.build(context_of(runs)))
    calls = cast("CallsPane", CALLS.build(context_of(runs)))
    wire = cast("WirePane", WIRE.build(context_of(runs)))
    answer.set_raw(True)
    for pane in (thinking, answer, calls, wire):
        qtbot.addWidget(pane)
    assert thinking.cards[0].badge("source") == PROMPT
    assert (answer.view.text, answer.card.badge("state")) == ("a", "done")
    assert calls.cards[0].title() == "f"
    wire.show()
    assert "POST /" in wire.view.text


def test_many_batches_arrive_in_order(output: Output, runs: Runs) -> None:
    run = runs.begin()
    for number in range(300):
        runs.give(*(ThinkingDelta(f"word {number} ", PROMPT) for _ in range(17)))
    runs.finish()
    assert output.thinking.cards[0].view.text == run.transcript.thinking
    assert output.thinking.cards[0].view.is_at_end()
