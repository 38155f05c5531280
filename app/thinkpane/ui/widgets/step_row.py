"""One step before rendering: its switch, its settings, and what it decided, in words."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QToolButton

from thinkpane.prompt.step_table import Step
from thinkpane.ui.widgets.plain_tip import plain_tip
from thinkpane.ui.widgets.section import SettingRow, sentence
from thinkpane.ui.widgets.segmented import Segmented

_EDIT_WIDTH = 24


class StepRow(SettingRow):
    """A row for one step.

    Signals:
        switched(bool): a person turned it on or off.
        settings_asked(): a person wants to change its settings.
    """

    switched = Signal(bool)
    settings_asked = Signal()

    def __init__(self, step: Step) -> None:
        switch = Segmented(step.title, [("on", True), ("off", False)])
        super().__init__(step.title, switch, hint=step.summary)
        self.step = step
        self._switch = switch
        switch.chosen.connect(lambda on: self.switched.emit(on is True))
        self.label.setWordWrap(True)
        self.decision = sentence()
        self.decision.hide()
        self.column.addWidget(self.decision)
        if step.fields:
            edit = QToolButton()
            edit.setText("⋯")
            edit.setFixedWidth(_EDIT_WIDTH)
            edit.setProperty("kind", "flat")
            edit.setToolTip(plain_tip(f"Change what “{step.title}” goes by"))
            edit.setAccessibleName(f"Settings of {step.title}")
            edit.clicked.connect(self.settings_asked)
            self.line.insertWidget(1, edit)

    def show_state(self, on: bool, decision: str) -> None:
        """Whether it is on, and what it decided."""
        self._switch.set_value(on)
        self.decision.setText(decision)
        self.decision.setVisible(on and bool(decision))
