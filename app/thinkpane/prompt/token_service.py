"""Follows prompts with their tokens: in a thread of its own, the newest wins, joined ids are confirmed when idle."""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.prompt.prompt import Prompt
from thinkpane.prompt.server_tokenizer import ServerTokenizer
from thinkpane.prompt.shared_tokenizers import SharedTokenizers
from thinkpane.prompt.token_estimate import estimate
from thinkpane.prompt.token_places import TokenPlaces
from thinkpane.prompt.tokenizer import Description
from thinkpane.prompt.tokenizer_refs import Located, TokenSource, located, opened
from thinkpane.templates.reach import Reach
from thinkpane.tokens.encoding import Encoding
from thinkpane.tokens.ids import Ids
from thinkpane.tokens.incremental import IncrementalEncoder, one_segment

_log = logging.getLogger(__name__)

IDLE = 0.6
"""Seconds that a text must stand before its provisional ids are confirmed: encoding a huge segment takes as long."""

PATIENCE = 1.0
"""Seconds that `close` waits for a server; a child process ends at once."""

AGAIN = 20.0
"""Seconds after which a tokenizer that could not be found or reached is looked for again."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """A prompt's tokens. serial: the prompt's. title: the tokenizer's file or server.

    encoding: None where there is no tokenizer (problem is None then), or where it could not encode (problem says why).
    known: what the tokenizer is and holds (pieces, special ids); never None beside an encoding.
    estimated: about how many tokens the prompt has, where there is no encoding.
    """

    serial: int
    encoding: Encoding | None = None
    title: str = ""
    problem: Problem | None = None
    milliseconds: float = 0.0
    known: Description | None = None
    estimated: int = 0


class TokenService:
    """Encodes the newest prompt that was asked for.

    deliver: called from the service's thread; a provisional encoding is delivered at once, and again when confirmed.
    reach: how tokenizers on the network are reached; called in that thread, when one is needed.
    tokenizers: whom tokenizers are shared with.
    placed: called there when places that were asked for (`places`) are known, after all that were waiting.
    """

    def __init__(
        self,
        deliver: Callable[[Encoded], None],
        placed: Callable[[], None] = lambda: None,
        reach: Callable[[], Reach] | None = None,
        tokenizers: SharedTokenizers | None = None,
    ) -> None:
        self._deliver = deliver
        self._placed = placed
        self.places = TokenPlaces(self._wake)
        """Where tokens stand that do not spell their text; by the tokenizer of the last delivered prompt."""
        self._changed = threading.Condition()
        self._reach = reach
        self._tokenizers = tokenizers
        self._waiting: tuple[Prompt, str] | None = None
        self._closed = False
        self._open: tuple[str, TokenSource] | None = None
        self._missing: tuple[str, Problem, float] | None = None
        self._encoder: IncrementalEncoder | None = None
        self._thread = threading.Thread(target=self._run, name="tokens", daemon=True)
        self._thread.start()

    def ask(self, prompt: Prompt, ref: str) -> None:
        """Wants the tokens of `prompt` by the tokenizer that `ref` names (tokenizer_refs.py); "" = it has none.

        Returns at once.
        """
        with self._changed:
            self._waiting = prompt, ref
            self._changed.notify_all()

    def apart(self, pieces: Sequence[tuple[str, bool]]) -> list[Ids] | None:
        """The ids of pieces of a text (Tokenizer.apart) by the tokenizer of the last prompt; None where it has none.

        Waits, so never on the window's thread. Raises ThinkpaneError.
        """
        opened = self._open
        return opened[1].apart(pieces) if opened is not None else None

    def close(self) -> None:
        """Ends the thread and the tokenizer; nothing is delivered any more when it returns.

        A thread that still waits for a server after `PATIENCE` is let go of: it ends when that answers.
        """
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        end = time.monotonic() + PATIENCE
        while self._thread.is_alive() and time.monotonic() < end:
            if self._open is not None:
                self._open[1].close()
            self._thread.join(0.05)

    def _run(self) -> None:
        last = Encoded(0)
        while True:
            provisional = last.encoding is not None and last.encoding.provisional
            asked = self._next(IDLE if provisional else None)
            if self._is_over():
                break
            if asked is None and self._work_out_place():
                continue
            if asked is None and not provisional:
                continue
            last = self._confirmed(last) if asked is None else self._encoded(*asked)
            if not self._is_told(partial(self._deliver, last)):
                break
        if self._open is not None:
            self._open[1].close()

    def _work_out_place(self) -> bool:
        """Works out one of the places that were asked for, so that a newer prompt waits for one at most."""
        if self._open is None or not self.places.work(self._open[1].tokens):
            return False
        if not self.places.is_waiting:
            self._is_told(self._placed)
        return True

    def _is_told(self, tell: Callable[[], None]) -> bool:
        """Tells, so that nothing is told once `close` returned; False where it is over."""
        with self._changed:
            if not self._closed:
                tell()
            return not self._closed

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _is_over(self) -> bool:
        with self._changed:
            return self._closed

    def _next(self, seconds: float | None) -> tuple[Prompt, str] | None:
        """What is wanted; None where nothing was for as long, or only places are."""

        def is_wanted() -> bool:
            return self._closed or self._waiting is not None or (self._open is not None and self.places.is_waiting)

        with self._changed:
            self._changed.wait_for(is_wanted, seconds)
            asked, self._waiting = self._waiting, None
            return asked

    def _encoded(self, prompt: Prompt, ref: str) -> Encoded:
        start = time.monotonic()
        found = self._tried(prompt.serial, start, lambda: self._updated(prompt, ref))
        return found if found.encoding is not None else replace(found, estimated=estimate(prompt))

    def _confirmed(self, last: Encoded) -> Encoded:
        start = time.monotonic()
        return self._tried(last.serial, start, lambda: self._encoder.confirm() if self._encoder else None)

    def _tried(self, serial: int, start: float, act: Callable[[], Encoding | None]) -> Encoded:
        try:
            encoding = act()
        except ThinkpaneError as error:
            return Encoded(serial, None, self._title, error.problem)
        except Exception as error:  # noqa: BLE001 - without its thread no later prompt would have tokens
            _log.exception("a prompt could not be encoded")
            problem = Problem("internal", f"The prompt could not be encoded: {type(error).__name__}.")
            return Encoded(serial, None, self._title, problem)
        known = self._open[1].description if self._open is not None else None
        return Encoded(serial, encoding, self._title, None, (time.monotonic() - start) * 1000, known)

    @property
    def _title(self) -> str:
        return self._open[1].title if self._open is not None else ""

    def _updated(self, prompt: Prompt, ref: str) -> Encoding | None:
        self._use(ref)
        if self._open is None:
            return None
        source = self._open[1]
        if isinstance(source, ServerTokenizer):
            (ids,) = source.encode([prompt.text])
            return one_segment(prompt.text, ids, source.description.pieces.table)
        if self._encoder is None:
            self._encoder = IncrementalEncoder(source.description.cuts, source.description.pieces.table, source.encode)
        return self._encoder.update(prompt.text, prompt.earlier, prompt.change)

    def _use(self, ref: str) -> None:
        """Takes the tokenizer of the REF, and lets go of the one before."""
        if ref == (self._open[0] if self._open is not None else ""):
            return
        if self._open is not None:
            self._open[1].close()
        self._open = self._encoder = None
        self.places.forget()
        place = self._located(ref)
        if place is not None:
            self._open = ref, opened(place, self._reach, self._tokenizers)

    def _located(self, ref: str) -> Located | None:
        """Where the tokenizer is; what is not there, or not reached, is looked for again after a while only.

        Raises ThinkpaneError.
        """
        if self._missing is not None:
            missed, problem, since = self._missing
            if missed == ref and time.monotonic() - since < AGAIN:
                raise ThinkpaneError(problem)
        try:
            self._missing = None
            return located(ref, self._reach)
        except ThinkpaneError as fault:
            self._missing = ref, fault.problem, time.monotonic()
            raise
