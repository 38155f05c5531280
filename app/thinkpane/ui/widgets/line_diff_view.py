"""Shows the difference of two texts by lines: read-only, told by signs and words as well as by colour."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCharFormat, QTextFormat
from PySide6.QtWidgets import QTextEdit, QWidget

from thinkpane.formats.line_diff import DiffLine, counts, line_diff
from thinkpane.ui import theme
from thinkpane.ui.widgets.exact_text import ExactTextEdit

_SIGNS = {"same": "  ", "old": "− ", "new": "+ "}
_MOST_MARKED = 2000


class LineDiffView(ExactTextEdit):
    """What went and what came between two texts."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """name: what a screen reader calls it."""
        super().__init__(parent, most_lines=0)
        self._lines: list[DiffLine] = []
        self._starts: list[int] = []
        self.setReadOnly(True)
        self.setFont(theme.mono_font())
        self.setProperty("mono", True)
        self.setProperty("kind", "code")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(name)

    def compare(self, old: str, new: str) -> None:
        """Shows the difference of these texts."""
        self._lines = line_diff(old, new)
        pieces: list[str] = []
        self._starts = []
        place = 0
        for line in self._lines:
            self._starts.append(place)
            pieces.append(_shown(line))
            place += len(pieces[-1]) + 1
        self.set_text("\n".join(pieces))
        self._paint_marks()

    @property
    def words(self) -> str:
        """What it comes to, in words."""
        came, went = counts(self._lines)
        if not self._lines:
            return "The text is the original's."
        return f"{_counted(came)} added or changed, {went:,} removed or changed"

    def _selections(self) -> list[QTextEdit.ExtraSelection]:
        colours = theme.current()
        found: list[QTextEdit.ExtraSelection] = []
        for line, start in list(zip(self._lines, self._starts, strict=True))[:_MOST_MARKED]:
            look = QTextCharFormat()
            if line.kind == "gap":
                look.setForeground(colours.color(colours.dim))
                found.append(self._extra(start, start + len(_shown(line)), look))
            if line.kind not in ("old", "new"):
                continue
            colour = colours.bad if line.kind == "old" else colours.good
            look.setBackground(colours.color(colour, 0.13))
            look.setProperty(QTextFormat.Property.FullWidthSelection, True)
            found.append(self._extra(start, start, look))
            if line.changed is not None and line.changed[0] < line.changed[1]:
                strong = QTextCharFormat()
                strong.setBackground(colours.color(colour, 0.35))
                found.append(self._extra(start + 2 + line.changed[0], start + 2 + line.changed[1], strong))
        return found


def _shown(line: DiffLine) -> str:
    if line.kind == "gap":
        return f"⋯ {_counted(line.skipped)} the same"
    return _SIGNS[line.kind] + line.text


def _counted(lines: int) -> str:
    return f"{lines:,} line{'' if lines == 1 else 's'}"
