"""Places of tokens in changed texts are asked for without waiting, and worked out newest first."""

from array import array

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.prompt import token_places
from thinkpane.prompt.token_places import TokenPlaces
from thinkpane.prompt.tokenizer import Places, Tokens


class Desk:
    """Places by a tokenizer that takes each character for a token."""

    def __init__(self) -> None:
        self.calls = 0
        self.worked: list[str] = []
        self.places = TokenPlaces(self._wanted)

    def _wanted(self) -> None:
        self.calls += 1

    def tokens(self, text: str) -> Tokens:
        self.worked.append(text)
        if text == "broken":
            raise ThinkpaneError(Problem("tokenizer", "It has no tokens."))
        size = len(text)
        return Tokens(array("I", range(size)), array("I", range(size)), array("I", range(1, size + 1)))


def test_a_text_is_asked_for_once_and_then_known() -> None:
    desk = Desk()
    assert desk.places.ask("ab") is None
    assert desk.places.ask("ab") is None
    assert (desk.calls, desk.places.is_waiting) == (1, True)
    assert desk.places.work(desk.tokens)
    found = desk.places.ask("ab")
    assert found is not None
    assert [*found] == [(0, 1), (1, 2)]
    assert (desk.calls, desk.places.is_waiting, desk.places.work(desk.tokens)) == (1, False, False)


def test_what_is_seen_now_goes_before_what_was_seen_earlier() -> None:
    desk = Desk()
    for text in ("one", "two", "three"):
        desk.places.ask(text)
    while desk.places.work(desk.tokens):
        pass
    assert desk.worked == ["three", "two", "one"]


def test_a_text_that_cannot_be_encoded_is_not_tried_again() -> None:
    desk = Desk()
    desk.places.ask("broken")
    assert desk.places.work(desk.tokens)
    assert desk.places.ask("broken") is None
    assert (desk.calls, desk.places.is_waiting) == (1, False)


def test_another_tokenizer_knows_nothing_of_the_places_before() -> None:
    desk = Desk()
    desk.places.ask("ab")
    desk.places.work(desk.tokens)
    desk.places.ask("cd")

    def switched(text: str) -> Tokens:
        desk.places.forget()
        return desk.tokens(text)

    desk.places.work(switched)
    assert desk.places.ask("cd") is None
    assert desk.places.ask("ab") is None


def test_those_asked_for_first_are_dropped_when_there_are_too_many() -> None:
    desk = Desk()
    texts = [letter * (token_places.MOST_CHARACTERS // 2) for letter in "abc"]
    short = Tokens(array("I", [1]), array("I", [0]), array("I", [1]))
    for text in texts:
        desk.places.ask(text)
        desk.places.work(lambda _text: short)
    assert [desk.places.ask(text) is not None for text in texts] == [False, True, True]


def test_places_are_pairs_made_when_read() -> None:
    places = Places(array("I", [0, 1, 1]), array("I", [1, 3, 3]))
    assert len(places) == 3
    assert places[1] == (1, 3)
    assert places[1:] == [(1, 3), (1, 3)]
