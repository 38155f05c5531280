"""What the template ignored, a sentence a line, and how much of the template ran."""

from collections.abc import Sequence

from PySide6.QtWidgets import QVBoxLayout, QWidget

from thinkpane.analysis.coverage import Coverage, dead_branches
from thinkpane.analysis.ignored import Ignored
from thinkpane.ui.widgets.section import sentence

_SHOWN = 12
"""Sentences; a long conversation full of unread fields says the rest as a number."""

_RUNS = 6
"""Runs of lines that never ran which are named."""


class IgnoredList(QWidget):
    """The sentences of one prompt. Without a trace it says that nothing is known yet."""

    def __init__(self) -> None:
        super().__init__()
        self.ignored = sentence("Known once the prompt is traced.")
        self.lines = sentence()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.ignored)
        column.addWidget(self.lines)
        self.lines.hide()

    def show_found(self, found: Sequence[Ignored], ran: Coverage | None, so_far: Coverage | None) -> None:
        """Shows what one prompt did not read. ran: None = not traced. so_far: the lines that ran for any prompt."""
        self.lines.setVisible(ran is not None)
        if ran is None:
            self.ignored.setText("Known once the prompt is traced.")
            return
        said = [each.text for each in found[:_SHOWN]]
        if len(found) > _SHOWN:
            said.append(f"and {len(found) - _SHOWN} more.")
        self.ignored.setText("\n".join(said) or "Nothing: all that was given was read.")
        self.lines.setText(_lines(ran, so_far or ran))


def _lines(ran: Coverage, so_far: Coverage) -> str:
    """How many lines ran, and which never did in any prompt."""
    words = f"{ran.words[:1].upper()}{ran.words[1:]}"
    if len(so_far.executed) > len(ran.executed):
        words += f", {len(so_far.executed)} by the prompts so far"
    dead = dead_branches([so_far])
    if not dead:
        return f"{words}."
    named = [str(first) if first == last else f"{first} to {last}" for first, last in dead[:_RUNS]]
    more = f" and {len(dead) - _RUNS} more places" if len(dead) > _RUNS else ""
    return f"{words}. Not reached so far: {', '.join(named)}{more}."
