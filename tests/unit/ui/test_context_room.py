"""How full the context is, in words, with the reply that is asked for."""

import pytest

from thinkpane.templates.context_length import ContextLength
from thinkpane.ui.models.context_room import Room, asked_tokens

LENGTH = ContextLength(1000, "max_position_embeddings", "config.json")


@pytest.mark.parametrize(
    ("room", "tone", "words"),
    [
        (Room(31, False, 0, LENGTH), "", "Context of 1,000 (config.json): 3.1 % taken"),
        (Room(31, True, 0, LENGTH), "", "Context of 1,000 (config.json): ≈ 3.1 % taken"),
        (Room(310, False, 500, LENGTH), "", "Context of 1,000 (config.json): 31 % taken, 81 % with 500 asked for"),
        (
            Room(310, False, 590, LENGTH),
            "warning",
            "Context of 1,000 (config.json): 31 % taken, 90 % with 590 asked for",
        ),
        (
            Room(900, False, 100, LENGTH),
            "warning",
            "Context of 1,000 (config.json): 90 % taken, 100 % with 100 asked for",
        ),
        (Room(900, False, 101, LENGTH), "bad", "Context of 1,000 (config.json): 1 token too many with 101 asked for"),
        (Room(1001, False, 0, LENGTH), "bad", "Context of 1,000 (config.json): 1 token too many"),
    ],
)
def test_the_words_and_their_tone(room: Room, tone: str, words: str) -> None:
    assert (room.tone, room.words) == (tone, words)
    assert room.hint == "The context holds 1,000 tokens, by max_position_embeddings in config.json."


def test_a_few_words_where_it_is_near_the_limit() -> None:
    assert Room(310, False, 590, LENGTH).short == "context 90 % full"
    assert Room(310, False, 691, LENGTH).short == "1 token over the context"
    assert Room(1310, True, 0, LENGTH).short == "310 tokens over the context"


def test_how_many_tokens_are_asked_for() -> None:
    assert asked_tokens({"max_tokens": 7}, "chat") == 7
    assert asked_tokens({"max_completion_tokens": 9}, "raw") == 9
    assert asked_tokens({"max_tokens": True}, "chat") == 0
    assert asked_tokens({}, "chat") == 0
    assert asked_tokens({}, "raw") > 0, "the raw path always sends a number"
