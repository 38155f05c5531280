"""What a screen reader is told of a place in a text beside its characters: line, role, special token."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QAccessible

from thinkpane.ui.widgets.text_accessible import announce, announce_caret
from thinkpane.ui.widgets.text_geometry import TextGeometry

if TYPE_CHECKING:
    from thinkpane.ui.widgets.text_view import TextView


@dataclass(frozen=True, slots=True)
class Spot:
    """A place. line: from 1; role: whose part it is, "" = nobody's; token: the special token there, "" = none."""

    line: int
    role: str
    token: str

    def words(self, lines: int) -> str:
        """All of it. lines: how many there are."""
        return ", ".join([f"Line {self.line:,} of {lines:,}", *self._more()])

    def words_after(self, before: "Spot | None") -> str:
        """What is other than before; "" where that is the line at most, which readers tell by themselves."""
        if before is None:
            return ", ".join(self._more())
        token = f"special token {self.token}" if self.token and self.token != before.token else ""
        role = (self.role or "no role") if self.role != before.role else ""
        return ", ".join(each for each in (role, token) if each)

    def _more(self) -> list[str]:
        return [each for each in (self.role, f"special token {self.token}" if self.token else "") if each]


def spot(geometry: TextGeometry, position: int) -> Spot:
    """What is at a position; the text's end is what its last character is."""
    text = geometry.lines.text
    mark = geometry.marks.at(min(position, len(text) - 1))
    token = text[mark.start : mark.end] if mark is not None and mark.kind == "token" else ""
    return Spot(geometry.lines.line_number(position), mark.role if mark is not None else "", token)


class Speaker:
    """Tells screen readers where a view's caret is, and what begins there."""

    def __init__(self, view: "TextView") -> None:
        self._view = view
        self._last: Spot | None = None

    def caret_moved(self) -> None:
        """The caret or the selection is another one now; nothing is looked up where nobody listens."""
        if not QAccessible.isActive():
            return
        announce_caret(self._view)
        now = spot(self._view.rows, self._view.selection.caret)
        words = now.words_after(self._last)
        self._last = now
        if words:
            announce(self._view, words)


def words_at_caret(view: "TextView") -> str:
    """Line, role and special token at a view's caret."""
    return spot(view.rows, view.selection.caret).words(view.rows.lines.line_count())
