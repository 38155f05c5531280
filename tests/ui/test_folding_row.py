"""A row that folds what has no room into a menu."""

import pytest
from PySide6.QtWidgets import QLabel, QMenu, QToolButton
from pytestqt.qtbot import QtBot

from thinkpane.ui.widgets.flat_button import flat_button
from thinkpane.ui.widgets.folding_row import FoldingRow

WIDE = 900


@pytest.fixture
def buttons() -> dict[str, QToolButton]:
    # Each is wider than the menu's button, also in the theme that a window of an earlier test may have left behind.
    return {name: flat_button(f"the button {name}", f"Does {name}") for name in ("one", "two", "three")}


@pytest.fixture
def row(buttons: dict[str, QToolButton], qtbot: QtBot) -> FoldingRow:
    found = FoldingRow()
    found.add(buttons["one"], 2)
    found.add(buttons["two"], 1)
    found.add(buttons["three"])
    found.close_row()
    qtbot.addWidget(found)
    found.resize(WIDE, 40)
    with qtbot.waitExposed(found):
        found.show()
    return found


def narrow_to(row: FoldingRow, *kept: QToolButton) -> None:
    """As wide as these and the menu's button need."""
    widths = [each.sizeHint().width() for each in (*kept, row.more)]
    row.resize(sum(widths) + row.row.spacing() * (len(widths) - 1), 40)


def opened(row: FoldingRow) -> QMenu:
    menu = row.more.menu()
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()
    return menu


def test_the_least_important_go_first_and_come_back(row: FoldingRow, buttons: dict[str, QToolButton]) -> None:
    assert row.folded == []
    assert not row.more.isVisible()
    narrow_to(row, buttons["one"], buttons["three"])
    assert row.folded == [buttons["two"]]
    narrow_to(row, buttons["three"])
    assert row.folded == [buttons["one"], buttons["two"]]
    assert row.more.isVisible()
    row.resize(WIDE, 40)
    assert row.folded == []
    assert all(each.isVisible() for each in buttons.values())


def test_the_menu_does_what_the_folded_do(row: FoldingRow, buttons: dict[str, QToolButton]) -> None:
    pressed: list[str] = []
    for name, button in buttons.items():
        button.clicked.connect(lambda _checked=False, name=name: pressed.append(name))
    buttons["two"].setCheckable(True)
    narrow_to(row, buttons["three"])
    actions = opened(row).actions()
    assert [each.text() for each in actions] == ["Does one", "Does two"]
    for each in actions:
        each.trigger()
    assert pressed == ["one", "two"]
    assert [each.isChecked() for each in opened(row).actions()] == [False, True]


def test_a_folded_button_brings_its_own_menu(row: FoldingRow, buttons: dict[str, QToolButton]) -> None:
    own = QMenu(buttons["one"])
    own.addAction("inside")
    buttons["one"].setMenu(own)
    narrow_to(row, buttons["three"])
    inside = opened(row).actions()[0].menu()
    assert isinstance(inside, QMenu)
    assert [each.text() for each in inside.actions()] == ["inside"]


def test_what_its_owner_hides_takes_no_room_and_is_not_in_the_menu(
    row: FoldingRow, buttons: dict[str, QToolButton]
) -> None:
    narrow_to(row, buttons["one"], buttons["three"])
    buttons["two"].hide()
    assert row.folded == []
    assert not row.more.isVisible()
    buttons["two"].show()
    assert row.folded == [buttons["two"]]


def test_a_longer_text_folds_others(row: FoldingRow, buttons: dict[str, QToolButton], qtbot: QtBot) -> None:
    row.resize(row.sizeHint().width() + 20, 40)
    assert row.folded == []
    buttons["three"].setText("a text that is much longer than the one before")
    qtbot.waitUntil(lambda: row.folded == [buttons["one"], buttons["two"]])


def test_labels_are_told_in_the_menu(qtbot: QtBot) -> None:
    row = FoldingRow()
    label = QLabel("a fact")
    row.add(label, 1, lambda menu: menu.addAction(label.text()))
    row.close_row()
    qtbot.addWidget(row)
    row.resize(10, 40)
    with qtbot.waitExposed(row):
        row.show()
    assert row.folded == [label]
    assert [each.text() for each in opened(row).actions()] == ["a fact"]
