"""The text view beside Qt's own widgets, on the same text in the same run: show, edit, scroll, stream, memory.

Figures are medians of interleaved rounds, painting included, in milliseconds of the window's thread; `ratio` is Qt's
widget over the own view. An edit is the one thing that Qt's editor does faster: it splices a tree, the view takes the
new text as a whole and finds what changed. `measure` is for the whole bench; run as a script (tests on the path), this
prints a table.
"""

import random
from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget

from bench import view_gaps, view_memory, view_pipeline
from bench.corpus import prose
from bench.figures import Figure, told
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
            _compare(f"edit {name}", _editor_of(view), lambda: _edit_in_qt(editor)),
            _compare(f"scroll {name}", lambda: _scroll(view), lambda: _scroll(editor)),
        ]
    found.append(_compare("stream 2,000 deltas, 17 a batch", lambda: _stream(view), lambda: _stream_in_qt(editor)))
    return [*found, *_shaded(), *view_gaps.measure(view), view_memory.measure()]


def _shaded() -> list[Figure]:
    """With every token shaded: a keystroke, the first show, the window's share, scrolling."""
    found = view_pipeline.bench()
    if found is None:
        return []
    try:
        return [*view_pipeline.measure(found), *_shares(found)]
    finally:
        found.view.close()
        found.editor.close()


def _shares(found: view_pipeline.Bench) -> list[Figure]:
    """The window's part of a keystroke at 1M tokens, where the edit is in sight, and scrolling there and at 32k."""
    scrolls: dict[str, float] = {}
    shares: list[float] = []
    for size in ("32k", "1M"):
        talk = view_pipeline.talk_of(size)
        found.shown(view_pipeline.rendered(talk))
        scrolls[size] = median(view_pipeline.timed(lambda: _scroll(found.view))[1] for _ in range(4 * ROUNDS))
        found.view.reveal(len(found.view.text) // 2)
        for number in range(2 * ROUNDS if size == "1M" else 0):
            talk = view_pipeline.typed(talk, number)
            text = view_pipeline.rendered(talk)
            cut = found.cut(text)
            found.encoded(cut)
            layer = found.layer()
            shares.append(view_pipeline.timed(partial(found.show, cut, layer))[1])
    return [
        Figure("the window's share of a keystroke at 1M, over 8 ms", median(shares), 8.0, bound="at most", goal=1.0),
        Figure("scrolling at 1M, over scrolling at 32k", scrolls["1M"], scrolls["32k"], bound="at most", goal=1.5),
    ]


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


def _editor_of(view: TextView) -> Callable[[], None]:
    """One character more in the middle; the new text is there already, as a render gives it."""
    at, texts = len(view.text) // 2, [view.text]
    for _ in range(ROUNDS):
        texts.append(texts[-1][:at] + "x" + texts[-1][at:])

    def edit() -> None:
        view.set_text(texts.pop(1))
        _paint(view)

    return edit


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
        print(told(each, 100))
