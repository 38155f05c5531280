"""A layout that puts widgets beside each other and goes to the next line where the width ends."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Lines of widgets, each centred in its line; hidden ones take no room."""

    def __init__(self, parent: QWidget | None = None, spacing: int = 4) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    def addItem(self, item: QLayoutItem) -> None:
        """Takes an item in at the end."""
        self._items.append(item)

    def count(self) -> int:
        """How many items there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """The item at that place, None outside."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Takes the item at that place out, None outside."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """It takes no more room than it needs."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """Narrower means higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of all lines and the margins."""
        margins = self.contentsMargins()
        inside = width - margins.left() - margins.right()
        height = self._place(QRect(0, 0, inside, 0), move=False)
        return height + margins.top() + margins.bottom()

    def setGeometry(self, rect: QRect) -> None:
        """Places the widgets."""
        super().setGeometry(rect)
        self._place(rect.marginsRemoved(self.contentsMargins()), move=True)

    def sizeHint(self) -> QSize:
        """All in one line, so that a parent with room enough gives it."""
        shown = self._shown()
        width = sum(each.sizeHint().width() for each in shown) + self.spacing() * max(0, len(shown) - 1)
        return self._with_margins(QSize(width, max((each.sizeHint().height() for each in shown), default=0)))

    def minimumSize(self) -> QSize:
        """Wide enough for its widest widget."""
        size = QSize()
        for item in self._shown():
            size = size.expandedTo(item.minimumSize())
        return self._with_margins(size)

    def _shown(self) -> list[QLayoutItem]:
        return [each for each in self._items if not each.isEmpty()]

    def _with_margins(self, size: QSize) -> QSize:
        margins = self.contentsMargins()
        return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom())

    def _place(self, rect: QRect, *, move: bool) -> int:
        y = rect.y()
        lines = self._lines(rect.width())
        for number, line in enumerate(lines):
            sizes = [_size(item, rect.width()) for item in line]
            height = max(size.height() for size in sizes)
            x = rect.x()
            for item, size in zip(line, sizes, strict=True):
                if move:
                    item.setGeometry(QRect(QPoint(x, y + (height - size.height()) // 2), size))
                x += size.width() + self.spacing()
            y += height + (self.spacing() if number < len(lines) - 1 else 0)
        return y - rect.y()

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        taken = 0
        for item in self._shown():
            needed = item.sizeHint().width()
            if not lines or taken + self.spacing() + needed > width:
                lines.append([])
                taken = needed
            else:
                taken += self.spacing() + needed
            lines[-1].append(item)
        return lines


def _size(item: QLayoutItem, room: int) -> QSize:
    """What an item takes in a line of its own width; texts that break get higher where there is less."""
    hint = item.sizeHint()
    if hint.width() <= room:
        return hint
    return QSize(room, item.heightForWidth(room) if item.hasHeightForWidth() else hint.height())
