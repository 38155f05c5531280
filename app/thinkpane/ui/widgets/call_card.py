"""One tool call of a reply: name, arguments as they come, and a place to give its result."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats import strict_json
from thinkpane.streaming.blocks import ToolCall
from thinkpane.ui.models.text_steps import TextSteps
from thinkpane.ui.widgets.card_icons import IconButton
from thinkpane.ui.widgets.exact_text import ExactTextEdit
from thinkpane.ui.widgets.output_card import OutputCard, plain_label
from thinkpane.ui.widgets.text_marks import Mark
from thinkpane.ui.widgets.text_shown import shown
from thinkpane.ui.widgets.text_view import TextView, put_on_clipboard

MOST_ROWS = 14


class CallCard(OutputCard):
    """Shows one call.

    Signals:
        result_given(str): the result a person wrote for it.
        undo_requested, redo_requested: asked for in the result's field, where that has no step of its own.
    """

    result_given = Signal(str)
    undo_requested = Signal()
    redo_requested = Signal()

    def __init__(self, call: ToolCall) -> None:
        super().__init__(_name(call), "tool")
        self._call = call
        self._is_growing = True
        self._is_open = False
        self._is_given = False
        self._may_give = True
        self._steps = TextSteps()
        self.view = TextView("Arguments")
        self.view.set_ground("card")
        self.view.set_most_rows(MOST_ROWS)
        self.fault = plain_label("", "error")
        self.fault.setWordWrap(True)
        self.fault.hide()
        self.result = ExactTextEdit(most_lines=12)
        self.result.setAccessibleName("Result of the call")
        self.result.setPlaceholderText("What the tool answers")
        self.add_button = QPushButton("Result…")
        self.add_button.setToolTip("Write what the tool answers, to go on with it")
        self.give_button = QPushButton("Append call and result")
        copy = IconButton("duplicate", "Copy the arguments")
        copy.clicked.connect(self._on_copy_clicked)
        self.add_to_header(self.add_button)
        self.add_to_header(copy)
        self._row = QWidget()
        row = QHBoxLayout(self._row)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.result, 1)
        row.addWidget(self.give_button)
        self._row.hide()
        self.add_button.hide()
        for each in (self.view, self.fault, self._row):
            self.body.addWidget(each)
        self.add_button.clicked.connect(self._on_add_button_clicked)
        self.give_button.clicked.connect(self.give)
        self.result.edited.connect(self._steps.add)
        self.result.undo_requested.connect(self._on_result_undo_requested)
        self.result.redo_requested.connect(self.redo_requested)

    def take_over(self, call: ToolCall) -> bool:
        """Shows `call` from now on, where it is the same call read another time; whether it is."""
        known = self._call
        same = (call.id, call.name, call.arguments) == (known.id, known.name, known.arguments)
        if same:
            self._call = call
        return same

    @property
    def typed(self) -> str:
        """A result that is written and not given yet, "" where there is none."""
        return self.result.text if self._is_open and not self._is_given else ""

    def give(self) -> None:
        """Gives the result as it is written; `set_given` says what became of it."""
        self.result_given.emit(self.result.text)

    def set_given(self, *, given: bool, may_give: bool) -> None:
        """given: the conversation holds a result of this call; may_give: it takes one."""
        self._is_given, self._may_give = given, may_give
        if given or self.badge("result"):
            self.set_badge("result", "result appended" if given else "", "good")
        self._show_row()

    def _show_row(self) -> None:
        """A written result is shown wherever it is not in the conversation, so that it can be copied at least."""
        self._row.setVisible(self._is_open and not self._is_given)
        self.give_button.setEnabled(self._may_give)
        self.add_button.setVisible(not self._is_growing and not self._is_open and not self._is_given and self._may_give)

    def show_call(self, *, growing: bool) -> None:
        """Shows the call as it is now. growing: more of it may come; only then are its arguments judged."""
        call = self._call
        self.set_title(_name(call))
        self.set_badge("state", "arriving" if growing else "")
        self.set_badge("id", shown(call.id).text)
        self._is_growing = growing
        self._show_row()
        if growing:
            self.view.append(call.arguments[len(self.view.text) :])
            return
        text, problem = arguments_shown(call.arguments)
        self.view.set_text(text, fault_marks(text, problem))
        self.view.setVisible(bool(text))
        self.set_badge("empty", "" if text else "no arguments")
        self.fault.setVisible(problem is not None)
        if problem is not None:
            self.fault.setText(f"The arguments are no JSON; they stand as they came. {_reason(problem)}")

    def _on_copy_clicked(self) -> None:
        put_on_clipboard(self._call.arguments)

    def _on_add_button_clicked(self) -> None:
        self._is_open = True
        self._show_row()
        self.result.setFocus()

    def _on_result_undo_requested(self) -> None:
        if self._steps:
            self.result.set_text(self._steps.back())
        else:
            self.undo_requested.emit()


def arguments_shown(arguments: str) -> tuple[str, Problem | None]:
    """Arguments laid out where they are JSON; else as they came, and what is wrong. Blank ones are no fault."""
    if not arguments.strip():
        return arguments, None
    try:
        return strict_json.dump(strict_json.parse(arguments)), None
    except ThinkpaneError as fault:
        return arguments, fault.problem


def fault_marks(text: str, problem: Problem | None) -> list[Mark]:
    """A mark on the character at which the text stops being JSON; on the last one where it only breaks off."""
    if problem is None or problem.line is None or problem.column is None or not text:
        return []
    lines = text.split("\n")
    at = sum(len(line) + 1 for line in lines[: problem.line - 1]) + problem.column - 1
    at = max(0, min(at, len(text) - 1))
    return [Mark(at, at + 1, "token", "removed")]


def _reason(problem: Problem) -> str:
    """What is wrong, without saying again that it is no JSON."""
    reason = problem.message.removeprefix("Not JSON: ")
    return reason[:1].upper() + reason[1:]


def _name(call: ToolCall) -> str:
    return shown(call.name).text or "tool call"
