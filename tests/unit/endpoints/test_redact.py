"""Keys are taken out by their value, however they are spelled and wherever the bytes are cut."""

import base64
import json
from itertools import pairwise
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.endpoints.redact import (
    StreamRedactor,
    masked_headers,
    masked_url,
    redact,
    redacted_headers,
    spellings,
)
from thinkpane.endpoints.secret import Secret

KEY = 'sk-ca nary/+="\\4711'
SECRET = Secret(KEY, "http://a.example")
KEYS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=12, max_size=40)


@pytest.mark.parametrize(
    "spelled",
    [
        KEY,
        f"Bearer {KEY}",
        quote(KEY),
        quote(KEY, safe=""),
        quote_plus(KEY),
        json.dumps({"key": KEY}),
        json.dumps(KEY).replace("/", "\\/"),
        base64.b64encode(KEY.encode()).decode(),
        base64.urlsafe_b64encode(f"me:{KEY}".encode()).decode(),
    ],
)
def test_every_spelling_is_masked(spelled: str) -> None:
    found = redact(f"so: {spelled}.", [SECRET])
    assert "***" in found
    assert KEY[3:9] not in found
    assert quote(KEY)[3:9] not in found


@given(KEYS, st.binary(max_size=7), st.binary(max_size=7))
def test_base64_is_masked_at_any_offset(key: str, before: bytes, after: bytes) -> None:
    secret = Secret(key, "http://a.example")
    coded = base64.b64encode(before + secret.value.encode() + after).decode()
    found = redact(coded, [secret])
    assert "***" in found
    # At each side at most the two characters are left that hold bits of what stands around the key.
    assert len(found) <= len("***") + (len(before) * 4 + 2) // 3 + (len(after) * 4 + 2) // 3 + 8


@given(st.lists(st.one_of(st.text(max_size=6).map(str.encode), st.just(KEY.encode())), max_size=8), st.data())
def test_bytes_in_pieces_are_masked_as_a_whole(parts: list[bytes], data: st.DataObject) -> None:
    whole = b"".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=5)))
    redactor = StreamRedactor([SECRET])
    edges = [0, *cuts, len(whole)]
    found = b"".join(redactor.feed(whole[a:b]) for a, b in pairwise(edges)) + redactor.close()
    assert found == whole.replace(KEY.encode(), b"***")


def test_only_what_may_begin_a_key_is_held_back() -> None:
    redactor = StreamRedactor([SECRET])
    assert redactor.feed(b"data: hello\n\n") == b"data: hello\n\n"
    assert redactor.feed(b"data: sk-ca") == b"data: "
    assert redactor.feed(b"t\n\n") == b"sk-cat\n\n"
    assert redactor.close() == b""


def test_placeholders_are_left_alone_since_they_are_words() -> None:
    none = Secret("EMPTY", "http://a.example")
    assert redact("The list is EMPTY.", [none]) == "The list is EMPTY."
    assert spellings("EMPTY") == ()
    assert StreamRedactor([none]).feed(b"EMP") == b"EMP"


def test_headers_that_tell_of_keys_are_masked_and_keys_in_others() -> None:
    sent = masked_headers([("Authorization", "Bearer x"), ("X-Api-Key", "x"), ("Cookie", "x"), ("Accept", "text/html")])
    assert sent == {"Authorization": "***", "X-Api-Key": "***", "Cookie": "***", "Accept": "text/html"}
    came = redacted_headers({"set-cookie": "id=1", "x-echo": f"got {KEY}", "x-tokens-left": "5"}, [SECRET])
    assert came == {"set-cookie": "***", "x-echo": "got ***", "x-tokens-left": "5"}


def test_urls_lose_query_values_and_users() -> None:
    assert masked_url("https://me:pw@a.example:8/v1?key=abc&b") == "https://a.example:8/v1?key=***&b=***"
    assert masked_url("http://a.example/v1") == "http://a.example/v1"
