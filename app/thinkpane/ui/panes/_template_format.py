"""Formats a template beside the window, and takes the result only where it changes no prompt."""

import logging
import threading

from PySide6.QtCore import QObject, Qt, Signal, Slot

from thinkpane.analysis.same_prompts import difference
from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest
from thinkpane.errors import Problem, ThinkpaneError

_log = logging.getLogger(__name__)

DEADLINE = 10.0
"""Seconds that parsing, and the probe renders, may take each."""


class TemplateFormat(QObject):
    """One formatting at a time.

    Signals:
        done(str, str): the text that was given, and the formatted one that makes the same prompts.
        refused(str): why nothing was done.
    """

    done = Signal(str, str)
    refused = Signal(str)
    _worked = Signal(str, str, object)

    def __init__(self, engine: Engine, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        self._thread: threading.Thread | None = None
        self._worked.connect(self._on_thread_worked, Qt.ConnectionType.QueuedConnection)

    def start(self, text: str, request: RenderRequest | None) -> None:
        """Formats `text`; request: the conversation at hand, which must render the same, None = the probes alone."""
        if self._thread is not None:
            return
        requests = [request] if request is not None else []
        self._thread = threading.Thread(target=self._work, args=(text, requests), name="format", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends what is under way."""
        thread, self._thread = self._thread, None
        while thread is not None and thread.is_alive():
            self._engine.cancel(self)
            thread.join(0.05)

    def _work(self, text: str, requests: list[RenderRequest]) -> None:
        """In the thread; a worker indents, which takes seconds for half a megabyte, then comes the proof."""
        made, problem = text, None
        try:
            found = self._engine.job("format", {"source": text}, DEADLINE, self)["source"]
            made = text if found is None else str(found)
            if found is None:
                problem = Problem("template", "the template's tags do not match, so there is no depth to indent by.")
            elif made != text:
                problem = self._proof(text, made, requests)
        except ThinkpaneError as error:
            problem = error.problem
        except Exception as error:  # noqa: BLE001 - without an outcome nothing would ever be formatted again
            _log.exception("a format could not be proven")
            problem = Problem("internal", f"the proof ended in {type(error).__name__}.")
        if self._thread is not None:
            self._worked.emit(text, made, problem)

    def _proof(self, text: str, made: str, requests: list[RenderRequest]) -> Problem | None:
        """Why the formatted text may not take the place of the other; None where both make the same prompts."""
        return difference(
            text,
            made,
            requests,
            lambda name, payload: self._engine.job(name, payload, DEADLINE, self),
            lambda asked: self._engine.render_many(asked, DEADLINE, self),
        )

    @Slot(str, str, object)
    def _on_thread_worked(self, text: str, made: str, problem: Problem | None) -> None:
        self._thread = None
        if problem is None and made == text:
            self.refused.emit("The template is formatted already.")
        elif problem is None:
            self.done.emit(text, made)
        else:
            self.refused.emit(f"Not formatted: {problem.message}")
