"""Keys are taken out by their value, however they are spelled and wherever the bytes are cut."""

import base64
import html
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
)
from thinkpane.endpoints.secret import Password, Secret
from thinkpane.endpoints.spellings import Place

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
    assert redact("The list is EMPTY.", [none], "error") == "The list is EMPTY."
    assert StreamRedactor([none]).feed(b"EMP") == b"EMP"
    assert redact("Authorization: Bearer EMPTY", [none]) == "Authorization: ***"


WORD, MIXED, TINY = (Secret(value, "http://a.example") for value in ("apple", "pw12", "ab"))


@pytest.mark.parametrize(
    ("secret", "place", "text", "expected"),
    [
        (WORD, "reply", "An apple a day.", "An apple a day."),
        (WORD, "error", "Wrong key “apple”.", "Wrong key “***”."),
        (WORD, "error", "pineapple, apples", "pineapple, apples"),
        (WORD, "header", "apple", "***"),
        (WORD, "reply", "Bearer apple", "***"),
        (WORD, "error", base64.b64encode(b"me:apple").decode(), "bWU6***U="),
        (MIXED, "reply", "It says pw12.", "It says ***."),
        (MIXED, "reply", "spw12 pw123 pw12é pw12_", "spw12 pw123 pw12é pw12_"),
        (MIXED, "reply", '{"said":"so:\\npw12"}', '{"said":"so:\\n***"}'),
        (MIXED, "reply", "pw12", "***"),
        (MIXED, "reply", "“pw12”, «pw12», pw12…", "“***”, «***», ***…"),
        (TINY, "reply", "ab or Bearer abc", "ab or Bearer abc"),
        (TINY, "reply", "ab or Bearer ab", "ab or ***"),
        (TINY, "error", "a tab: ab at http://h/?key=ab&x=abc", "a tab: ab at http://h/?key***&x=abc"),
        (TINY, "header", "ab abc", "*** abc"),
    ],
)
def test_short_ones_are_masked_where_they_are_no_ordinary_words(
    secret: Secret, place: Place, text: str, expected: str
) -> None:
    assert redact(text, [secret], place) == expected


PASSWORDS = ["pä$$wört-über", "ключ", "naïf", "hunter", "pw12", "ab", "p/w+ü", "秘密の言葉"]


def basic(user: str, password: str, encoding: str = "utf-8") -> str:
    return base64.b64encode(f"{user}:{password}".encode(encoding)).decode()


@pytest.mark.parametrize("place", ["reply", "error", "header"])
@pytest.mark.parametrize("value", PASSWORDS)
def test_user_and_password_are_masked_in_every_spelling(value: str, place: Place) -> None:
    password = Password(value, "me")
    spelled = [
        f"me:{value}",
        f"http://me:{quote(value)}@proxy:8080",
        f"http://me:{quote(value, safe='').lower()}@proxy:8080",
        f"Proxy-Authorization: Basic {basic('me', value)}",
        json.dumps({"said": f"me:{value}"}),
        f"<p>me:{html.escape(value)}</p>",
    ]
    for each in spelled:
        found = redact(each, [password], place)
        assert "***" in found, each
        assert f":{value}" not in found
        assert quote(value) not in found.replace(value, "") or value.isascii()
        assert basic("me", value) not in found


@pytest.mark.parametrize("value", [each for each in PASSWORDS if len(each) > 3])
def test_a_password_alone_is_masked_where_a_proxy_refuses(value: str) -> None:
    for spelled in (value, quote(value), quote(value, safe=""), json.dumps(value), f"“{value}”", quote_plus(value)):
        assert value not in redact(f"wrong: {spelled}.", [Password(value, "me")], "error")
        assert "***" in redact(f"wrong: {spelled}.", [Password(value, "me")], "error")


def test_latin_1_is_masked_too() -> None:
    password = Password("naïf", "me")
    assert redact(basic("me", "naïf", "latin-1"), [password]) == "***"
    assert StreamRedactor([password], "error").feed("so naïf!".encode("latin-1")) == b"so ***!"
    assert redact(quote("naïf", encoding="latin-1"), [password], "error") == "***"


def test_words_of_a_reply_are_left_alone_beside_a_word_for_a_password() -> None:
    text = "The hunter hunted; 4711 is a number, ключ is a key."
    secrets = [Password(each, "me") for each in ("hunter", "4711", "ключ", "a", "is")]
    assert redact(text, secrets) == text


@given(st.lists(st.sampled_from([b"pw12", b"me:pw12@", b"x", b" ", b"\\n", b"me:", b"p"]), max_size=8), st.data())
def test_what_stands_alone_is_found_wherever_bytes_are_cut(parts: list[bytes], data: st.DataObject) -> None:
    whole = b"".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=5)))
    cut, uncut = StreamRedactor([Password("pw12", "me")]), StreamRedactor([Password("pw12", "me")])
    found = b"".join(cut.feed(whole[a:b]) for a, b in pairwise([0, *cuts, len(whole)])) + cut.close()
    assert found == uncut.feed(whole) + uncut.close()


def test_headers_that_tell_of_keys_are_masked_and_keys_in_others() -> None:
    sent = masked_headers([("Authorization", "Bearer x"), ("X-Api-Key", "x"), ("Cookie", "x"), ("Accept", "text/html")])
    assert sent == {"Authorization": "***", "X-Api-Key": "***", "Cookie": "***", "Accept": "text/html"}
    came = redacted_headers({"set-cookie": "id=1", "x-echo": f"got {KEY}", "x-tokens-left": "5"}, [SECRET])
    assert came == {"set-cookie": "***", "x-echo": "got ***", "x-tokens-left": "5"}


def test_urls_lose_query_values_and_users() -> None:
    assert masked_url("https://me:pw@a.example:8/v1?key=abc&b") == "https://a.example:8/v1?key=***&b=***"
    assert masked_url("http://a.example/v1") == "http://a.example/v1"
