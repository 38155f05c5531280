"""Every dialect and every fault of a reply's bytes: none is taken for a whole reply, and none loses what came."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from support.encoded_replies import APIS, RAW_APIS, LogicalReply, encoded, finish_mark
from thinkpane.endpoints.dialects._api import DecodeOptions
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.streaming.transcript import Transcript

LINES = ("ollama", "ollama-generate")
"""The dialects that stream a JSON value a line."""


@dataclass(frozen=True)
class Fault:
    """change: what becomes of a good reply's bytes. kind: the problem's, None where it stays whole. keeps: its text."""

    name: str
    change: Callable[[bytes, str], bytes]
    kind: str | None
    keeps: str = "all"


def last_event(body: bytes, api: str) -> int:
    """Where the event that holds the finish mark begins."""
    return body.rindex(b"\n", 0, body.index(finish_mark(api))) + 1


def without_end(body: bytes, api: str) -> bytes:
    return body[: last_event(body, api)]


def with_event(data: bytes, api: str) -> bytes:
    return data + b"\n" if api in LINES else b"data: " + data + b"\n\n"


def as_error(data: bytes) -> Callable[[bytes, str], bytes]:
    return lambda body, api: without_end(body, api) + b"\n\n" + with_event(data, api)


def wrapped(body: bytes, api: str) -> bytes:
    return body if api in LINES else body.replace(b"data: ", b"data: data: ")


def unparted(body: bytes, api: str) -> bytes:
    return body if api in LINES else body.replace(b"\n\n", b"\n")


FAULTS = (
    Fault("nothing is wrong", lambda body, _api: body, None),
    Fault("CRLF", lambda body, _api: body.replace(b"\n", b"\r\n"), None),
    Fault("CR", lambda body, _api: body.replace(b"\n", b"\r"), None),
    Fault("a byte order mark", lambda body, _api: b"\xef\xbb\xbf" + body, None),
    Fault("blank lines first", lambda body, _api: b"\n\n\n" + body, None),
    Fault("no end of line at the end", lambda body, _api: body.rstrip(b"\n"), None),
    Fault("comments between", lambda body, api: body if api in LINES else b": on\n\n" + body + b":\n\n", None),
    Fault("no space after data:", lambda body, _api: body.replace(b"data: ", b"data:"), None),
    Fault("unknown fields", lambda body, api: body if api in LINES else b"id: 7\nretry: 5\n\n" + body, None),
    Fault("an unknown event", lambda body, api: with_event(b'{"type": "news", "done": false}', api) + body, None),
    Fault("events wrapped twice", wrapped, None),
    Fault("bytes that are no UTF-8", lambda body, _api: body.replace(b"Plan", b"Pl\xffan"), None, keeps=""),
    Fault("cut before the finish mark", without_end, "incomplete"),
    Fault("cut within the last event", lambda body, api: body[: last_event(body, api) + 12], "incomplete"),
    Fault("an error object", as_error(b'{"error": {"message": "no luck", "code": 500}}'), "server"),
    Fault("an error as text", as_error(b'{"error": "no luck"}'), "server"),
    Fault("a flat error", as_error(b'{"object": "error", "message": "no luck", "code": 400}'), "server"),
    Fault("an error by its type", as_error(b'{"type": "error", "error": {"message": "no luck"}}'), "server"),
    Fault("a gateway's words", as_error(b'{"code": "1302", "msg": "no luck"}'), "server"),
    Fault("a detail", as_error(b'{"detail": "no luck"}'), "server"),
    Fault("several errors", as_error(b'{"errors": [{"message": "no luck"}]}'), "server"),
    Fault("MiniMax's words", as_error(b'{"base_resp": {"status_code": 1004, "status_msg": "no luck"}}'), "server"),
    Fault("nothing at all", lambda _body, _api: b"", "incomplete", keeps=""),
    Fault("only white space", lambda _body, _api: b"\n \n", "incomplete", keeps=""),
    Fault("only [DONE]", lambda _body, api: with_event(b"[DONE]", api), None, keeps="nothing"),
    Fault("a web page", lambda _body, _api: b"<html><title>Sign in</title></html>", "not_a_stream", keeps=""),
    Fault("plain words", lambda _body, _api: b"upstream connect error\n", "not_a_stream", keeps=""),
    Fault("another JSON", lambda _body, _api: b'{"hello": "there"}', "not_a_stream", keeps=""),
)
REPLY = LogicalReply(("Plan", " \U0001f600 it."), ("Ver", "y é good."))
PAIRS = [(api, fault) for api in APIS for fault in FAULTS]


@pytest.mark.parametrize("way", ["whole", "bytes"])
@pytest.mark.parametrize(
    ("api", "fault"),
    [pytest.param(*pair, id=f"{n} of {len(PAIRS)}: {pair[0]}, {pair[1].name}") for n, pair in enumerate(PAIRS, 1)],
)
def test_fault(api: str, fault: Fault, way: str) -> None:
    body = fault.change(encoded(api, REPLY), api)
    found = read(api, [body] if way == "whole" else [bytes([byte]) for byte in body])
    kind = found.problem.kind if found.problem else None
    if fault.keeps == "nothing" or (api in LINES and fault.name in ("another JSON", "plain words")):
        assert kind in ("incomplete", "not_a_stream")
    else:
        assert kind == fault.kind, found.problem
    assert found.is_clean == (kind is None)
    if fault.keeps == "all":
        assert found.thinking.strip("\n") == "".join(REPLY.thinking)
        assert found.answer.strip("\n") == "".join(REPLY.answer)
    if kind == "server":
        assert found.problem is not None
        assert "no luck" in found.problem.message


@pytest.mark.parametrize("api", APIS)
def test_every_cut_is_told(api: str) -> None:
    """A reply that ends at any byte before its finish mark is incomplete, and keeps all the text that had come."""
    body = encoded(api, REPLY)
    end = last_event(body, api)
    for cut in range(end):
        found = read(api, [body[:cut]])
        assert not found.is_clean
        assert found.problem is not None
        assert found.problem.kind == "incomplete"
        # A tag that was cut in two is all that the server said.
        assert found.answer == "<thi" or "".join(REPLY.answer).startswith(found.answer.strip("\n"))


@pytest.mark.parametrize("api", APIS)
def test_every_split_point_gives_the_same(api: str) -> None:
    calls = () if api in RAW_APIS else (("id1", "f", '{"é": [1, "\U0001f600"]}'), ("id2", "g", "{}"))
    body = encoded(api, LogicalReply(REPLY.thinking, REPLY.answer, calls))
    whole = read(api, [body]).as_json()
    for cut in range(len(body) + 1):
        assert read(api, [body[:cut], body[cut:]]).as_json() == whole, cut


@pytest.mark.parametrize("api", APIS)
def test_a_reply_in_another_format_is_named(api: str) -> None:
    for other in APIS:
        found = read(api, [encoded(other, REPLY)])
        if other == api or {api, other} in ({"openai-chat", "openai-completions"}, {"ollama", "ollama-generate"}):
            assert found.is_clean
        else:
            assert found.problem is not None, other
            assert found.problem.kind == "not_a_stream", other
            assert "format" in found.problem.message


def read(api: str, pieces: list[bytes]) -> Transcript:
    decoder = dialect_named(api).decoder(DecodeOptions())
    transcript = Transcript()
    for piece in pieces:
        transcript.apply_all(decoder.feed(piece))
    transcript.apply_all(decoder.close())
    assert transcript.ended
    return transcript
