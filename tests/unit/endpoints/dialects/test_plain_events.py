"""Events that differ in their text alone are taken without being read; nobody can tell, however the bytes are cut."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.endpoints.dialects._api import DEFAULT_LIMITS, DecodeOptions, Limits
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.streaming.events import Event

TEXTS = st.lists(
    st.one_of(
        st.text(st.characters(codec="utf-8"), max_size=6),
        st.sampled_from((" word", '"', "\\", "\n", "\x7f", "é", "漢", "<think>", "</think>", "`", "", "[DONE]", "?")),
    ),
    max_size=14,
)
BETWEEN = st.sampled_from(
    (b"", b"", b"", b": ping\n\n", b"stray\n", b"event: x\n", b"data: [DONE]\n\n", b"\xff\n", b"\n", b"data: {}\n\n")
)


def event(text: str, name: str = "content", *, escaped: bool = True) -> bytes:
    value = {"id": "a", "model": "é", "choices": [{"index": 0, "delta": {name: text}, "finish_reason": None}]}
    return f"data: {json.dumps(value, ensure_ascii=escaped)}\n\n".encode()


def read(pieces: list[bytes], limits: Limits = DEFAULT_LIMITS) -> list[Event]:
    decoder = dialect_named("openai-chat").decoder(DecodeOptions(), limits)
    found = [each for piece in pieces for each in decoder.feed(piece)]
    return found + decoder.close()


@given(TEXTS, st.lists(BETWEEN, min_size=14, max_size=14), st.booleans(), st.sampled_from(("content", "reasoning")))
def test_event_by_event_reads_as_byte_by_byte(texts: list[str], between: list[bytes], escaped: bool, name: str) -> None:
    pieces = [event("first", name)]
    for text, other in zip(texts, between, strict=False):
        pieces += [other, event(text, name, escaped=escaped)] if other else [event(text, name, escaped=escaped)]
    body = b"".join(pieces)
    assert read(pieces) == read([body[at : at + 1] for at in range(len(body))]) == read([body])


def test_what_the_limit_of_an_event_is_for_is_refused_on_the_short_way_too() -> None:
    limits = Limits(event_bytes=400)
    pieces = [event("first"), event("second"), event("x" * 400), event("after")]
    told = [getattr(each, "problem", None) for each in read(pieces, limits)]
    assert [each.kind for each in told if each is not None] == ["limit"]


@pytest.mark.parametrize("broken", [b"data: caf\xe9\n\n", b": caf\xe9\n\ndata: \xff\n\n"])
def test_the_first_byte_that_is_no_utf8_is_counted_from_the_start(broken: bytes) -> None:
    before = [event("first"), event("second"), event("third")]
    words = [getattr(each, "message", "") for each in read([*before, broken])]
    offset = len(b"".join(before)) + min(broken.find(each) for each in (b"\xe9", b"\xff") if each in broken)
    assert any(f"after {offset:,} bytes" in each for each in words)
