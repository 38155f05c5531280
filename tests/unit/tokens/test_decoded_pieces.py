"""The bytes of ids that can only be made text again: found where they must be these, and never guessed."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.small_vocabularies import byte_pairs
from thinkpane.tokens.decoded_pieces import BROKEN, decoded_pieces, parted

VOCABULARY = byte_pairs(("<|end|>",))
PIECES = VOCABULARY.pieces()


def decode(lists: Sequence[Sequence[int]]) -> list[str]:
    """As a server does: what is no UTF-8 becomes U+FFFD."""
    return [b"".join(PIECES[id] for id in ids).decode("utf-8", "replace") for ids in lists]


def decode_without_first_space(lists: Sequence[Sequence[int]]) -> list[str]:
    """As decoders of SentencePiece vocabularies do."""
    return [text.removeprefix(" ") for text in decode(lists)]


@pytest.mark.parametrize(
    ("whole", "parts"),
    [
        ("🙂", [b"\xf0\x9f", b"\x99\x82"]),
        (" 🙂", [b" \xf0\x9f\x99", b"\x82"]),
        ("é日", [b"\xc3", b"\xa9\xe6\x97", b"\xa5"]),
        ("\ufffd", ["\ufffd".encode()]),
        ("a", [b"a"]),
    ],
)
def test_bytes_are_parted_as_their_parts_are_shown(whole: str, parts: list[bytes]) -> None:
    assert parted(whole.encode(), [part.decode("utf-8", "replace") for part in parts]) == parts


@pytest.mark.parametrize(
    ("whole", "shown"),
    [
        ("㌀㌁", ["\ufffd", "\ufffd\ufffd", "\ufffd", "\ufffd"]),  # 1, 2, 2 and 1 bytes, or 2, 2, 1 and 1
        ("🙂", ["x", "\ufffd"]),
        ("🙂", []),
    ],
)
def test_where_there_is_no_way_or_another_one_nothing_is_known(whole: str, shown: list[str]) -> None:
    assert parted(whole.encode(), shown) == []


@given(st.text(max_size=30))
def test_what_is_known_is_right(text: str) -> None:
    (ids,) = VOCABULARY.encode([f"the {text}"])
    found = decoded_pieces(ids, f"the {text}", decode, {})
    assert all(found[id] == PIECES[id] for id in found)


@pytest.mark.parametrize(
    "text", ["the 👩\u200d👩\u200d👧 cafe\u0301 日本語 <|end|>\r\n", "<|end|>", "🙂🙂 the", "\ufffd the"]
)
def test_usual_texts_are_known_whole(text: str) -> None:
    (ids,) = VOCABULARY.encode([text])
    assert decoded_pieces(ids, text, decode, {}) == {id: PIECES[id] for id in ids}


def test_a_space_that_the_decoder_takes_from_a_text_is_found() -> None:
    text = "the cat the the"
    (ids,) = VOCABULARY.encode([text])
    found = decoded_pieces(ids, text, decode_without_first_space, {})
    assert found == {id: PIECES[id] for id in ids}


def test_a_text_that_was_normalised_has_no_pieces() -> None:
    (ids,) = VOCABULARY.encode(["the cat"])
    assert decoded_pieces(ids, "THE CAT", decode, {}) == {}
    assert decoded_pieces(ids, "the cat", lambda _lists: [], {}) == {}


def test_only_what_is_not_known_is_asked_for() -> None:
    (ids,) = VOCABULARY.encode(["the cat"])
    (more,) = VOCABULARY.encode(["the cat~"])
    asked: list[int] = []

    def note(lists: Sequence[Sequence[int]]) -> list[str]:
        asked.extend(each[-1] for each in lists if len(each) == 2)
        return decode(lists)

    found = decoded_pieces(more, "the cat~", note, {id: PIECES[id] for id in ids})
    assert found == {id: PIECES[id] for id in more}
    assert set(asked) <= {*more} - {*ids}


def test_a_token_without_end_is_not_parted() -> None:
    shown = [BROKEN * 5_000] * 8
    assert parted(b"\xff" * 40_000, shown) == []
    assert parted(b"\xff" * 4, [BROKEN, BROKEN * 3]) == [b"\xff", b"\xff" * 3]
