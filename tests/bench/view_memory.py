"""What one view of a million shaded tokens takes: each side in a process of its own, which tells its growth in MB.

Run as `python -m bench.view_memory ours|qt`. The text is the corpus'; its tokens are of five characters, which is what
English has: the tokenizer and its arrays belong to neither view.
"""

import random
import subprocess
import sys
from pathlib import Path

from PySide6.QtGui import QColor, QSyntaxHighlighter, QTextCharFormat
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QPlainTextEdit

from bench.corpus import prose
from bench.figures import Figure
from thinkpane.ui.models.token_layer import Outline, Token, outline_of
from thinkpane.ui.widgets.text_view import TextView

CHARACTERS = 3_960_000
_EACH = 5
_SECONDS = 600


def measure() -> Figure:
    """Both sides, one after the other."""
    ours, theirs = _grown("ours"), _grown("qt")
    name = "memory of a view of 1M shaded tokens: QPlainTextEdit and QSyntaxHighlighter over ours"
    return Figure(name, ours, theirs, unit="MB", bound="at least", goal=4.0)


def _grown(side: str) -> float:
    command = [sys.executable, "-m", "bench.view_memory", side]
    found = subprocess.run(
        command, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=True, timeout=_SECONDS
    )
    return float(found.stdout)


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def main(side: str) -> None:
    """Prints the growth."""
    application = QApplication([])
    text = prose(random.Random(1), CHARACTERS)
    widget: QAbstractScrollArea
    if side == "ours":
        view = widget = TextView("bench")
        view.set_gutter(True)
        view.set_shaded(True)
    else:
        editor = widget = QPlainTextEdit()
        _Shades(editor.document())
    widget.resize(700, 800)
    widget.show()
    application.processEvents()
    before = _resident()
    if side == "ours":
        view.set_text(text)
        view.set_tokens(_Tokens())
    else:
        editor.setPlainText(text)
    application.processEvents()
    widget.viewport().repaint()
    print(_resident() - before, flush=True)


class _Tokens:
    def between(self, start: int, end: int) -> list[Token]:
        numbers = range(start // _EACH, -(-end // _EACH))
        return [Token(number, number, number * _EACH, (number + 1) * _EACH) for number in numbers]

    def outline(self, start: int, end: int) -> Outline:
        return outline_of(self.between(start, end), start)


class _Shades(QSyntaxHighlighter):
    def highlightBlock(self, text: str) -> None:
        looks = []
        for colour in ("#dde", "#eed"):
            look = QTextCharFormat()
            look.setBackground(QColor(colour))
            looks.append(look)
        for number in range(-(-len(text) // _EACH)):
            self.setFormat(number * _EACH, _EACH, looks[number % 2])


if __name__ == "__main__":
    main(sys.argv[1])
