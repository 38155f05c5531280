"""Places of tokens in texts that a normaliser changed: asked for without waiting, worked out beside the window."""

import threading
from collections.abc import Callable, Sequence
from typing import Final

from thinkpane.errors import ThinkpaneError
from thinkpane.prompt.tokenizer import Places, Tokens
from thinkpane.tokens.encoding import Place

MOST_CHARACTERS: Final = 8_000_000
"""Characters of all texts whose places are kept."""


class TokenPlaces:
    """Keeps what was asked for last. All methods may be called from any thread, and only `work` waits.

    wanted: called, in the asking thread, where something new is to be worked out.
    """

    def __init__(self, wanted: Callable[[], None]) -> None:
        self._wanted = wanted
        self._lock = threading.Lock()
        self._known: dict[str, Places | None] = {}
        self._waiting: dict[str, None] = {}
        self._characters = 0

    def ask(self, text: str) -> Sequence[Place] | None:
        """The places of the tokens of `text` by itself; None while they are not known, also where they cannot be."""
        with self._lock:
            if text in self._known:
                found = self._known[text] = self._known.pop(text)
                return found
            fresh = text not in self._waiting
            self._waiting[text] = None
        if fresh:
            self._wanted()
        return None

    @property
    def is_waiting(self) -> bool:
        """True where something is to be worked out."""
        return bool(self._waiting)

    def work(self, tokens: Callable[[str], Tokens]) -> bool:
        """Works out one text, the one asked for last; False where there was none."""
        with self._lock:
            if not self._waiting:
                return False
            text = next(reversed(self._waiting))
        try:
            found = tokens(text).places
        except ThinkpaneError:
            # The prompt with this text is told the same fault; its tokens have no places of their own.
            found = None
        with self._lock:
            if self._waiting.pop(text, self) is None:
                self._keep(text, found)
        return True

    def forget(self) -> None:
        """Drops everything: another tokenizer has other places."""
        with self._lock:
            self._known.clear()
            self._waiting.clear()
            self._characters = 0

    def _keep(self, text: str, found: Places | None) -> None:
        self._known[text] = found
        self._characters += len(text)
        while self._characters > MOST_CHARACTERS and len(self._known) > 1:
            oldest = next(iter(self._known))
            self._characters -= len(oldest)
            del self._known[oldest]
