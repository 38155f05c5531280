"""Windows as small as they may be: nothing is cut at a side, and all is in reach."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QLabel, QMenu, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import Message, message
from thinkpane.formats.json_values import JsonObject
from thinkpane.ui.document_files import first_document
from thinkpane.ui.main_window import MainWindow
from thinkpane.ui.panes.prompt import PromptPane
from thinkpane.ui.widgets.card_list_card import FactLabel
from thinkpane.ui.widgets.pane_tabs import PaneTabs
from thinkpane.ui.widgets.section import SettingRow
from thinkpane.workspace.state import DocumentState

SMALLEST = (800, 560)


def full_document() -> DocumentState:
    """Messages with all that a card may hold."""
    call: JsonObject = {
        "id": "call_9bb9535f",
        "type": "function",
        "function": {"name": "get_weather", "arguments": {"a": "b"}},
    }
    picture: JsonObject = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    messages = (
        message("user", "[L3] Fix the off-by-one in my loop."),
        Message({"role": "assistant", "content": "So.", "reasoning_content": "Hm.", "tool_calls": [call]}),
        Message({"role": "tool", "tool_call_id": "call_9bb9535f", "name": "get_weather", "content": "21"}),
        Message({"role": "user", "content": [{"type": "text", "text": "What is it?"}, picture]}),
    )
    return replace(first_document(), conversation=Conversation(messages=messages))


@pytest.fixture
def small(make_window: Callable[[DocumentState], MainWindow], qtbot: QtBot) -> MainWindow:
    window = make_window(full_document())
    window.resize(*SMALLEST)
    qtbot.waitUntil(lambda: window.layout_.width() == SMALLEST[0])
    QApplication.processEvents()
    return window


def tabs_of(window: MainWindow) -> list[PaneTabs]:
    layout = window.layout_
    return [layout.compose, layout.output, layout.inspect]


def test_what_scrolls_down_is_as_wide_as_its_column(small: MainWindow) -> None:
    for area in small.findChildren(QScrollArea):
        if area.isVisible() and area.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff:
            inside = area.widget()
            assert inside is not None
            assert inside.width() <= area.viewport().width(), area.accessibleName()


def test_facts_of_narrow_cards_are_whole_on_a_line_of_their_own(small: MainWindow, qtbot: QtBot) -> None:
    facts = [each for each in small.layout_.compose.findChildren(FactLabel) if each.isVisible()]
    assert facts
    qtbot.waitUntil(lambda: all(each.text() == each.fact for each in facts))


def test_titles_of_tabs_are_whole_and_arrows_lead_to_the_others(small: MainWindow) -> None:
    for tabs in tabs_of(small):
        bar = tabs.tabBar()
        assert bar.usesScrollButtons()
        for place in range(bar.count()):
            assert bar.tabRect(place).width() > bar.fontMetrics().horizontalAdvance(bar.tabText(place))
        bar.setCurrentIndex(0)
        for place in range(1, bar.count()):
            QTest.keyClick(bar, Qt.Key.Key_Right)
            assert bar.currentIndex() == place
            assert bar.rect().contains(bar.tabRect(place).center())


@pytest.mark.parametrize("width", [800, 1000, 1200, 1400])
def test_all_titles_are_seen_at_common_widths(small: MainWindow, qtbot: QtBot, width: int) -> None:
    small.resize(width, 700)
    bars = [each.tabBar() for each in tabs_of(small)]
    qtbot.waitUntil(lambda: all(bar.tabRect(bar.count() - 1).right() <= bar.width() for bar in bars))
    assert bars[0].tabText(0).casefold() == "messages"
    for bar in bars:
        wanted = [bar.fontMetrics().horizontalAdvance(bar.tabText(place)) for place in range(bar.count())]
        assert all(bar.tabRect(place).width() >= each + 10 for place, each in enumerate(wanted))


def test_controls_are_one_press_away_where_they_have_no_room(small: MainWindow) -> None:
    layout = small.layout_
    assert not layout.side.isVisible()
    layout.to_controls.click()
    assert layout.side.isVisible()
    assert not layout.to_controls.isVisible()
    small.resize(820, 560)
    assert layout.side.isVisible()
    small.view.toggle_controls()
    assert not layout.side.isVisible()
    assert layout.show_pane("sampling")
    assert layout.side.isVisible()
    assert layout.side.current_id == "sampling"


@pytest.mark.parametrize("pane", ["messages", "tools", "documents"])
def test_three_columns_fit_too(small: MainWindow, pane: str) -> None:
    small.layout_.ask_for_controls(on=True)
    small.layout_.show_pane(pane)
    QApplication.processEvents()
    assert small.width() == SMALLEST[0]
    areas = [each for each in small.layout_.splitters["work"].findChildren(QScrollArea) if each.isVisible()]
    insides = [(each.accessibleName(), each.widget(), each.viewport().width()) for each in areas]
    assert [name for name, inside, room in insides if inside is not None and inside.width() > room] == []


def test_figures_give_way_to_the_titles(small: MainWindow) -> None:
    output = small.layout_.output
    figures = output.cornerWidget()
    assert isinstance(figures, QLabel)
    figures.setText("first token 0.45 s · 115 tok/s · and much more of what could be said here")
    QApplication.processEvents()
    assert not figures.isVisible()
    assert output.tabBar().tabRect(1).right() <= output.width()
    figures.setText("1 s")
    QApplication.processEvents()
    assert figures.isVisible()


def test_a_wide_window_has_the_controls_again(small: MainWindow) -> None:
    small.resize(1440, 900)
    assert small.layout_.side.isVisible()
    assert not small.layout_.to_controls.isVisible()


def test_what_the_bars_fold_is_in_their_menus(small: MainWindow) -> None:
    top, status = small.layout_.top, small.layout_.status
    top.parity.say("✓ the same prompt as the server makes of it", "good")
    status.set_fact("file", "a file with a name that is rather long.thinkpane.json")
    for row in (top.tools, status.facts):
        row.refold()
        assert row.folded
        assert row.more.isVisible()
        menu = row.more.menu()
        assert isinstance(menu, QMenu)
        menu.aboutToShow.emit()
        assert len(menu.actions()) == len(row.folded)
        seen = [each for each in row.findChildren(QWidget) if each.parentWidget() is row and each.isVisible()]
        spans = sorted((each.x(), each.x() + each.width()) for each in seen)
        assert all(one[1] <= other[0] for one, other in pairwise(spans))


def test_the_tier_row_keeps_its_height_whatever_it_says(small: MainWindow) -> None:
    row = small.layout_.tiers
    row.reason.say("set by [L3] in message 1")
    QApplication.processEvents()
    height = row.height()
    for badge in (row.reason, row.effect, row.lost):
        badge.say("")
    QApplication.processEvents()
    assert row.height() == height


def test_why_a_tier_holds_is_whole_in_a_common_window(small: MainWindow, qtbot: QtBot) -> None:
    small.resize(1400, 900)
    row = small.layout_.tiers
    qtbot.waitUntil(lambda: len(row.buttons) == 13 and bool(row.reason.whole))
    row.reason.say("Nothing asks for a tier, and then this template takes L10 Proteus")
    row.effect.say("+874 −8 characters against L0 Off")
    qtbot.waitUntil(lambda: row.reason.text() == row.reason.whole and row.effect.text() == row.effect.whole)


def test_panes_are_reached_by_keys(small: MainWindow) -> None:
    reached: set[QWidget] = set()
    areas = [each for each in small.layout_.areas() if each.isVisible()]
    for _ in areas:
        small.view.next_pane()
        focus = QApplication.focusWidget()
        reached |= {area for area in areas if focus is not None and area.isAncestorOf(focus)}
    assert reached == set(areas)
    assert all(isinstance(each, QAbstractScrollArea | PaneTabs) for each in areas)


@pytest.fixture
def large_letters(small: MainWindow, qtbot: QtBot) -> Iterator[MainWindow]:
    """The smallest window with letters of one and a half times their size and all three columns."""
    small._services.settings.set("zoom", 1.5)
    small.layout_.ask_for_controls(on=True)
    small.resize(*SMALLEST)
    qtbot.waitUntil(lambda: small.layout_.width() == SMALLEST[0])
    yield small
    small._services.settings.set("zoom", 1.0)


def test_large_letters_leave_no_name_cut_without_its_tooltip(large_letters: MainWindow, qtbot: QtBot) -> None:
    large_letters.layout_.show_pane("controls")
    # Their widgets are others once what they do is known.
    qtbot.waitUntil(lambda: large_letters.effects.is_settled)

    def rows() -> list[SettingRow]:
        return [each for each in large_letters.layout_.side.findChildren(SettingRow) if each.isVisible()]

    def are_told() -> bool:
        return all(each.label.text() == each.label.whole or each.label.whole in each.label.toolTip() for each in rows())

    assert len(rows()) > 3
    qtbot.waitUntil(are_told)
    whole = [each for each in rows() if each.label.sizeHint().width() + 24 <= each.width()]
    assert whole
    qtbot.waitUntil(lambda: all(each.label.text() == each.label.whole for each in whole))


@pytest.mark.parametrize("pane", ["messages", "tools", "documents"])
def test_large_letters_fit_in_three_columns(large_letters: MainWindow, qtbot: QtBot, pane: str) -> None:
    large_letters.layout_.show_pane(pane)

    def too_wide() -> list[str]:
        areas = [each for each in large_letters.layout_.splitters["work"].findChildren(QScrollArea) if each.isVisible()]
        found = [(each.accessibleName(), each.widget(), each.viewport().width()) for each in areas]
        return [name for name, inside, room in found if inside is not None and inside.width() > room]

    qtbot.waitUntil(lambda: not too_wide())


def test_large_letters_leave_the_prompt_some_rows(large_letters: MainWindow, qtbot: QtBot) -> None:
    prompt = large_letters.layout_.panes["prompt"]
    assert isinstance(prompt, PromptPane)
    qtbot.waitUntil(lambda: prompt.view.height() >= 3 * prompt.view.fontMetrics().height())
    assert prompt.counts.isHidden()
    assert prompt.tokens.label.isHidden()
    assert prompt.tokens.button.isVisible()
