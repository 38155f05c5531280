"""How full the context is, in words, with the reply that is asked for."""

import pytest

from thinkpane.templates.context_length import ContextLength
from thinkpane.ui.models.context_room import Room, asked_tokens

LENGTH = ContextLength(1000, "config.json")


@pytest.mark.parametrize(
    ("room", "tone", "words"),
    [
        (Room(31, False, 0, LENGTH), "", "3.1 % of 1,000"),
        (Room(31, True, 0, LENGTH), "", "≈ 3.1 % of 1,000"),
        (Room(310, False, 500, LENGTH), "", "31 % of 1,000, 81 % with 500 asked for"),
        (Room(310, False, 590, LENGTH), "warning", "31 % of 1,000, 90 % with 590 asked for"),
        (Room(900, False, 100, LENGTH), "warning", "90 % of 1,000, 100 % with 100 asked for"),
        (Room(900, False, 101, LENGTH), "bad", "1 token over the context of 1,000, with 101 asked for"),
        (Room(1001, False, 0, LENGTH), "bad", "1 token over the context of 1,000"),
    ],
)
def test_the_words_and_their_tone(room: Room, tone: str, words: str) -> None:
    assert (room.tone, room.words) == (tone, words)
    assert room.hint == "The context holds 1,000 tokens, by config.json."


def test_how_many_tokens_are_asked_for() -> None:
    assert asked_tokens({"max_tokens": 7}, "chat") == 7
    assert asked_tokens({"max_completion_tokens": 9}, "raw") == 9
    assert asked_tokens({"max_tokens": True}, "chat") == 0
    assert asked_tokens({}, "chat") == 0
    assert asked_tokens({}, "raw") > 0, "the raw path always sends a number"
