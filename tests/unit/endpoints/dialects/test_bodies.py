"""A body is read for what it is: a stream, one JSON answer, bare JSON lines, a web page, nothing."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.wire_cases import chat, decoded, sse
from thinkpane.endpoints.dialects._api import DecodeOptions, Decoder, Limits
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.streaming.events import Event
from thinkpane.streaming.transcript import Transcript

ANSWER = {
    "id": "c1",
    "model": "m",
    "choices": [
        {
            "index": 0,
            "message": {
                "role": "assistant",
                "content": "<think>plan</think>4",
                "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
            },
            "finish_reason": "tool_calls",
        }
    ],
    "usage": {"total_tokens": 3},
}


def read(body: bytes, *, stream: bool = True) -> Transcript:
    return decoded("openai-chat", body, stream=stream)


def warned(transcript: Transcript) -> set[str]:
    return {each.id for each in transcript.warnings}


def kind(transcript: Transcript) -> str:
    return transcript.problem.kind if transcript.problem else ""


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("before", [b"", b"\n\n \r\n", b"\xef\xbb\xbf"])
def test_one_json_answer(before: bytes, stream: bool) -> None:
    transcript = read(before + json.dumps(ANSWER, indent=1).encode(), stream=stream)
    assert (transcript.thinking, transcript.answer, transcript.finish) == ("plan", "4", "tool_calls")
    assert [(call.id, call.arguments) for call in transcript.tool_calls] == [("a", "{}")]
    assert transcript.usage == {"total_tokens": 3}
    assert transcript.is_clean
    assert ("not-streamed" in warned(transcript)) == stream


def test_a_stream_where_one_answer_was_asked_for() -> None:
    transcript = read(sse(chat({"content": "4"}, "stop"), "[DONE]"), stream=False)
    assert (transcript.answer, transcript.is_clean) == ("4", True)


def test_completions_answer_as_one_body() -> None:
    body = json.dumps({"choices": [{"index": 0, "text": "a</think>4", "finish_reason": "length"}]}).encode()
    transcript = decoded("openai-completions", body, stream=False)
    assert (transcript.thinking, transcript.answer, transcript.finish) == ("a", "4", "length")


@pytest.mark.parametrize("end", [b'{"choices": [{"index"', b"[DONE]\n"])
def test_bare_json_lines(end: bytes) -> None:
    lines = b"\n".join(json.dumps(each).encode() for each in (chat({"content": "4"}), chat(finish="stop")))
    transcript = read(lines + b"\n" + end)
    assert (transcript.answer, transcript.finish, transcript.is_clean) == ("4", "stop", True)
    assert "not-sse" in warned(transcript)


@pytest.mark.parametrize(
    "body", [b'{"choices":[{"message":{"content":"par', b'{\n "choices": [', b'["', b"{broken}", b'{"a":1}{']
)
@pytest.mark.parametrize("stream", [True, False])
def test_an_answer_cut_short(body: bytes, stream: bool) -> None:
    assert kind(read(body, stream=stream)) == "incomplete"


PAGES = [
    (b"<!doctype html><html><head><title>Sign in &amp; go</title></head></html>", "Sign in & go"),
    (b"\n<html><body><h1>It works</h1>", "It works"),
    (b"<?xml version='1.0'?><Error/>", ""),
    (b"upstream connect error", "upstream connect error"),
    (b"Not Found", "Not Found"),
    (b"data: Internal Server Error\n\n", "Internal Server Error"),
    (b'{"hello": 1, "model": "m"}', "hello"),
    (b"[1, 2]", "1, 2"),
    (b'"text"', "text"),
    (b"null", "null"),
]


@pytest.mark.parametrize(("body", "words"), PAGES)
def test_what_is_no_reply_is_said_to_be_none(body: bytes, words: str) -> None:
    transcript = read(body)
    assert kind(transcript) == "not_a_stream"
    assert transcript.problem is not None
    assert words in transcript.problem.message


@pytest.mark.parametrize(
    "body", [b"", b"\n\n", b": keep-alive\n\n:\n\n", b"\xef\xbb", b"dat", b"data: [DONE]\n\n", b"event: x"]
)
def test_nothing_is_incomplete(body: bytes) -> None:
    assert kind(read(body)) == "incomplete"


ERRORS = [
    ({"error": {"message": "no room", "type": "t", "param": "p", "code": None}}, "no room"),
    (
        {"error": {"code": 503, "message": "no room", "metadata": {"raw": '{"error":{"message":"GPU lost"}}'}}},
        "GPU lost",
    ),
    ({"error": {"code": "1302", "message": "no room"}}, "no room"),
    ({"error": "no room"}, "no room"),
    ({"error": {}}, "no reason"),
    ({"object": "error", "message": "no room", "code": 400}, "no room"),
    ({"type": "error", "error": {"type": "overloaded_error", "message": "no room"}}, "no room"),
    ({"type": "error", "code": "x", "message": "no room", "param": None}, "no room"),
    ({"message": "no room"}, "no room"),
    ({"detail": "no room"}, "no room"),
    ({"choices": [{"index": 0, "delta": {}, "error": {"message": "no room"}, "finish_reason": "error"}]}, "no room"),
    ({"choices": [], "x_groq": {"error": "no room"}}, "no room"),
]


@pytest.mark.parametrize(("error", "words"), ERRORS)
def test_errors_in_band_in_every_shape(error: dict[str, object], words: str) -> None:
    for body in (sse(chat({"content": "x"}), error, "[DONE]"), sse(error), json.dumps(error).encode()):
        transcript = read(body)
        assert kind(transcript) == "server"
        assert transcript.problem is not None
        assert words in transcript.problem.message
        assert not transcript.is_clean
    assert read(sse(chat({"content": "x"}), error)).answer == "x"


def test_an_error_event_of_any_data() -> None:
    assert kind(read(b"event: error\ndata: it broke\n\n")) == "server"
    assert kind(read(b'event: error\ndata: {"message": "it broke"}\n\n')) == "server"


@pytest.mark.parametrize("value", [None, False, "", {}])
def test_an_error_key_that_says_nothing_is_none(value: object) -> None:
    transcript = read(sse(chat({"content": "4"}, "stop", error=value), "[DONE]"))
    assert (kind(transcript), transcript.answer) == ("", "4")


def test_details_of_an_error_are_for_scripts() -> None:
    transcript = read(sse({"error": {"message": "m", "type": "rate", "param": "n", "code": 429}}))
    assert transcript.problem is not None
    assert dict(transcript.problem.detail) == {
        "class": "rate_limit", "param": "n", "type": "rate", "code": 429, "status": 429,
    }  # fmt: skip


def test_events_that_are_no_json_are_told_and_do_not_end_the_reply() -> None:
    transcript = read(sse(chat({"content": "4"}), "oops", "42", chat(finish="stop")))
    assert (transcript.answer, transcript.is_clean) == ("4", True)
    assert "event-not-json" in warned(transcript)


def test_an_event_of_several_chunks() -> None:
    assert read(sse([chat({"content": "4"}), chat(finish="stop")])).answer == "4"


def test_deep_json_is_no_crash() -> None:
    assert kind(read(b"data: " + b"[" * 100_000 + b"\n\n")) == "not_a_stream"
    assert kind(read(b'{"a":' * 100_000)) == "incomplete"


def test_invalid_bytes_are_told() -> None:
    body = sse(chat({"content": "4"}), chat(finish="stop")).replace(b'"4"', b'"\xff"')
    transcript = read(body)
    assert transcript.answer == "\ufffd"
    assert "invalid-utf8" in warned(transcript)


def limited(body: bytes, limits: Limits) -> Transcript:
    transcript = Transcript()
    decoder = dialect_named("openai-chat").decoder(_options(), limits)
    for at in range(0, len(body), 50):
        transcript.apply_all(decoder.feed(body[at : at + 50]))
    transcript.apply_all(decoder.close())
    return transcript


def _options() -> DecodeOptions:
    return DecodeOptions()


def call(number: int) -> dict[str, object]:
    return chat({"tool_calls": [{"index": number, "id": str(number), "function": {"name": "f", "arguments": ""}}]})


LIMITED = [
    (sse(chat({"content": "before"}), chat({"content": "x" * 900})), Limits(event_bytes=500)),
    (sse(chat({"content": "before"}), *[chat({"content": "x" * 90})] * 10), Limits(block_bytes=500)),
    (sse(chat({"content": "before"}), *[chat({"reasoning": "r"}), chat({"content": "x"})] * 9), Limits(blocks=5)),
    (sse(chat({"content": "before"}), *map(call, range(9))), Limits(blocks=5)),
]


@pytest.mark.parametrize(("body", "limits"), LIMITED)
def test_limits_end_the_reading_and_keep_what_came(body: bytes, limits: Limits) -> None:
    transcript = limited(body, limits)
    assert kind(transcript) == "limit"
    assert transcript.answer.startswith("before")
    assert len(transcript.answer) <= 500
    assert len(transcript.blocks) <= 5
    assert not transcript.is_clean


def test_a_huge_json_answer_ends_the_reading() -> None:
    body = json.dumps({"choices": [{"message": {"content": "x" * 2000}}]}).encode()
    assert kind(limited(body, Limits(block_bytes=1000))) == "limit"


def events(decoder: Decoder, pieces: list[bytes]) -> list[Event]:
    return [event for piece in pieces for event in decoder.feed(piece)] + decoder.close()


DELTAS = st.lists(
    st.sampled_from(
        [
            chat({"content": "<think>"}),
            chat({"content": "</th"}),
            chat({"content": "ink>é\n"}),
            chat({"reasoning": "<think>r"}),
            chat({"reasoning_content": "r", "content": ""}),
            chat({"tool_calls": [{"index": 0, "function": {"name": "f", "arguments": "{"}}]}),
            chat(finish="stop"),
            {"error": "x"},
            {"choices": [], "usage": {"n": 1}},
            "[DONE]",
            "odd",
        ]
    ),
    max_size=7,
).map(lambda chunks: sse(*chunks))
BODIES = DELTAS | st.sampled_from([json.dumps(ANSWER).encode(), b"<html><title>x", b"oops", b"{", b"\n\n{}"])


@given(BODIES, st.sampled_from([b"", b"\n", b": ping\n\n", b"\xef\xbb\xbf"]), st.integers(0, 400), st.integers(1, 40))
def test_the_same_events_however_the_bytes_are_cut(body: bytes, before: bytes, end: int, size: int) -> None:
    body = (before + body)[: -end or None]
    dialect = dialect_named("openai-chat")
    whole = events(dialect.decoder(_options()), [body])
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    assert events(dialect.decoder(_options()), pieces) == whole
    assert events(dialect.decoder(_options()), [bytes([byte]) for byte in body]) == whole
