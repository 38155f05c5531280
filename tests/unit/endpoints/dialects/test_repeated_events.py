"""Events that differ in one text alone are not read anew each time; what comes of them must be the same anyhow."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.wire_cases import sse
from thinkpane.endpoints.dialects._api import DecodeOptions
from thinkpane.endpoints.dialects._openai_reply import OpenAIReply
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.formats.json_values import JsonObject
from thinkpane.streaming.events import Event

PIECES = st.sampled_from(
    ["a", " word", "\n", '"', "\\", "é", "<", "<think>", "</think>", "<thi", "nk>", "```", "`", "[", "content",
     "\u2028", "\x00", "\ud83d", "\ude00", "", "<|im_end|>", "~~~\n", "0", "null", "stop"]
)  # fmt: skip
FIELDS = st.sampled_from(["content", "content", "content", "reasoning_content", "reasoning", "both"])
ODD = st.sampled_from(
    [
        {"choices": [], "usage": {"n": 1}},
        {"choices": [{"index": 1, "delta": {"content": "other"}}]},
        {"choices": [{"index": 0, "delta": {"content": "x"}, "logprobs": {"content": []}}]},
        {"choices": [{"index": 0, "delta": {"content": [{"type": "text", "text": "p"}]}}]},
        {"choices": [{"index": 0, "delta": {"content": "y", "refusal": "no"}}]},
        {"id": "c", "choices": [{"index": 0, "delta": {"content": None}}]},
        {"error": {"message": "no luck"}},
    ]
)


def chunk(field: str, text: str) -> dict[str, Any]:
    delta = {"reasoning": text, "reasoning_content": text} if field == "both" else {field: text}
    return {"id": "c", "model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": None}], "usage": None}


def read(body: bytes, mode: str, channels: str) -> list[Event]:
    options = DecodeOptions(think_mode=mode, channels=channels)  # type: ignore[arg-type]  # drawn from what is allowed
    decoder = dialect_named("openai-chat").decoder(options)
    return [*decoder.feed(body), *decoder.close()]


@settings(max_examples=400, deadline=None)
@given(
    st.lists(st.tuples(FIELDS, PIECES).map(lambda drawn: chunk(*drawn)) | ODD, max_size=14),
    st.sampled_from(["leading", "anywhere"]),
    st.sampled_from(["", "", "harmony"]),
)
def test_the_short_way_gives_the_same(events: list[dict[str, Any]], mode: str, channels: str) -> None:
    body = sse(*events, chunk("content", "end"), {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    short = read(body, mode, channels)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(OpenAIReply, "plain", lambda self, value: None)  # noqa: ARG005 - as it is called
        patch.setattr("thinkpane.streaming.thinking.ThinkSplitter.passes", lambda self, text: False)  # noqa: ARG005
        assert read(body, mode, channels) == short


def test_only_the_first_of_many_is_read_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    whole: list[object] = []
    part = OpenAIReply.part

    def counted(self: OpenAIReply, value: JsonObject, name: str) -> None:
        whole.append(value)
        part(self, value, name)

    monkeypatch.setattr(OpenAIReply, "part", counted)
    events = read(sse(*(chunk("content", f"w{number} ") for number in range(500))), "leading", "")
    assert len(whole) < 5
    assert sum(type(event).__name__ == "AnswerDelta" for event in events) == 500
