"""Every public stream case, three ways each: as it was cut, as one block, byte by byte."""

import json
from typing import Any

import pytest

from support.wire_cases import WAYS, WireCase, counted, wire_cases
from thinkpane.endpoints.dialects._registry import dialect_named
from thinkpane.streaming.transcript import Transcript


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("case", counted(wire_cases("stream")))
def test_stream_case(case: WireCase, way: str) -> None:
    decoder = dialect_named(case.input["format"]).decoder(case.options)
    transcript = Transcript()
    for chunk in case.chunks(way):
        transcript.apply_all(decoder.feed(chunk))
        for text in case.expect.get("never_shown", ()):
            assert text not in transcript.thinking + "\n" + transcript.answer
    transcript.apply_all(decoder.close())
    assert transcript.ended
    check(transcript, case.expect)


def check(transcript: Transcript, expect: dict[str, Any]) -> None:
    found = transcript.as_json()
    assert transcript.thinking.strip("\n") == expect["thinking"].strip("\n")
    assert transcript.answer.strip("\n") == expect["answer"].strip("\n")
    for name in ("finish", "usage", "redacted", "signatures"):
        assert found[name] == expect.get(name, found[name]), name
    assert set(expect.get("warn", ())) <= set(transcript.as_json()["warn"])  # type: ignore[call-overload]
    assert len(transcript.tool_calls) == len(expect["tool_calls"])
    for call, wanted in zip(transcript.tool_calls, expect["tool_calls"], strict=True):
        assert call.name == wanted["name"]
        assert wanted["id"] in (None, call.id)
        if "arguments" in wanted:
            assert call.arguments == wanted["arguments"]
        else:
            assert json.loads(call.arguments) == wanted["arguments_json"]
    problem = transcript.problem
    assert (problem.kind if problem else None) == expect.get("error_kind")
    assert transcript.is_clean == (problem is None)
    if problem:
        assert expect.get("error", "") in problem.message
