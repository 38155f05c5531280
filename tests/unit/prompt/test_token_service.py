"""Prompts are followed with their tokens: by the tokenizer that is named, the newest first, faults told."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.edits import STEADY
from support.patience import PATIENCE
from support.small_vocabularies import byte_pairs
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.prompt import token_service
from thinkpane.prompt.prompt import Prompt
from thinkpane.prompt.token_service import Encoded, TokenService
from thinkpane.templates.reach import Reach, Reply
from thinkpane.tokens.vocabulary import Vocabulary


class Desk:
    """Takes what a service delivers."""

    def __init__(self, reach: Callable[[], Reach] | None = None) -> None:
        self.found: list[Encoded] = []
        self._changed = threading.Condition()
        self.service = TokenService(self._take, reach=reach)

    def _take(self, found: Encoded) -> None:
        with self._changed:
            self.found.append(found)
            self._changed.notify_all()

    def wait(self, serial: int, *, provisional: bool = False) -> Encoded:
        """The delivered one of this serial."""

        def there() -> Encoded | None:
            return next(
                (
                    each
                    for each in self.found
                    if each.serial == serial and bool(each.encoding and each.encoding.provisional) is provisional
                ),
                None,
            )

        with self._changed:
            assert self._changed.wait_for(there, PATIENCE)
            found = there()
        assert found is not None
        return found


@pytest.fixture
def desk() -> Iterator[Desk]:
    made = Desk()
    yield made
    made.service.close()


def model(folder: Path) -> tuple[Path, Vocabulary]:
    """A tokenizer's file, and what it holds."""
    vocabulary = byte_pairs(("<|im_start|>", "<|im_end|>"))
    file = folder / "tokenizer.json"
    vocabulary._tokenizer.save(str(file))
    return file, vocabulary


def test_the_tokenizer_that_is_named_encodes(desk: Desk, tmp_path: Path) -> None:
    file, vocabulary = model(tmp_path)
    for serial, text in enumerate(["<|im_start|>the<|im_end|>", "<|im_start|>the other<|im_end|>"]):
        desk.service.ask(Prompt(text, serial=serial), str(file))
        found = desk.wait(serial)
        assert found.title == "tokenizer.json"
        assert found.problem is None
        assert found.encoding is not None
        assert found.encoding.ids == vocabulary.encode([text])[0]


def test_joined_ids_are_confirmed_by_themselves(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_service, "IDLE", 0.01)
    file, vocabulary = model(tmp_path)
    text = "<|im_start|>" + "".join(STEADY) * 60
    desk.service.ask(Prompt(text, serial=1), str(file))
    desk.wait(1)
    text = text[:5000] + "the" + text[5000:]
    desk.service.ask(Prompt(text, serial=2), str(file))
    desk.wait(2, provisional=True)
    confirmed = desk.wait(2)
    assert confirmed.encoding is not None
    assert confirmed.encoding.ids == vocabulary.encode([text])[0]


def test_without_a_tokenizer_there_are_no_ids_and_no_fault(desk: Desk, tmp_path: Path) -> None:
    file, _ = model(tmp_path)
    desk.service.ask(Prompt("the", serial=1), str(file))
    assert desk.wait(1).encoding is not None
    for serial, ref in enumerate(["", "none"], 2):
        desk.service.ask(Prompt("the", serial=serial), ref)
        assert desk.wait(serial) == Encoded(serial, milliseconds=desk.wait(serial).milliseconds, estimated=1)


def test_a_tokenizer_that_is_nowhere_is_told(desk: Desk, tmp_path: Path) -> None:
    desk.service.ask(Prompt("the", serial=1), str(tmp_path / "elsewhere" / "a.jinja"))
    found = desk.wait(1)
    assert found.problem is not None
    assert found.problem.message.startswith("There is no file or folder “")


def test_a_tokenizer_that_is_not_reached_is_not_asked_for_at_each_key(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def reach() -> Reach:
        asked.append("network")
        raise ThinkpaneError(Problem("network", "There is no network."))

    desk = Desk(reach)
    try:
        for serial in (1, 2):
            desk.service.ask(Prompt("the" * serial, serial=serial), "hf:o/m")
            assert desk.wait(serial).problem == Problem("network", "There is no network.")
        assert len(asked) == 1
        monkeypatch.setattr(token_service, "AGAIN", 0.0)
        desk.service.ask(Prompt("the", serial=3), "hf:o/m")
        desk.wait(3)
        assert len(asked) == 2
    finally:
        desk.service.close()


def test_a_broken_tokenizer_is_told_and_the_next_one_works(desk: Desk, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "tokenizer.json").write_text("{}", encoding="utf-8")
    desk.service.ask(Prompt("the", serial=1), str(broken))
    found = desk.wait(1)
    assert found.encoding is None
    assert found.problem is not None
    assert "holds JSON, but no tokenizer" in found.problem.message
    file, _ = model(tmp_path)
    desk.service.ask(Prompt("the", serial=2), str(file))
    assert desk.wait(2).encoding is not None


def test_a_text_with_half_a_character_has_no_ids(desk: Desk, tmp_path: Path) -> None:
    file, _ = model(tmp_path)
    desk.service.ask(Prompt("\ud800", serial=1), str(file))
    found = desk.wait(1)
    assert found.encoding is None
    assert found.problem is not None
    assert "half of a surrogate pair" in found.problem.message
    desk.service.ask(Prompt("the", serial=2), str(file))
    assert desk.wait(2).encoding is not None


def test_nothing_comes_after_close(tmp_path: Path) -> None:
    desk = Desk()
    file, _ = model(tmp_path)
    desk.service.ask(Prompt("the", serial=1), str(file))
    desk.service.close()
    count = len(desk.found)
    desk.service.ask(Prompt("the other", serial=2), str(file))
    assert len(desk.found) == count


def test_a_server_that_does_not_answer_holds_no_close_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(token_service, "PATIENCE", 0.1)
    asked, may_answer = threading.Event(), threading.Event()

    def ask(*_: object, **_named: object) -> Reply:
        asked.set()
        may_answer.wait(PATIENCE)
        raise ThinkpaneError(Problem("network", "There is no such server."))

    desk = Desk(lambda: Reach(ask, tmp_path))
    desk.service.ask(Prompt("the", serial=1), "http://127.0.0.1:9")
    assert asked.wait(PATIENCE)
    closing = threading.Thread(target=desk.service.close)
    closing.start()
    closing.join(PATIENCE)
    is_closed = not closing.is_alive()
    may_answer.set()
    desk.service._thread.join(PATIENCE)
    assert is_closed
    assert not desk.service._thread.is_alive(), "it ends by itself then"
    assert desk.found == []
