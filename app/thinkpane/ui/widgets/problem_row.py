"""One finding: how bad it is, where, what it is, what comes of it, and its fix."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from thinkpane.analysis.lint.findings import Finding
from thinkpane.ui.widgets.badge import Badge, Tone
from thinkpane.ui.widgets.flow_layout import FlowLayout
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.plain_tip import plain_tip

_TONES: dict[str, Tone] = {"error": "bad", "warning": "warning", "note": ""}
_MARKS = {"error": "✕", "warning": "▲", "note": "●"}


class ProblemRow(QFrame):
    """A card with one finding. A click anywhere on it shows the first of its places.

    Signals:
        line_chosen(int): a template line, from 1. message_chosen(int): a message of the request, from 0.
        span_chosen(object): (start, end) in the prompt. fix_asked(object): the Fix.
    """

    line_chosen = Signal(int)
    message_chosen = Signal(int)
    span_chosen = Signal(object)
    fix_asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "card")
        self.finding: Finding | None = None
        self.severity = Badge()
        self.line = _place_button("Show this line of the template")
        self.message = _place_button("Show this message")
        self.prompt = _place_button("Select it in the prompt")
        self.prompt.setText("In the prompt")
        self.fix = QPushButton("Apply fix")
        self.summary = plain_label("", "setting")
        self.why = plain_label("", "dim")
        for label in (self.summary, self.why):
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.line.clicked.connect(self._on_line_clicked)
        self.message.clicked.connect(self._on_message_clicked)
        self.prompt.clicked.connect(self._on_prompt_clicked)
        self.fix.clicked.connect(self._on_fix_clicked)
        self._lay_out()

    def show_finding(self, finding: Finding, message: int | None) -> None:
        """Shows a finding. message: what the window calls the message it is about, from 1; None = it shows none."""
        self.finding = finding
        self.severity.say(f"{_MARKS[finding.severity]} {finding.severity}", _TONES[finding.severity])
        more = f" and {len(finding.lines) - 1} more" if len(finding.lines) > 1 else ""
        self.line.setText(f"Template line {finding.line}{more}")
        self.line.setVisible(finding.line is not None)
        self.message.setText(f"Message {message}")
        self.message.setVisible(message is not None)
        self.prompt.setVisible(finding.span is not None)
        self.summary.setText(finding.summary)
        self.why.setText(finding.why)
        self.fix.setVisible(finding.fix is not None)
        title = finding.fix.title if finding.fix else ""
        self.fix.setToolTip(plain_tip(title))
        self.fix.setAccessibleName(f"Apply fix: {title}")
        self.setAccessibleName(f"{finding.severity}: {finding.summary}")
        self.setToolTip(plain_tip(finding.id))

    def show_place(self) -> None:
        """Shows the first of its places."""
        for button in (self.message, self.line, self.prompt):
            if not button.isHidden():
                button.click()
                return

    def _lay_out(self) -> None:
        places = QWidget()
        flow = FlowLayout(places)
        for each in (self.severity, self.message, self.line, self.prompt):
            flow.addWidget(each)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(places, 1)
        head.addWidget(self.fix, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 8, 8)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self.summary)
        column.addWidget(self.why)

    def _on_line_clicked(self) -> None:
        if self.finding is not None and self.finding.line is not None:
            self.line_chosen.emit(self.finding.line)

    def _on_message_clicked(self) -> None:
        if self.finding is not None and self.finding.message_index is not None:
            self.message_chosen.emit(self.finding.message_index)

    def _on_prompt_clicked(self) -> None:
        if self.finding is not None and self.finding.span is not None:
            self.span_chosen.emit(self.finding.span)

    def _on_fix_clicked(self) -> None:
        if self.finding is not None and self.finding.fix is not None:
            self.fix_asked.emit(self.finding.fix)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on the card itself shows the place."""
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.show_place()


def _place_button(words: str) -> QToolButton:
    found = QToolButton()
    found.setProperty("kind", "flat")
    found.setToolTip(plain_tip(words))
    return found
