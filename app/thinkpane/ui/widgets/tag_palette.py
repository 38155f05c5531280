"""The control tags of the template, one chip each; a click puts the tag where the caret was."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from thinkpane.templates.template import TagCandidate
from thinkpane.ui.widgets.flow_layout import FlowLayout
from thinkpane.ui.widgets.plain_tip import plain_tip

_UNKNOWN = "What this template looks for is not known yet."


class TagPalette(QWidget):
    """Chips for control tags.

    Signals:
        insert_requested(str): the `insert` text of the chip that was pressed; `…` in it marks the caret.
    """

    insert_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tags: tuple[TagCandidate, ...] = ()
        self._empty = QLabel()
        self._empty.setProperty("kind", "dim")
        self._empty.setWordWrap(True)
        self._chips = QWidget()
        self._flow = FlowLayout(self._chips)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._empty)
        layout.addWidget(self._chips)
        self.set_known(False)
        self.set_tags(())

    def set_tags(self, tags: Sequence[TagCandidate]) -> None:
        """Shows these tags."""
        if tuple(tags) == self._tags and self._flow.count():
            return
        self._tags = tuple(tags)
        while (item := self._flow.takeAt(0)) is not None:
            widget = item.widget()
            if widget:
                widget.hide()
                widget.deleteLater()
        for tag in self._tags:
            self._flow.addWidget(self._chip(tag))
        self._empty.setVisible(not self._tags)
        self._chips.setVisible(bool(self._tags))

    def set_known(self, known: bool) -> None:
        """Whether it is known which tags the template looks for; without that none is only none so far."""
        self._empty.setText("This template looks for no control tags." if known else _UNKNOWN)

    def chips(self) -> list[QPushButton]:
        """The chips, in order."""
        return [each for each in self._chips.findChildren(QPushButton) if not each.isHidden()]

    def _chip(self, tag: TagCandidate) -> QPushButton:
        # A button would take "&" for a mnemonic.
        chip = QPushButton(tag.tag.replace("&", "&&"), self._chips)
        chip.setProperty("kind", "chip")
        chip.setProperty("mono", True)
        chip.setAccessibleName(f"Insert {tag.tag}")
        line = f"template line {tag.line}" if tag.line else ""
        chip.setToolTip(plain_tip(" · ".join(filter(None, (tag.summary, tag.where, line)))))
        chip.clicked.connect(lambda: self.insert_requested.emit(tag.insert))
        return chip
