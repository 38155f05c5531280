"""The wire as text: nothing secret in it, and every byte that is text."""

from thinkpane.endpoints.connection import Via
from thinkpane.endpoints.dialects._api import HttpRequest, SecretHeader
from thinkpane.formats.json_values import JsonValue
from thinkpane.runs.wire import LONGEST_DATA_URL, WireEntry, request_text, response_text, said, shortened


def test_a_request_is_shown_with_its_secrets_masked() -> None:
    headers = (("Accept", "text/event-stream"), ("X-Api-Key", "canary"))
    request = HttpRequest("POST", "https://me:canary@a.example/v1?key=canary", headers, {"q": "Grüße"})
    assert request_text(request, has_key=True) == (
        "POST https://a.example/v1?key=***\nAccept: text/event-stream\nX-Api-Key: ***\nAuthorization: Bearer ***\n\n"
        '{\n  "q": "Grüße"\n}'
    )
    assert "Authorization" not in request_text(request, has_key=False)
    bare = HttpRequest("POST", "https://a.example", (), {}, SecretHeader("x-goog-api-key", ""))
    assert "x-goog-api-key: ***\n" in request_text(bare, has_key=True)


def test_a_response_is_shown_with_its_headers() -> None:
    assert response_text(429, {"retry-after": "7"}) == "HTTP 429\nretry-after: 7"
    by_proxy = Via("HTTP/2", "http://p:3128")
    assert response_text(200, {"a": "b"}, by_proxy) == "HTTP/2 200\n(through the proxy http://p:3128)\na: b"


def test_what_is_no_text_is_kept_and_shown_as_such() -> None:
    entry = WireEntry(1, "data", b"a\xff\xf0\x9f")
    assert (entry.data, entry.raw) == ("a\ufffd\ufffd", b"a\xff\xf0\x9f")
    assert said(2, "note", "half \ud800").data == "half \\ud800"


def test_pictures_and_files_are_cut_and_everything_else_is_whole() -> None:
    url, short, text = "data:image/png;base64," + "A" * 9_000, "data:text/plain,hi", "x" * 9_000
    body: JsonValue = {"messages": [{"content": [{"image_url": {"url": url}}, short, text, 1, None]}]}
    assert shortened(body) == {
        "messages": [{"content": [{"image_url": {"url": f"{url[:64]}… (9,022 characters)"}}, short, text, 1, None]}]
    }
    assert len(short) < LONGEST_DATA_URL < len(url)
