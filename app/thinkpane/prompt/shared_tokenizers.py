"""One loaded vocabulary for everything in a window that encodes with it: the prompt at hand, differences, cache reuse.

A loaded vocabulary of 150,000 tokens has some 90 MB. So whoever encodes with a file shares one process, one job at a
time. The prompt at hand goes first; all others send their texts by `BATCH` characters, so that a keystroke waits for
one of those at most. One text cannot be parted, its tokens might be others: one of more than `LONG` goes to a second
process, which is ended when nothing was asked of it for `IDLE` seconds.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from thinkpane.engine.host import Ticket
from thinkpane.prompt.tokenizer import Description, Tokenizer, Tokens
from thinkpane.tokens.ids import Ids

BATCH: Final = 32_768
"""Code points of one job of what may wait: some 8,000 tokens, which take 10 to 20 ms."""

LONG: Final = 100_000
"""Code points from which one text goes to the second process: shorter ones take 60 ms at most."""

IDLE: Final = 20.0
"""Seconds that a second process is kept: a difference that follows typing asks it again and again."""

_Found = TypeVar("_Found")


class SharedTokenizers:
    """The tokenizers of one window. All methods may be called from any thread, and none waits."""

    def __init__(self, load: Callable[[Path], Tokenizer] = Tokenizer, idle: float = IDLE) -> None:
        """load: opens the tokenizer of a path. idle: as `IDLE`."""
        self._load = load
        self._idle = idle
        self._lock = threading.Lock()
        self._open: dict[Path, tuple[_Shared, int]] = {}

    def open(self, path: Path, *, first: bool = False) -> "SharedTokenizer":
        """The tokenizer of a path (as Tokenizer's), to be closed by whoever asked. first: its jobs go before others."""
        key = path.absolute()
        with self._lock:
            shared, users = self._open.get(key) or (_Shared(path, self._load, self._idle), 0)
            self._open[key] = shared, users + 1
        return SharedTokenizer(shared, first, lambda: self._let_go(key))

    def _let_go(self, key: Path) -> None:
        with self._lock:
            shared, users = self._open.pop(key)
            if users > 1:
                self._open[key] = shared, users - 1
        if users == 1:
            shared.close()


class SharedTokenizer:
    """One user's share of a tokenizer. Its methods wait, and raise ThinkpaneError as Tokenizer's do."""

    def __init__(self, shared: "_Shared", first: bool, let_go: Callable[[], None]) -> None:
        self._shared = shared
        self._first = first
        self._let_go = let_go
        self._ticket = Ticket()
        self._closing = threading.Lock()

    @property
    def title(self) -> str:
        """The tokenizer's name, for the window."""
        return self._shared.main.title

    @property
    def description(self) -> Description:
        """What it is and holds."""
        with self._shared.turns.turn(self._first):
            return self._shared.main.description

    def encode(self, texts: Sequence[str]) -> list[Ids]:
        """The ids of each text by itself."""
        if self._first:
            return self._at_once(lambda tokenizer: tokenizer.encode(texts, self._ticket))
        found: list[Ids] = []
        for batch in _batches(texts):
            found += self._beside(sum(map(len, batch)), partial(_encode, batch, self._ticket))
        return found

    def apart(self, pieces: Sequence[tuple[str, bool]]) -> list[Ids]:
        """The ids of each piece of one text, some of them plain text (tokens/apart.py); never before other jobs."""
        size = sum(len(text) for text, _ in pieces)
        return self._beside(size, lambda tokenizer: tokenizer.apart(pieces, self._ticket))

    def tokens(self, text: str) -> Tokens:
        """All of one text, with places."""
        if self._first:
            return self._at_once(lambda tokenizer: tokenizer.tokens(text, self._ticket))
        return self._beside(len(text), lambda tokenizer: tokenizer.tokens(text, self._ticket))

    def close(self) -> None:
        """Lets go of it; what it is asked for comes back with kind "cancelled", now and later. Others go on."""
        with self._closing:
            if self._ticket.cancelled:
                return
            # A job of what may wait is short; the process is not ended for it, because others would have to load it.
            self._ticket.cancelled = True
        if self._first:
            self._shared.main.cancel(self._ticket)
        self._shared.aside.cancel(self._ticket)
        self._let_go()

    def _at_once(self, act: Callable[[Tokenizer], _Found]) -> _Found:
        with self._shared.turns.turn(first=True):
            return act(self._shared.main)

    def _beside(self, size: int, act: Callable[[Tokenizer], _Found]) -> _Found:
        if size > LONG:
            return self._shared.aside.run(act)
        with self._shared.turns.turn(first=False):
            return act(self._shared.main)


class _Shared:
    """One file's process, whose turn it is to ask it, and the process for what is long."""

    def __init__(self, path: Path, load: Callable[[Path], Tokenizer], idle: float) -> None:
        self.main = load(path)
        self.turns = _Turns()
        self.aside = _Aside(partial(load, path), idle)

    def close(self) -> None:
        self.main.close()
        self.aside.close()


class _Turns:
    """Lets one in at a time, those who go first before all who do not."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._taken = False
        self._firsts = 0

    @contextmanager
    def turn(self, first: bool) -> Iterator[None]:
        with self._changed:
            self._firsts += first
            self._changed.wait_for(lambda: not self._taken and (first or not self._firsts))
            self._firsts -= first
            self._taken = True
        try:
            yield
        finally:
            with self._changed:
                self._taken = False
                self._changed.notify_all()


class _Aside:
    """A process that is started when it is needed, and ended when it was not for a while."""

    def __init__(self, load: Callable[[], Tokenizer], idle: float) -> None:
        self._load = load
        self._idle = idle
        self._lock = threading.Lock()
        self._tokenizer: Tokenizer | None = None
        self._users = 0
        self._timer: threading.Timer | None = None

    def run(self, act: Callable[[Tokenizer], _Found]) -> _Found:
        """What `act` gives with it; two at a time wait for one another (Tokenizer)."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            if self._tokenizer is None:
                self._tokenizer = self._load()
            tokenizer = self._tokenizer
            self._users += 1
        try:
            return act(tokenizer)
        finally:
            with self._lock:
                self._users -= 1
                if not self._users and self._tokenizer is not None:
                    self._timer = threading.Timer(self._idle, self._end_idle)
                    self._timer.daemon = True
                    self._timer.start()

    def cancel(self, owner: object) -> None:
        """Ends what was started with `owner`."""
        with self._lock:
            tokenizer = self._tokenizer
        if tokenizer is not None:
            tokenizer.cancel(owner)

    def close(self) -> None:
        """Ends it now."""
        self._end(even_busy=True)

    def _end_idle(self) -> None:
        self._end(even_busy=False)

    def _end(self, *, even_busy: bool) -> None:
        with self._lock:
            if self._users and not even_busy:
                return
            if self._timer is not None:
                self._timer.cancel()
            tokenizer, self._tokenizer = self._tokenizer, None
        if tokenizer is not None:
            tokenizer.close()


def _encode(texts: Sequence[str], owner: object, tokenizer: Tokenizer) -> list[Ids]:
    return tokenizer.encode(texts, owner)


def _batches(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """The texts in order, as many in a batch as have `BATCH` characters together; a longer one by itself."""
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and size + len(text) > BATCH:
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch
