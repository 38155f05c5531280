"""The text view beside Qt's own plain-text editor, on the same text in the same run: show, edit, scroll, stream.

Figures are medians of interleaved rounds, painting included, in milliseconds of the window's thread; `ratio` is Qt's
editor over the own view. An edit is the one thing that Qt's editor does faster: it splices
a tree, the view a str. `measure` is for the whole bench; run as a script (tests on the path), this prints a table.
"""

import random
from collections.abc import Callable
from statistics import median
from time import perf_counter

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget

from bench.corpus import prose
from bench.figures import Figure
from thinkpane.ui.widgets.text_view import TextView

ROUNDS = 5
DELTAS = 2_000
SIZES = {"32k tokens": 124_000, "1M tokens": 3_960_000}


def measure(application: QApplication) -> list[Figure]:
    """All comparisons."""
    view, editor = TextView("bench"), QPlainTextEdit()
    for widget in (view, editor):
        widget.resize(700, 800)
        widget.show()
    application.processEvents()
    found: list[Figure] = []
    for name, characters in SIZES.items():
        text = prose(random.Random(1), characters)
        found += [
            _compare(f"show {name}", _shower(view, text), _shower(editor, text)),
            _compare(f"edit {name}", lambda: _edit(view), lambda: _edit_in_qt(editor)),
            _compare(f"scroll {name}", lambda: _scroll(view), lambda: _scroll(editor)),
        ]
    found.append(_compare("stream 2,000 deltas, 17 a batch", lambda: _stream(view), lambda: _stream_in_qt(editor)))
    return found


def _compare(name: str, ours: Callable[[], None], theirs: Callable[[], None]) -> Figure:
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for kept, act in zip(times, (ours, theirs), strict=True):
            start = perf_counter()
            act()
            kept.append((perf_counter() - start) * 1000)
    return Figure(name, median(times[0]), median(times[1]))


def _shower(widget: TextView | QPlainTextEdit, text: str) -> Callable[[], None]:
    def show() -> None:
        if isinstance(widget, TextView):
            widget.set_text("")
            widget.set_text(text)
        else:
            widget.setPlainText(text)
        _paint(widget)

    return show


def _edit(view: TextView) -> None:
    at = len(view.text) // 2
    view.splice(at, at, "x")
    _paint(view)


def _edit_in_qt(editor: QPlainTextEdit) -> None:
    cursor = QTextCursor(editor.document())
    cursor.setPosition(editor.document().characterCount() // 2)
    cursor.insertText("x")
    _paint(editor)


def _scroll(widget: TextView | QPlainTextEdit) -> None:
    bar = widget.verticalScrollBar()
    for part in (0.1, 0.9, 0.5):
        bar.setValue(round(bar.maximum() * part))
        _paint(widget)


def _stream(view: TextView) -> None:
    view.set_text("")
    view.set_follow(True)
    for _ in range(DELTAS // 17):
        view.append("word " * 17)
        _paint(view)


def _stream_in_qt(editor: QPlainTextEdit) -> None:
    editor.setPlainText("")
    for _ in range(DELTAS // 17):
        cursor = QTextCursor(editor.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText("word " * 17)
        editor.verticalScrollBar().setValue(editor.verticalScrollBar().maximum())
        _paint(editor)


def _paint(widget: QWidget) -> None:
    QApplication.processEvents()
    if isinstance(widget, TextView | QPlainTextEdit):
        widget.viewport().repaint()


if __name__ == "__main__":
    for each in measure(QApplication([])):
        print(f"{each.name:32} ours {each.ours:8.2f} ms   QPlainTextEdit {each.theirs:8.2f} ms   {each.ratio:6.1f}x")
