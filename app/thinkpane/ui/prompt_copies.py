"""The prompt or what is selected of it on the clipboard: as text, as ids, as JSON. What is long is made beside the
window."""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QMimeData, QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.prompt.prompt import Prompt
from thinkpane.prompt.token_copy import ids_text, tokens_in, tokens_json, within
from thinkpane.prompt.token_service import Encoded
from thinkpane.prompt.tokenizer import Description
from thinkpane.tokens.encoding import AskPlaces, Encoding
from thinkpane.ui.newest import Newest, let_it_end
from thinkpane.ui.prompt_copy import copy_prompt
from thinkpane.ui.widgets.text_view import TextView, put_on_clipboard

if TYPE_CHECKING:
    from thinkpane.ui.token_feed import TokenFeed

AT_ONCE: Final = 5_000
"""Tokens that are written within a few milliseconds, while the window waits."""


class _Wanted(NamedTuple):
    what: str
    make: Callable[[], bytes]


class PromptCopies(QObject):
    """Copies from the prompt's own string and its tokens; of what is selected, else of all.

    Signals:
        told(str): what was copied, or that it takes a moment.
        warned(object): a Problem: why nothing was copied, or what has to be known of what was.
    """

    told = Signal(str)
    warned = Signal(object)
    _made = Signal(object)

    def __init__(self, view: TextView, tokens: "TokenFeed") -> None:
        super().__init__(view)
        self._view = view
        self._tokens = tokens
        self._prompt = Prompt()
        self._work: Newest[_Wanted, tuple[str, bytes | Problem]] | None = None
        self._made.connect(self._on_work_made, Qt.ConnectionType.QueuedConnection)

    def show_prompt(self, prompt: Prompt) -> None:
        """Takes a prompt, after the view has its text."""
        self._prompt = prompt

    def copy_text(self) -> None:
        """Copies the characters, exactly."""
        self._drop()
        start, end = self._stretch()
        if (start, end) != (0, len(self._prompt.text)):
            put_on_clipboard(self._prompt.text[start:end])
        else:
            problem = copy_prompt(self._prompt)
            if problem is not None:
                self.warned.emit(problem)
        if end > start:
            self.told.emit(f"Copied {_many(end - start, 'character')}")

    def copy_ids(self) -> None:
        """Copies the ids of the tokens as a list."""
        encoding, _ = self._known()
        if encoding is not None:
            first, last = tokens_in(encoding, *self._stretch(), self._tokens.ask)
            self._copy(last - first, "id", lambda: within(ids_text(encoding, first, last), "These ids"))

    def copy_json(self) -> None:
        """Copies the tokens as JSON: id, piece, offsets, and whether it is special."""
        encoding, known = self._known()
        if encoding is not None and known is not None:
            stretch, ask = self._stretch(), self._tokens.ask
            first, last = tokens_in(encoding, *stretch, ask)
            make = _maker(encoding, known, ask, *stretch)
            self._copy(last - first, "token", make)

    def _copy(self, count: int, unit: str, make: Callable[[], bytes]) -> None:
        wanted = _Wanted(_many(count, unit), make)
        if count <= AT_ONCE:
            self._drop()
            self._take(*_done(wanted))
            return
        if self._work is None:
            self._work = Newest("copy", lambda asked, _ticket: _done(asked), self._tell, let_it_end, 0.0)
            self.destroyed.connect(self._work.close)
        self.told.emit(f"Copying {wanted.what}…")
        self._work.ask(wanted)

    def _drop(self) -> None:
        """What is copied now must not give way to what was asked for before."""
        if self._work is not None:
            self._work.drop()

    def _tell(self, made: tuple[str, bytes | Problem]) -> None:
        # The view may go while its last copy is made.
        with suppress(RuntimeError):
            self._made.emit(made)

    def _stretch(self) -> tuple[int, int]:
        at = self._view.selection
        return (at.start, at.end) if at.end > at.start else (0, len(self._prompt.text))

    def _known(self) -> tuple[Encoding | None, Description | None]:
        found = self._tokens.current
        if found is not None and found.encoding is not None and found.encoding.text == self._prompt.text:
            return found.encoding, found.known
        self.warned.emit(Problem("tokenizer", _why_not(found)))
        return None, None

    @Slot(object)
    def _on_work_made(self, made: tuple[str, bytes | Problem]) -> None:
        if self._work is not None and self._work.is_newest(made):
            self._take(*made)

    def _take(self, what: str, found: bytes | Problem) -> None:
        if isinstance(found, Problem):
            self.told.emit("")
            self.warned.emit(found)
            return
        data = QMimeData()
        # A text would be converted to UTF-16 and back while the window waits.
        data.setData("text/plain", found)
        QGuiApplication.clipboard().setMimeData(data)
        self.told.emit(f"Copied {what}")


def _maker(encoding: Encoding, known: Description, ask: AskPlaces, start: int, end: int) -> Callable[[], bytes]:
    return lambda: within(tokens_json(encoding, known, ask, start, end), "These tokens as JSON")


def _done(wanted: _Wanted) -> tuple[str, bytes | Problem]:
    try:
        return wanted.what, wanted.make()
    except ThinkpaneError as error:
        return wanted.what, error.problem


def _why_not(found: Encoded | None) -> str:
    if found is None:
        return "Nothing was copied, because the tokens are still being counted; try again in a moment."
    why = found.problem.message if found.problem is not None else "no tokenizer lies beside the template"
    return f"Nothing was copied, because the tokens are not known: {why.rstrip('.')}."


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
