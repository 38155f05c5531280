"""Owners in the prompt pane: hovering, clicking, the gutter, the bar, and the way back from other panes."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from support.prompt_feeds import prompt_context
from support.small_vocabularies import byte_pairs
from support.traced import PLAIN, TEXT, TRACED
from thinkpane.errors import Problem
from thinkpane.prompt.budget import budget_of
from thinkpane.prompt.owners import Owner
from thinkpane.prompt.parts import Part
from thinkpane.prompt.places import Place
from thinkpane.prompt.prompt import Prompt
from thinkpane.templates.template import Template
from thinkpane.tokens.incremental import IncrementalEncoder
from thinkpane.tokens.pieces import pieces_of
from thinkpane.ui import theme
from thinkpane.ui.links import Links
from thinkpane.ui.models.told_budget import told
from thinkpane.ui.panes._owner_labels import OwnerLabels
from thinkpane.ui.panes.prompt import PANE, PromptPane
from thinkpane.ui.widgets.text_lit import lit
from thinkpane.ui.widgets.text_selection import Selection

HELLO = Owner(2, 4, (), "messages[0].content", (0, 9))
HELLO_PLACE = Place("message", 0, "content", (0, 9))


class Prompts(QObject):
    """Stands in for the feed of prompts."""

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.prompt = Prompt()
        self.template = Template("", "")

    def give(self, prompt: Prompt) -> None:
        self.prompt = prompt
        self.changed.emit(prompt)


class Heard:
    """What the links told, in order."""

    def __init__(self, links: Links) -> None:
        self.pointed: list[tuple[Owner | None, Place | None]] = []
        self.chosen: list[object] = []
        self.lines: list[int] = []
        self._owner: Owner | None = None
        links.owner_pointed.connect(self._on_links_owner_pointed)
        links.place_pointed.connect(lambda place: self.pointed.append((self._owner, place)))
        links.owner_chosen.connect(self.chosen.append)
        links.place_chosen.connect(self.chosen.append)
        links.template_line_chosen.connect(self.lines.append)

    def last(self) -> tuple[Owner | None, Place | None]:
        """What was pointed at last."""
        return self.pointed[-1]

    def _on_links_owner_pointed(self, owner: Owner | None) -> None:
        self._owner = owner


@pytest.fixture
def prompts(qapp: object) -> Prompts:
    return Prompts()


@pytest.fixture
def links(qapp: object) -> Links:
    return Links()


@pytest.fixture
def heard(links: Links) -> Heard:
    return Heard(links)


@pytest.fixture
def pane(prompts: Prompts, links: Links, heard: Heard, qtbot: QtBot, tmp_path: Path) -> PromptPane:
    built = PANE.build(prompt_context(prompts, tmp_path, links))
    assert isinstance(built, PromptPane)
    qtbot.addWidget(built)
    built.resize(500, 600)
    with qtbot.waitExposed(built):
        built.show()
    prompts.give(PLAIN)
    prompts.give(TRACED)
    built.show_budget(told(budget_of(TRACED, None)))
    qtbot.waitUntil(lambda: built.bar.width() > 400)
    return built


def point(pane: PromptPane, position: int) -> QPoint:
    found = pane.view.rect_of(position)
    return QPoint(found.left() + 3, found.center().y())


def move_on_bar(pane: PromptPane, at: QPoint) -> None:
    """Moves the pointer there, straight to the bar, whatever window another test left above it."""
    none = Qt.MouseButton.NoButton
    places = QPointF(at), QPointF(pane.bar.mapToGlobal(at))
    QGuiApplication.sendEvent(
        pane.bar, QMouseEvent(QEvent.Type.MouseMove, *places, none, none, Qt.KeyboardModifier.NoModifier)
    )


def hover(pane: PromptPane, position: int) -> None:
    QTest.mouseMove(pane.view.viewport(), point(pane, position))


def click(pane: PromptPane, position: int) -> None:
    QTest.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=point(pane, position))


def test_hovering_lights_the_span_and_says_whose_it_is(pane: PromptPane, heard: Heard) -> None:
    hover(pane, 6)
    assert pane.view.lit("pointed") == lit([(4, 13)])
    assert pane.came_from.whole == "Message 1 · content, characters 1–9"
    assert pane.written_by.whole == "Template line 2, column 4 · {{ messages[0].content }}"
    assert heard.last() == (HELLO, HELLO_PLACE)
    before = len(heard.pointed)
    hover(pane, 8)
    assert len(heard.pointed) == before, "the same owner is told once"
    QTest.mouseMove(pane.view.viewport(), QPoint(400, 200))
    assert heard.last() == (None, None)
    assert not pane.view.lit("pointed")


def test_hovering_what_a_macro_wrote_names_its_caller(pane: PromptPane, heard: Heard) -> None:
    hover(pane, 15)
    assert pane.came_from.whole == "The template's own text"
    assert pane.written_by.whole.startswith("Template line 3, column 17, called from line 4 · {% macro")
    assert heard.last() == (Owner(3, 17, (4,)), None)


def test_a_click_chooses_owner_and_place(pane: PromptPane, heard: Heard) -> None:
    click(pane, 6)
    assert heard.chosen == [HELLO, HELLO_PLACE]
    assert pane.view.lit("chosen") == lit([(4, 13)])


def test_the_caret_tells_owners_by_keys_alone(pane: PromptPane, heard: Heard, qtbot: QtBot) -> None:
    pane.tell_owner()
    pane.activateWindow()
    qtbot.waitUntil(pane.view.hasFocus)
    assert pane.came_from.whole == "The template's own text"
    QTest.keyClick(pane.view, Qt.Key.Key_Down)
    assert pane.came_from.whole == "Message 1 · content, characters 1–9"
    QTest.keyClick(pane.view, Qt.Key.Key_Return)
    assert heard.chosen == [HELLO, HELLO_PLACE]
    QTest.keyClick(pane.view, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert pane.came_from.whole == "Variable name, characters 1–3"


def test_a_selection_tells_exactly_its_characters_or_all_its_owners(pane: PromptPane, heard: Heard) -> None:
    pane.view.select(5, 8)
    assert pane.came_from.whole == "Message 1 · content, characters 2–4"
    pane.owners.choose_at_caret()
    assert heard.chosen == [replace(HELLO, at=(1, 4)), replace(HELLO_PLACE, at=(1, 4))]
    assert pane.view.lit("chosen") == lit([(5, 8)])
    pane.view.select(0, 22)
    assert pane.came_from.whole == "The template, message 1, variable name"
    assert pane.written_by.whole == ""


def test_a_template_line_in_the_gutter_lights_all_it_wrote(pane: PromptPane, heard: Heard) -> None:
    at = QPoint(20, pane.view.rect_of(15).center().y())
    QTest.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert heard.lines == [3]
    assert pane.view.lit("chosen") == lit([(14, 18)])
    assert pane.came_from.whole == "Template line 3 wrote 4 characters"


def test_the_context_menu_leads_to_the_place_and_to_the_template_lines(pane: PromptPane, heard: Heard) -> None:
    menu = QMenu()
    pane.view.menu_opening.emit(menu, 6)
    pane.view.menu_opening.emit(menu, 15)
    actions = {each.text(): each for each in menu.actions() if each.text().startswith("Show")}
    assert [*actions] == ["Show message 1", "Show template line 2", "Show template line 3", "Show template line 4"]
    for each in actions.values():
        each.trigger()
    assert heard.chosen == [HELLO_PLACE]
    assert heard.lines == [2, 3, 4]
    pane.view.menu_opening.emit(menu, -1)
    assert len([each for each in menu.actions() if each.text().startswith("Show")]) == 4


def test_a_line_chosen_elsewhere_is_lit_with_the_macros_it_calls(pane: PromptPane, links: Links) -> None:
    links.template_line_chosen.emit(4)
    assert pane.view.lit("chosen") == lit([(14, 19)])
    links.template_line_chosen.emit(9)
    assert not pane.view.lit("chosen")
    assert pane.came_from.whole == (
        "Template line 9 wrote nothing in this prompt; it did not run, or had nothing to write"
    )


def test_a_field_lights_what_it_became(pane: PromptPane, links: Links) -> None:
    links.field_entered.emit(Place("message", 0, "content"))
    assert pane.view.lit("chosen") == lit([(4, 13)])
    links.field_entered.emit(Place("message", 0, "content", (6, 9)))
    assert pane.view.lit("chosen") == lit([(10, 13)])
    links.field_entered.emit(None)
    assert not pane.view.lit("chosen")


def test_the_gutter_s_bar_has_the_colour_of_the_message_in_the_row(pane: PromptPane) -> None:
    known = OwnerLabels(TRACED)
    labels = known.of(TEXT)
    assert [labels.role(*row) for row in ((0, 4), (4, 14), (14, 19), (0, 22))] == ["", "user", "", "user"]
    image = pane.view.viewport().grab().toImage()
    x = pane.view.text_left - 10
    row = pane.view.rect_of(6).center().y()
    assert QColor(image.pixel(x, row)).name() == theme.current().user
    assert QColor(image.pixel(x, pane.view.rect_of(1).center().y())).name() == theme.current().pane
    carried = known.of("XY" + TEXT)
    assert (carried.at(0), carried.at(2), carried.at(7), carried.role(6, 16)) == (0, 1, 2, "user")


def test_numbers_have_room_while_the_prompt_of_a_longer_template_stays(pane: PromptPane) -> None:
    assert TRACED.request is not None
    assert TRACED.owners is not None
    failed = replace(TRACED, request=replace(TRACED.request, source="{{ no }}"), stale=True)
    assert OwnerLabels(failed).of(failed.text).most == TRACED.owners.last_line > 1


def test_the_bar_has_a_part_for_each_owner(pane: PromptPane) -> None:
    assert [(each.parts, each.name, each.tokens, each.role) for each in pane.bar.shares] == [
        ((Part("scaffolding"),), "scaffolding", 2, ""),
        ((Part("message", 0),), "message 1 (user)", 3, "user"),
        ((Part("variables"),), "variables", 1, ""),
    ]
    assert pane.legend.whole == "Estimated tokens by owner: scaffolding ≈ 2 · message 1 (user) ≈ 3 · variables ≈ 1"
    assert pane.bar.accessibleDescription() == pane.legend.whole


def test_exact_tokens_take_the_place_of_an_estimate(pane: PromptPane, prompts: Prompts) -> None:
    vocabulary = byte_pairs(("<s>", "</s>"))
    encoder = IncrementalEncoder(vocabulary.cuts, pieces_of(vocabulary.pieces()), vocabulary.encode)
    budget = budget_of(TRACED, encoder.update(TEXT))
    pane.show_budget(told(budget))
    assert sum(each.tokens for each in pane.bar.shares) == budget.total
    assert pane.legend.whole == "Tokens by owner: scaffolding 5 · message 1 (user) 8 · variables 3"
    move_on_bar(pane, QPoint(pane.bar.left_of(1) + 5, 8))
    assert pane.came_from.whole == "Message 1 (user): 8 of 16 tokens, 50 %"


def test_until_its_tokens_are_counted_the_bar_stays_as_it_was(pane: PromptPane, prompts: Prompts) -> None:
    before = pane.bar.shares, pane.legend.whole
    typed = replace(PLAIN, text=TEXT + "!", serial=2)
    prompts.give(typed)
    assert (pane.bar.shares, pane.legend.whole) == before
    move_on_bar(pane, QPoint(pane.bar.left_of(0) + 5, 8))
    assert not pane.view.lit("pointed"), "where its parts stand in another text is not known"


def test_a_low_pane_gives_its_rows_to_the_prompt(pane: PromptPane, qtbot: QtBot) -> None:
    assert pane.legend.isVisible()
    pane.resize(500, 380)
    qtbot.waitUntil(lambda: not pane.legend.isVisible())
    assert pane.bar.isVisible()
    pane.resize(500, 600)
    qtbot.waitUntil(pane.legend.isVisible)


def test_a_part_of_the_bar_lights_its_characters(pane: PromptPane) -> None:
    inside = QPoint(pane.bar.left_of(0) + 5, 8)
    move_on_bar(pane, inside)
    assert pane.view.lit("pointed") == lit([(0, 4), (13, 19)])
    assert pane.came_from.whole == "Scaffolding: ≈ 2 of ≈ 6 tokens, an estimate, 33 %"
    QTest.mouseClick(pane.bar, Qt.MouseButton.LeftButton, pos=inside)
    assert pane.view.lit("chosen") == lit([(0, 4), (13, 19)])


def test_the_bar_is_walked_by_keys(pane: PromptPane, qtbot: QtBot) -> None:
    pane.activateWindow()
    pane.bar.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(pane.bar.hasFocus)
    assert pane.came_from.whole == "Scaffolding: ≈ 2 of ≈ 6 tokens, an estimate, 33 %"
    for key, start in ((Qt.Key.Key_Right, 4), (Qt.Key.Key_End, 19), (Qt.Key.Key_Left, 4), (Qt.Key.Key_Home, 0)):
        QTest.keyClick(pane.bar, key)
        QTest.keyClick(pane.bar, Qt.Key.Key_Return)
        assert pane.view.lit("chosen").starts[0] == start


def test_owners_that_arrive_move_nothing(pane: PromptPane, prompts: Prompts) -> None:
    pane.view.set_selection(Selection(8, 5))
    before = pane.view.selection, pane.view.position_at_top(), pane.view.text_left
    laid = pane.view.rows.laid_pieces
    prompts.give(replace(PLAIN, serial=2))
    prompts.give(replace(TRACED, serial=2))
    assert (pane.view.selection, pane.view.position_at_top(), pane.view.text_left) == before
    assert pane.view.rows.laid_pieces == laid, "nothing is laid out anew"


def test_until_owners_come_the_gutter_keeps_the_lines_before(pane: PromptPane, prompts: Prompts) -> None:
    click(pane, 6)
    typed = replace(PLAIN, text=TEXT.replace("Hello", "Hello, oh"), serial=2)
    prompts.give(typed)
    assert pane.view.has_labels
    assert pane.bar.isVisible()
    hover(pane, 6)
    assert not pane.view.lit("pointed"), "what is not known yet is not told"
    assert pane.view.lit("chosen") == lit([(4, 17)])


def test_owners_that_are_not_known_are_dropped_visibly(pane: PromptPane, prompts: Prompts) -> None:
    prompts.give(replace(PLAIN, serial=2, untraced="the traced text differs from the plain one"))
    assert pane.untraced.text() == "Owners not known: the traced text differs from the plain one."
    assert pane.untraced.isVisible()
    assert not pane.bar.isVisible()
    assert not pane.view.has_labels
    assert pane.came_from.whole == ""
    prompts.give(replace(TRACED, serial=3))
    pane.show_budget(told(budget_of(TRACED, None)))
    assert not pane.untraced.isVisible()
    assert pane.bar.isVisible()


def test_the_text_stays_where_it_is_while_owners_are_not_known(pane: PromptPane, prompts: Prompts) -> None:
    left = pane.view.text_left
    for serial, lost in enumerate((TRACED, PLAIN), start=2):
        prompts.give(replace(lost, request=TRACED.request, serial=serial, owners=None, untraced="it was stopped"))
        assert not pane.view.has_labels
        assert pane.view.text_left == left
    assert TRACED.request is not None
    other = replace(TRACED.request, source="another template")
    prompts.give(replace(TRACED, request=other, serial=4, owners=None, untraced="it was stopped"))
    assert pane.view.text_left < left


def test_a_stale_prompt_still_tells_its_owners(pane: PromptPane, prompts: Prompts) -> None:
    prompts.give(replace(TRACED, serial=2, stale=True, problem=Problem("template", "No."), request=None))
    hover(pane, 6)
    assert pane.came_from.whole == "Message 1 · content, characters 1–9"
    assert pane.written_by.whole == "Template line 2, column 4"
