"""Tokens as text for other programs."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.encoded import encoded
from thinkpane.errors import ThinkpaneError
from thinkpane.prompt import token_copy
from thinkpane.prompt.token_copy import ids_text, tokens_in, tokens_json, within
from thinkpane.prompt.token_service import Encoded


def parts_of(found: Encoded, start: int, end: int) -> tuple[list[int], dict[str, object]]:
    encoding, known = found.encoding, found.known
    assert encoding is not None
    assert known is not None
    first, last = tokens_in(encoding, start, end, lambda _text: None)
    ids = json.loads("".join(ids_text(encoding, first, last)))
    whole = json.loads(within(tokens_json(encoding, known, lambda _text: None, start, end), "They"))
    return ids, whole


def test_a_stretch_with_its_tokens_and_places() -> None:
    ids, whole = parts_of(encoded("<|im_start|>aé\ud800"), 5, 14)
    assert ids == [256, 97, 0xC3, 0xA9]
    assert whole == {
        "start": 5,
        "end": 14,
        "text": "start|>aé",
        "tokenizer": "bytes",
        "count": 4,
        "tokens": [
            {"id": 256, "piece": "<|im_start|>", "offsets": [0, 12], "special": True},
            {"id": 97, "piece": "a", "offsets": [12, 13], "special": False},
            {"id": 0xC3, "piece": "\\xc3", "offsets": [13, 14], "special": False, "bytes": "c3"},
            {"id": 0xA9, "piece": "\\xa9", "offsets": [13, 14], "special": False, "bytes": "a9"},
        ],
    }


def test_nothing_selected_has_no_tokens() -> None:
    assert parts_of(encoded("abc"), 1, 1) == (
        [],
        {"start": 1, "end": 1, "text": "", "tokenizer": "bytes", "count": 0, "tokens": []},
    )


@given(
    st.lists(st.sampled_from(["<|im_start|>", "<|im_end|>", "a", "é", "\n", '"', "\\", "😀", "\ud800", "<b>"])),
    st.data(),
)
def test_ids_and_json_agree_for_any_stretch_of_any_text(parts: list[str], data: st.DataObject) -> None:
    text = "".join(parts)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    found = encoded(text)
    ids, whole = parts_of(found, start, end)
    tokens = whole["tokens"]
    assert isinstance(tokens, list)
    assert ids == [each["id"] for each in tokens]
    assert whole["text"] == text[start:end]
    assert found.encoding is not None
    everything, _ = parts_of(found, 0, len(text))
    assert everything == list(found.encoding.ids)
    for each in tokens:
        first, last = each["offsets"]
        assert first < end
        assert last > start
        if not each.get("bytes"):
            assert text[first:last] == each["piece"]


def test_many_tokens_come_in_pieces_without_gaps() -> None:
    ids, whole = parts_of(encoded("abcdefg" * 1000), 0, 7000)
    assert ids == [*b"abcdefg"] * 1000
    assert whole["count"] == 7000


def test_what_is_too_much_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_copy, "MOST_BYTES", 2**20)
    made: list[int] = []

    def parts() -> object:
        for number in range(1000):
            made.append(number)
            yield "x" * 2**19

    with pytest.raises(ThinkpaneError) as raised:
        within(parts(), "Its tokens")  # type: ignore[arg-type]  # a generator is an iterator
    assert raised.value.problem.message == (
        "Its tokens take more than 1 MiB, which is too much for a clipboard: select less, or let "
        "“thinkpane tokens --json” write them."
    )
    assert len(made) == 3
