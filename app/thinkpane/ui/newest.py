"""Work beside the window of which only the newest counts: a thread that answers the last question after a pause."""

import logging
import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from thinkpane.engine.host import Ticket

_log = logging.getLogger(__name__)

PATIENCE = 2.0
"""Seconds that `close` waits for work that cannot be ended, such as a server's answer; it tells nothing any more."""

Question = TypeVar("Question")
Answer = TypeVar("Answer")


def let_it_end(_ticket: object) -> None:
    """The `cancel` of work that takes too little time to be worth ending."""


class Newest(Generic[Question, Answer]):
    """Answers questions in a thread of its own, the newest only; methods may be called from any thread.

    answer: works one out; it is given the question and a ticket, and gives None where there is nothing to tell. What it
    raises is logged, and nothing is told.
    tell: takes an answer, in this thread, at once. Who hands it on to another thread asks there whether it `is_newest`.
    cancel: ends the work that was started with a ticket.
    pause: seconds without a new question before work starts.
    """

    def __init__(
        self,
        name: str,
        answer: Callable[[Question, object], Answer | None],
        tell: Callable[[Answer], None],
        cancel: Callable[[object], None],
        pause: float,
    ) -> None:
        self._answer = answer
        self._tell = tell
        self._cancel = cancel
        self._pause = pause
        self._changed = threading.Condition()
        self._waiting: Question | None = None
        self._due = 0.0
        self._closed = False
        self._ticket = Ticket()
        self._told: Answer | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def ask(self, question: Question) -> None:
        """Puts a question in the place of all before it."""
        with self._changed:
            self._waiting, self._told = question, None
            self._due = time.monotonic() + self._pause
            self._changed.notify_all()
            ticket = self._ticket
        self._cancel(ticket)

    def drop(self) -> None:
        """Forgets the question that waits, and ends the work on the last one."""
        with self._changed:
            self._waiting = self._told = None
            ticket, self._ticket = self._ticket, Ticket()
        self._cancel(ticket)

    def is_newest(self, answer: Answer) -> bool:
        """Whether an answer that was told still counts: since then nothing was asked or dropped, and it is not closed.

        What was told by a queued signal may arrive after that.
        """
        with self._changed:
            return self._told is answer

    def close(self) -> None:
        """Ends the thread, or lets go of it after `PATIENCE`; nothing is told any more."""
        with self._changed:
            self._closed = True
            self._told = None
            self._changed.notify_all()
        end = time.monotonic() + PATIENCE
        while self._thread.is_alive() and time.monotonic() < end:
            self._cancel(self._ticket)
            self._thread.join(0.05)

    def _run(self) -> None:
        while (found := self._next()) is not None:
            question, ticket = found
            answer = self._worked_out(question, ticket)
            with self._changed:
                if self._closed:
                    return
                if answer is not None and self._waiting is None and ticket is self._ticket:
                    self._told = answer
                    # Here, so that nothing is told once `close` or `drop` returned.
                    self._tell(answer)

    def _worked_out(self, question: Question, ticket: object) -> Answer | None:
        try:
            return self._answer(question, ticket)
        except Exception:  # noqa: BLE001 - without its thread no later question would ever be answered
            _log.exception("a question of “%s” could not be answered", self._thread.name)
            return None

    def _next(self) -> tuple[Question, object] | None:
        with self._changed:
            while not self._closed and (self._waiting is None or (left := self._due - time.monotonic()) > 0):
                self._changed.wait(None if self._waiting is None else left)
            if self._closed or self._waiting is None:
                return None
            question, self._waiting = self._waiting, None
            self._ticket = Ticket()
            return question, self._ticket
