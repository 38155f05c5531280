"""A scroll area whose widget never asks for the same height twice."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from pytestqt.qtbot import QtBot

from thinkpane.ui.widgets.calm_scroll_area import CalmScrollArea


class Fickle(QWidget):
    """As wide as the area it has no room, and as soon as it is narrower it has."""

    def __init__(self, area: CalmScrollArea) -> None:
        super().__init__()
        self._area = area
        self.sizes: list[QSize] = []
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def heightForWidth(self, width: int) -> int:
        room = self._area.maximumViewportSize()
        return room.height() + 50 if self.width() == room.width() else room.height() - 50

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.sizes.append(event.size())


def test_a_widget_that_cannot_make_up_its_mind_does_not_end_the_stack(qtbot: QtBot) -> None:
    area = CalmScrollArea()
    area.setWidgetResizable(True)
    fickle = Fickle(area)
    area.setWidget(fickle)
    qtbot.addWidget(area)
    area.resize(300, 200)
    with qtbot.waitExposed(area):
        area.show()
    area.resize(310, 220)
    qtbot.waitUntil(lambda: len(fickle.sizes) > 2)
    assert len({each.width() for each in fickle.sizes}) > 1, "it did change its mind"
