"""Tool calls as cards: their arguments as they come, and results that are given with them."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from support.fake_runs import Runs
from support.output_panes import Output
from thinkpane.streaming.events import (
    Ended,
    Finish,
    ToolDelta,
)


def test_a_call_shows_its_arguments_as_they_come_and_lays_them_out_at_the_end(output: Output, runs: Runs) -> None:
    runs.begin()
    runs.give(ToolDelta("a", "call_1", "get_weather", '{"city": "Gr'))
    card = output.calls.cards[0]
    assert (card.title(), card.badge("state"), card.view.text) == ("get_weather", "arriving", '{"city": "Gr')
    runs.give(ToolDelta("a", arguments='az"}'))
    runs.finish(Finish("tool_calls"), Ended(clean=True))
    assert card.view.text == '{\n  "city": "Graz"\n}'
    assert not card.fault.isVisible()


def test_arguments_that_are_no_json_stay_as_they_came_with_the_place_of_the_fault(output: Output, runs: Runs) -> None:
    runs.begin()
    runs.give(ToolDelta("a", "call_1", "f", '{"zone": x}'))
    runs.finish(Ended(clean=True))
    card = output.calls.cards[0]
    assert card.view.text == '{"zone": x}'
    assert "line 1, column 10" in card.fault.text()


def test_a_call_without_arguments_is_no_fault(output: Output, runs: Runs) -> None:
    runs.begin()
    runs.give(ToolDelta("a", "call_1", "now"))
    runs.finish(Ended(clean=True))
    assert output.calls.cards[0].badge("empty") == "no arguments"
    assert not output.calls.cards[0].fault.isVisible()


def test_a_result_is_given_with_its_call(output: Output, runs: Runs, qtbot: QtBot) -> None:
    runs.begin()
    runs.give(ToolDelta("a", "call_1", "f", "{}"), ToolDelta("b", "call_2", "g", "{}"))
    runs.finish(Ended(clean=True))
    card = output.calls.cards[1]
    card.add_button.click()
    card.result.insert_exactly("21 °C\u00a0")
    with qtbot.waitSignal(output.calls.result_given) as given:
        card.give_button.click()
    assert given.args == [1, "21 °C\u00a0"]
    assert card.typed == "21 °C\u00a0", "it stays until the conversation holds it"
    output.calls.show_given(frozenset({1}), may_give=True)
    assert card.badge("result") == "result appended"
    assert not card.result.isVisible()
    output.calls.show_given(frozenset(), may_give=True)
    assert card.badge("result") == ""
    assert card.result.isVisible(), "the append was undone"


def test_undo_in_a_result_goes_back_in_it_first(output: Output, runs: Runs, qtbot: QtBot) -> None:
    runs.begin()
    runs.give(ToolDelta("a", "call_1", "f", "{}"))
    runs.finish(Ended(clean=True))
    card = output.calls.cards[0]
    card.add_button.click()
    QTest.keyClicks(card.result, "ab")
    QTest.keyClick(card.result, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert card.result.text == "a"
    QTest.keyClick(card.result, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert card.result.text == ""
    with qtbot.waitSignal(output.calls.undo_requested):
        QTest.keyClick(card.result, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
