"""Finds in one view's text beside the window: short texts at once, long ones in a thread, expressions in a child."""

from contextlib import suppress
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal, Slot

from thinkpane.engine.finder import ExpressionFinder
from thinkpane.engine.host import Ticket
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.finding import Hits, Query, find_words
from thinkpane.ui.newest import Newest

AT_ONCE: Final = 65_536
"""Code points of a text in which plain words are found within a millisecond or two, while the window waits."""

_PAUSE = 0.06
"""Seconds without another key before a long search begins."""


class _Question(NamedTuple):
    text: str
    query: Query


class TextFinder(QObject):
    """Finds; only the newest question is answered.

    Signals:
        started(): a search goes on that takes a moment.
        found(object): the Hits of the newest question, in the window's thread.
    """

    started = Signal()
    found = Signal(object)
    _made = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._work: _Work | None = None
        self._asked: _Question | None = None
        self._made.connect(self._on_work_made, Qt.ConnectionType.QueuedConnection)

    def look(self, text: str, query: Query) -> None:
        """Asks for all hits of `query` in `text`; `found` comes before this returns where that is quick."""
        if not query.words or (not query.regex and len(text) <= AT_ONCE):
            self.stop()
            self.found.emit(find_words(text, query) if query.words else Hits())
            return
        self._asked = _Question(text, query)
        if self._work is None:
            self._work = _Work(self)
            self.destroyed.connect(self._work.close)
        self.started.emit()
        self._work.thread.ask(self._asked)

    def stop(self) -> None:
        """Forgets the question."""
        self._asked = None
        if self._work is not None:
            self._work.thread.drop()

    def tell(self, answer: tuple[_Question, Hits]) -> None:
        """Takes an answer from the thread."""
        # The view may go while its last search ends.
        with suppress(RuntimeError):
            self._made.emit(answer)

    @Slot(object)
    def _on_work_made(self, answer: tuple[_Question, Hits]) -> None:
        question, hits = answer
        if question is self._asked:
            self._asked = None
            self.found.emit(hits)


class _Work:
    """The thread and the child process of one view, which end with it; the process starts with the first expression."""

    def __init__(self, finder: TextFinder) -> None:
        self._expressions: ExpressionFinder | None = None
        self.thread: Newest[_Question, tuple[_Question, Hits]] = Newest(
            "find", self._answer, finder.tell, self._cancel, _PAUSE
        )

    def close(self) -> None:
        """Ends both."""
        self.thread.close()
        if self._expressions is not None:
            self._expressions.close()

    def _answer(self, question: _Question, ticket: object) -> tuple[_Question, Hits] | None:
        if not question.query.regex:
            return question, find_words(question.text, question.query, lambda: _is_overtaken(ticket))
        if self._expressions is None:
            self._expressions = ExpressionFinder()
        try:
            return question, self._expressions.find(question.text, question.query, ticket)
        except ThinkpaneError:
            # It was overtaken by a newer question's.
            return None

    def _cancel(self, ticket: object) -> None:
        if isinstance(ticket, Ticket):
            ticket.cancelled = True
        if self._expressions is not None:
            self._expressions.cancel(ticket)


def _is_overtaken(ticket: object) -> bool:
    return isinstance(ticket, Ticket) and ticket.cancelled
