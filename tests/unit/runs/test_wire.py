"""The wire as text: nothing secret in it, and every byte that is text."""

from hypothesis import given
from hypothesis import strategies as st

from thinkpane.endpoints.dialects._api import HttpRequest, SecretHeader
from thinkpane.runs.wire import WireText, request_text, response_text


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


@given(st.binary(max_size=60), st.integers(1, 5))
def test_bytes_read_the_same_however_they_are_cut(data: bytes, size: int) -> None:
    wire = WireText()
    text = "".join(wire.text(data[at : at + size]) for at in range(0, len(data), size)) + wire.close()
    assert text == data.decode("utf-8", "replace")
