"""How a stream ends, by the same rule in every dialect: its own finish mark, [DONE], or neither."""

import json

import pytest

from support.encoded_replies import APIS, RAW_APIS, LogicalReply, encoded, unfinished
from support.wire_cases import decoded
from thinkpane.streaming.transcript import Transcript

LINES = ("ollama", "ollama-generate")
THOUGHT, SAID = ("Plan", " it."), ("Very", " good.")
CALL = (("id1", "f", '{"a": 1}'),)


def event(data: str, api: str) -> bytes:
    return (data + "\n" if api in LINES else f"data: {data}\n\n").encode()


def cut(api: str, reply: LogicalReply, *more: str) -> Transcript:
    """What is read of a reply without its finish mark, and of these events after it."""
    return decoded(api, unfinished(api, reply) + b"".join(event(each, api) for each in more))


@pytest.mark.parametrize("word", ["[DONE]", ' "[DONE]" ', "[DONE] "])
@pytest.mark.parametrize("api", APIS)
def test_done_ends_a_reply_that_had_text_and_says_that_no_reason_came(api: str, word: str) -> None:
    found = cut(api, LogicalReply(THOUGHT, SAID), word)
    assert found.problem is None
    assert found.is_clean
    assert (found.thinking.strip("\n"), found.answer.strip("\n"), found.finish) == ("Plan it.", "Very good.", "")
    assert [each.id for each in found.warnings] == ["no-finish-reason"]


@pytest.mark.parametrize("api", APIS)
def test_thinking_alone_is_text(api: str) -> None:
    found = cut(api, LogicalReply(THOUGHT, ()), "[DONE]")
    assert found.is_clean
    assert {each.id for each in found.warnings} >= {"no-finish-reason", "no-answer-only-thinking"}


@pytest.mark.parametrize("api", [api for api in APIS if api not in RAW_APIS])
def test_a_tool_call_alone_is_text(api: str) -> None:
    found = cut(api, LogicalReply((), (), CALL), "[DONE]")
    assert found.is_clean
    assert [(call.name, call.arguments) for call in found.tool_calls] == [("f", '{"a": 1}')]
    assert [each.id for each in found.warnings] == ["no-finish-reason"]


@pytest.mark.parametrize("api", APIS)
def test_without_done_it_is_cut_off(api: str) -> None:
    found = cut(api, LogicalReply(THOUGHT, SAID))
    assert found.problem is not None
    assert (found.problem.kind, found.is_clean) == ("incomplete", False)
    assert found.answer.strip("\n") == "Very good."


@pytest.mark.parametrize("before", [b"", b": on\n\n", b"\n\n"])
@pytest.mark.parametrize("api", APIS)
def test_done_with_nothing_is_no_reply(api: str, before: bytes) -> None:
    found = decoded(api, (b"" if api in LINES else before) + event("[DONE]", api))
    assert found.problem is not None
    assert found.problem.kind == "incomplete"


@pytest.mark.parametrize("api", APIS)
def test_done_after_a_beginning_that_says_nothing_is_no_reply(api: str) -> None:
    found = cut(api, LogicalReply((), ()), "[DONE]")
    assert found.problem is not None
    assert found.problem.kind == "incomplete"


@pytest.mark.parametrize("error", ['{"error": {"message": "no luck"}}', '{"error": "no luck"}'])
@pytest.mark.parametrize("reply", [LogicalReply((), ()), LogicalReply(THOUGHT, SAID)])
@pytest.mark.parametrize("api", APIS)
def test_done_after_an_error_does_not_mend_it(api: str, reply: LogicalReply, error: str) -> None:
    found = cut(api, reply, error, "[DONE]")
    assert found.problem is not None
    assert (found.problem.kind, found.is_clean) == ("server", False)
    assert "no luck" in found.problem.message


@pytest.mark.parametrize("api", APIS)
def test_done_after_the_finish_mark_adds_nothing(api: str) -> None:
    body = encoded(api, LogicalReply(THOUGHT, SAID))
    again = decoded(api, body + event("[DONE]", api))
    assert again.as_json() == decoded(api, body).as_json()
    assert again.warnings == []


@pytest.mark.parametrize("api", APIS)
def test_nothing_after_done_counts(api: str) -> None:
    more = encoded(api, LogicalReply((), ("More.",))).decode()
    body = unfinished(api, LogicalReply(THOUGHT, SAID)) + event("[DONE]", api) + more.encode()
    assert decoded(api, body).answer.strip("\n") == "Very good."


@pytest.mark.parametrize("api", APIS)
def test_a_whole_last_event_counts_without_its_blank_line(api: str) -> None:
    body = encoded(api, LogicalReply(THOUGHT, SAID))
    for end in (b"", b"\n", b"\r", b"\r\n"):
        found = decoded(api, body.rstrip(b"\n") + end)
        assert (found.is_clean, found.finish, found.answer.strip("\n")) == (True, "end", "Very good."), end
    done = unfinished(api, LogicalReply(THOUGHT, SAID)) + event("[DONE]", api).rstrip(b"\n")
    assert decoded(api, done).is_clean
    assert decoded(api, unfinished(api, LogicalReply((), SAID)).rstrip(b"\n")).answer.strip("\n") == "Very good."


@pytest.mark.parametrize("api", APIS)
def test_every_split_point_before_and_in_done_gives_the_same(api: str) -> None:
    body = unfinished(api, LogicalReply(("Plan",), ("é.",))) + event("[DONE]", api)
    whole = decoded(api, body).as_json()
    for cut_at in range(len(body)):
        assert decoded(api, body[:cut_at], rest=body[cut_at:]).as_json() == whole, cut_at


@pytest.mark.parametrize("reason", [None, ""])
def test_a_whole_message_without_a_reason_is_whole(reason: str | None) -> None:
    for stream in (True, False):
        body = {"choices": [{"index": 0, "message": {"content": "Hi"}, "finish_reason": reason}]}
        found = decoded("openai-chat", json.dumps(body).encode(), stream=stream)
        assert found.is_clean
        assert "no-finish-reason" in {each.id for each in found.warnings}
    for choices in ([], [{"index": 0, "delta": {"content": "Hi"}}], [{"index": 0, "message": {"content": ""}}]):
        found = decoded("openai-chat", json.dumps({"choices": choices}).encode())
        assert found.problem is not None
        assert found.problem.kind == "incomplete"
