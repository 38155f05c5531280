"""The template pane's line about what is wrong with the template, and the way to the place."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout

from thinkpane.errors import Problem
from thinkpane.ui.panes._prompt_words import problem_line
from thinkpane.ui.widgets.elided_label import ElidedLabel
from thinkpane.ui.widgets.flat_button import flat_button
from thinkpane.ui.widgets.plain_tip import plain_tip


class TemplateProblem(QFrame):
    """Hidden while nothing is wrong.

    Signals:
        place_asked(int, int): line and column of the fault, from 1, where a person wants to go.
    """

    place_asked = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        self._problem: Problem | None = None
        self.setProperty("kind", "problem")
        self.words = ElidedLabel("error")
        self.go_to = flat_button("Go to line", "Go to the line at fault")
        self.go_to.clicked.connect(self._on_go_to_clicked)
        line = QHBoxLayout(self)
        line.setContentsMargins(8, 4, 8, 4)
        line.addWidget(self.words, 1)
        line.addWidget(self.go_to, 0, Qt.AlignmentFlag.AlignTop)

    def show_problem(self, problem: Problem | None, unclosed: tuple[str, int] | None) -> None:
        """Shows a fault of the template; None: there is none. unclosed: the first block without an end, by its word and
        its line: Jinja tells of it where the text ends, a person looks where it begins."""
        self._problem = problem
        self.setVisible(problem is not None)
        if problem is None:
            return
        # The prompt pane tells the whole sentence; where room is short, the engine's own words tell most.
        own_words = problem.message.partition(": ")[2] or problem.message
        begun = f"The “{unclosed[0]}” of line {unclosed[1]} is never closed. " if unclosed is not None else ""
        self.words.set_whole(" ".join(f"{begun}{own_words}".split()))
        self.words.setToolTip(plain_tip(problem_line(problem)))
        self.go_to.setText(f"Go to line {problem.line}")
        self.go_to.setVisible(problem.line is not None)

    def _on_go_to_clicked(self) -> None:
        if self._problem is not None and self._problem.line is not None:
            self.place_asked.emit(self._problem.line, self._problem.column or 1)
