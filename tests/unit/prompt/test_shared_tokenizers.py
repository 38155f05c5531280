"""Whoever encodes with one file shares its process: the prompt goes first, what is long goes to a second one.

The tokenizer here is made up: it gives each text's length, notes what it was asked, and waits where a test says so.
"""

import threading
import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from support.patience import PATIENCE
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.prompt.shared_tokenizers import BATCH, LONG, SharedTokenizer, SharedTokenizers
from thinkpane.prompt.tokenizer import Description, TokenPieces, Tokens
from thinkpane.tokens.ids import Ids

FILE = Path("tokenizer.json")


class MadeUp:
    """Stands in for a Tokenizer. asked: how many characters each job had. gate: jobs wait for it."""

    def __init__(self, path: Path) -> None:
        self.title = path.name
        self.description = Description("made up", (), {}, frozenset(), TokenPieces(b"", array("I", [0])))
        self.asked: list[int] = []
        self.gate = threading.Event()
        self.gate.set()
        self.at_work = threading.Event()
        self.closed = threading.Event()
        self.cancelled: list[object] = []

    def encode(self, texts: Sequence[str], owner: object = None) -> list[Ids]:
        self._work(sum(map(len, texts)), owner)
        return [array("I", [len(each)]) for each in texts]

    def apart(self, pieces: Sequence[tuple[str, bool]], owner: object = None) -> list[Ids]:
        return self.encode([text for text, _ in pieces], owner)

    def tokens(self, text: str, owner: object = None) -> Tokens:
        self._work(len(text), owner)
        return Tokens(array("I"), array("I"), array("I"))

    def cancel(self, owner: object) -> None:
        self.cancelled.append(owner)

    def close(self) -> None:
        self.closed.set()

    def _work(self, size: int, owner: object) -> None:
        if cast("Any", owner).cancelled:
            raise ThinkpaneError(Problem("cancelled", "The work was cancelled."))
        self.asked.append(size)
        self.at_work.set()
        assert self.gate.wait(PATIENCE)


class Shared:
    def __init__(self) -> None:
        self.loaded: list[MadeUp] = []
        self.holds_next = False
        self.long_is_loaded = threading.Event()
        self.all = SharedTokenizers(cast("Any", self._load), idle=0.01)
        self.prompt = self.all.open(FILE, first=True)
        self.other = self.all.open(FILE)

    def _load(self, path: Path) -> MadeUp:
        self.loaded.append(made := MadeUp(path))
        if self.holds_next:
            made.gate.clear()
            self.long_is_loaded.set()
        return made

    @property
    def main(self) -> MadeUp:
        return self.loaded[0]


@pytest.fixture
def shared() -> Iterator[Shared]:
    found = Shared()
    yield found
    for each in found.loaded:
        each.gate.set()
    found.prompt.close()
    found.other.close()


def beside(act: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=act)
    thread.start()
    return thread


def lengths(user: SharedTokenizer, *sizes: int) -> list[int]:
    return [ids[0] for ids in user.encode(["x" * size for size in sizes])]


def test_all_users_of_a_file_have_one_process(shared: Shared) -> None:
    assert lengths(shared.prompt, 1, 2) == [1, 2]
    assert lengths(shared.other, 3) == [3]
    third = shared.all.open(Path.cwd() / FILE)
    assert lengths(third, 4) == [4]
    assert len(shared.loaded) == 1
    third.close()
    shared.all.open(Path("another.gguf")).close()
    assert [each.closed.is_set() for each in shared.loaded] == [False, True]


def test_the_process_ends_with_its_last_user(shared: Shared) -> None:
    shared.prompt.close()
    shared.prompt.close()
    assert not shared.main.closed.is_set()
    assert lengths(shared.other, 3) == [3]
    shared.other.close()
    assert shared.main.closed.is_set()


def test_the_prompt_sends_all_at_once_and_others_batch_by_batch(shared: Shared) -> None:
    sizes = [BATCH // 2] * 5
    assert lengths(shared.prompt, *sizes) == sizes
    assert lengths(shared.other, *sizes) == sizes
    assert shared.main.asked == [sum(sizes), BATCH, BATCH, BATCH // 2]
    assert lengths(shared.other) == []


def test_the_prompt_goes_before_the_next_batch_of_others(shared: Shared) -> None:
    shared.main.gate.clear()
    others = beside(lambda: lengths(shared.other, BATCH, BATCH))
    assert shared.main.at_work.wait(PATIENCE)
    prompt = beside(lambda: lengths(shared.prompt, 7))
    turns = cast("Any", shared.prompt)._shared.turns
    never, end = threading.Event(), time.monotonic() + PATIENCE
    while not turns._firsts and time.monotonic() < end:
        never.wait(0.001)
    shared.main.gate.set()
    others.join(PATIENCE)
    prompt.join(PATIENCE)
    assert shared.main.asked == [BATCH, 7, BATCH]


def test_a_long_text_of_others_goes_to_a_second_process_that_ends_when_idle(shared: Shared) -> None:
    assert lengths(shared.other, 2, LONG + 1, 3) == [2, LONG + 1, 3]
    assert shared.main.asked == [2, 3]
    assert shared.loaded[1].asked == [LONG + 1]
    assert shared.loaded[1].closed.wait(PATIENCE)
    assert lengths(shared.other, LONG + 2) == [LONG + 2]
    assert len(shared.loaded) == 3


class Interrupted:
    """A lock that lets something happen as soon as it is free again, once."""

    def __init__(self, lock: threading.Lock, happens: Callable[[], object]) -> None:
        self._lock = lock
        self._happens: Callable[[], object] | None = happens

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_fault: object) -> None:
        self._lock.release()
        happens, self._happens = self._happens, None
        if happens is not None:
            happens()


def test_a_second_process_is_not_ended_under_a_job_that_begins_as_it_was_idle(shared: Shared) -> None:
    shared.all = SharedTokenizers(cast("Any", shared._load), idle=PATIENCE)
    user = shared.all.open(Path("long.json"))
    lengths(user, LONG + 1)
    aside, found = cast("Any", user)._shared.aside, list[bool]()

    def another_job() -> None:
        began = threading.Event()

        def work(tokenizer: MadeUp) -> None:
            began.set()
            assert ended.wait(PATIENCE)
            found.append(tokenizer.closed.is_set())

        threads.append(beside(lambda: aside.run(work)))
        assert began.wait(PATIENCE)

    threads, ended = list[threading.Thread](), threading.Event()
    aside._lock = Interrupted(aside._lock, another_job)
    aside._end_idle()
    ended.set()
    threads[0].join(PATIENCE)
    assert found == [False]
    user.close()


def test_a_long_text_of_others_does_not_hold_the_prompt_up(shared: Shared) -> None:
    shared.holds_next = True
    others = beside(lambda: lengths(shared.other, LONG + 1))
    assert shared.long_is_loaded.wait(PATIENCE)
    assert shared.loaded[1].at_work.wait(PATIENCE)
    assert lengths(shared.prompt, 7) == [7]
    assert shared.main.asked == [7]
    shared.loaded[1].gate.set()
    others.join(PATIENCE)


def test_a_closed_share_gives_nothing_and_others_go_on(shared: Shared) -> None:
    shared.other.close()
    with pytest.raises(ThinkpaneError) as caught:
        lengths(shared.other, 1)
    assert caught.value.problem.kind == "cancelled"
    assert shared.main.cancelled == []
    assert lengths(shared.prompt, 2) == [2]


def test_a_prompt_that_is_let_go_of_is_ended_at_work(shared: Shared) -> None:
    shared.prompt.close()
    assert len(shared.main.cancelled) == 1
    assert lengths(shared.other, 2) == [2]


def test_the_second_process_ends_with_whoever_has_work_in_it(shared: Shared) -> None:
    shared.all = SharedTokenizers(cast("Any", shared._load), idle=PATIENCE)
    user = shared.all.open(Path("long.json"))
    lengths(user, LONG + 1)
    user.close()
    aside = shared.loaded[-1]
    assert aside.asked == [LONG + 1]
    assert len(aside.cancelled) == 1
    assert aside.closed.is_set()


def test_all_give_what_they_are(shared: Shared) -> None:
    assert shared.prompt.description is shared.other.description
    assert shared.other.description.pieces.table is shared.prompt.description.pieces.table
    assert shared.prompt.title == shared.other.title == FILE.name
