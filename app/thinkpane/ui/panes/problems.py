"""The problems: what is wrong with the template and the conversation, with its places and fixes."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QToolButton, QVBoxLayout, QWidget

from thinkpane.analysis.lint.findings import Finding, Fix
from thinkpane.errors import ThinkpaneError
from thinkpane.ui.context import Context
from thinkpane.ui.panes._api import Area
from thinkpane.ui.problems import Problems
from thinkpane.ui.widgets.calm_scroll_area import CalmScrollArea
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.problem_row import ProblemRow
from thinkpane.workspace.fixes import parts_of, with_fix

MOST_SHOWN = 100
_BEFORE = "Problems of the template and the conversation appear here while you type."
_NONE = "No problems found"


class ProblemsPane(QWidget):
    """Shows the feed's problems. Rows are filled anew in place, so that nothing flickers while a person types.

    Signals:
        counted(int): how many problems there are that are more than notes.
        span_chosen(int, int): characters [start, end) of the prompt are to be shown.
    """

    counted = Signal(int)
    span_chosen = Signal(int, int)

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setProperty("kind", "pane")
        self._context = context
        self._problems: Problems | None = None
        self.rows: list[ProblemRow] = []
        self.empty = plain_label(_BEFORE, "dim")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setContentsMargins(32, 32, 32, 32)
        self.notice = plain_label("", "error")
        self.more = plain_label("", "dim")
        for label in (self.empty, self.notice, self.more):
            label.setWordWrap(True)
        self.notes = QToolButton()
        self.notes.setCheckable(True)
        self.notes.setProperty("kind", "flat")
        self._lay_out()
        self.notes.toggled.connect(self._on_notes_toggled)
        context.problems.changed.connect(self._on_problems_changed)
        if context.problems.problems is not None:
            self._on_problems_changed(context.problems.problems)

    def _lay_out(self) -> None:
        inner = QWidget()
        inner.setProperty("kind", "pane")
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(12, 12, 12, 12)
        self._column.setSpacing(8)
        self._column.addWidget(self.notice)
        self._column.addWidget(self.empty)
        self._column.addWidget(self.more)
        self._column.addWidget(self.notes, 0, Qt.AlignmentFlag.AlignLeft)
        self._column.addStretch(1)
        area = CalmScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName("Problems")
        area.setWidget(inner)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(area)
        for each in (self.notice, self.more, self.notes):
            each.hide()

    def _on_problems_changed(self, problems: Problems) -> None:
        if self._problems is None or problems.findings != self._problems.findings:
            self.notice.hide()
        self._problems = problems
        self._show()
        self.counted.emit(problems.count)

    def _on_notes_toggled(self, _on: bool) -> None:
        self._show()

    def _show(self) -> None:
        if self._problems is None:
            return
        findings = self._problems.findings
        notes = len(findings) - self._problems.count
        shown = [each for each in findings if each.severity != "note" or self.notes.isChecked()]
        self.empty.setText(_NONE)
        self.empty.setVisible(not self._problems.count)
        self.notes.setText(f"{'Hide' if self.notes.isChecked() else 'Show'} {notes} note{'' if notes == 1 else 's'}")
        self.notes.setVisible(notes > 0)
        self.more.setText(f"… and {len(shown) - MOST_SHOWN} more")
        self.more.setVisible(len(shown) > MOST_SHOWN)
        shown = shown[:MOST_SHOWN]
        while len(self.rows) < len(shown):
            self._add_row()
        for row, finding in zip(self.rows, shown, strict=False):
            row.show_finding(finding, self._number(finding))
            row.fix.setEnabled(True)
            row.show()
        for row in self.rows[len(shown) :]:
            row.hide()

    def _add_row(self) -> None:
        row = ProblemRow()
        row.line_chosen.connect(self._context.links.template_line_chosen)
        row.message_chosen.connect(self._on_row_message_chosen)
        row.span_chosen.connect(self._on_row_span_chosen)
        row.fix_asked.connect(self._on_row_fix_asked)
        self._column.insertWidget(self._column.indexOf(self.more), row)
        self.rows.append(row)

    def _number(self, finding: Finding) -> int | None:
        """What the window calls the finding's message, None where it is none of the document's."""
        index = self._index(finding.message_index)
        return None if index is None else index + 1

    def _index(self, sent: int | None) -> int | None:
        if self._problems is None or sent is None:
            return None
        origins = self._problems.prompt.request_origins.messages
        return origins[sent] if sent < len(origins) else None

    def _on_row_message_chosen(self, sent: int) -> None:
        index = self._index(sent)
        if index is not None:
            self._context.links.message_chosen.emit(index)

    def _on_row_span_chosen(self, span: tuple[int, int]) -> None:
        self.span_chosen.emit(*span)

    def _on_row_fix_asked(self, fix: Fix) -> None:
        document, prompts = self._context.document, self._context.prompts
        if self._problems is None:
            return
        try:
            state = with_fix(document.state, fix, self._problems.prompt, prompts.original)
        except ThinkpaneError as error:
            self.notice.setText(error.problem.message)
            self.notice.show()
            return
        # Until the document is checked anew, the buttons belong to what it was: a second click is meant for this one.
        for row in self.rows:
            row.fix.setEnabled(False)
        document.change(state, parts_of(fix), "problems", fix.title)


class _ProblemsPane:
    id = "problems"
    title = "Problems"
    area: Area = "inspect"
    order = 40

    def build(self, context: Context) -> QWidget:
        return ProblemsPane(context)


PANE = _ProblemsPane()
