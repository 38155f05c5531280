"""`thinkpane decode`: the object of docs/cli.md, streams and answers, one or many."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from support.wire_cases import chat, sse, wire_cases
from thinkpane.cli._api import Services
from thinkpane.cli.program import run

Decode = Callable[..., tuple[int, str, str]]
NOTHING_STARTS = cast("Services", None)
KEYS = ["thinking", "answer", "tool_calls", "finish", "thinking_blocks", "redacted", "signatures", "usage", "warn"]


@pytest.fixture
def decode(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Decode:
    def decode(body: bytes, *words: str, as_jsonl: bool = False) -> tuple[int, str, str]:
        path = tmp_path / "body"
        path.write_bytes(body)
        status = run(["decode", *(["--jsonl"] if as_jsonl else []), str(path), *words], NOTHING_STARTS)
        told = capsys.readouterr()
        return status, told.out, told.err

    return decode


def test_json_is_the_object_of_the_contract(decode: Decode) -> None:
    body = sse(chat({"content": "<think>plan</think>4"}), chat(finish="stop", usage={"total_tokens": 1}), "[DONE]")
    status, out, _ = decode(body, "--api", "openai-chat", "--json")
    found = json.loads(out)
    assert status == 0
    assert list(found) == KEYS
    assert (found["thinking"], found["answer"], found["thinking_blocks"]) == ("plan", "4", ["plan"])


def test_a_fault_is_in_the_object_and_in_the_status(decode: Decode) -> None:
    status, out, _ = decode(sse(chat({"content": "4"})), "--api", "openai-chat", "--json")
    assert status == 1
    assert json.loads(out)["error"]["kind"] == "incomplete"
    assert json.loads(out)["answer"] == "4"


def test_for_people_the_answer_is_the_output_and_the_rest_goes_beside(decode: Decode) -> None:
    calls = [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{"}}]
    body = sse(chat({"reasoning": "one\ntwo"}), chat({"content": "4"}), chat({"tool_calls": calls}))
    status, out, err = decode(body, "--api", "openai-chat")
    assert (status, out) == (1, "4\n")
    lines = err.splitlines()
    assert lines[:3] == ["thinking: one", "thinking: two", "tool call: f {"]
    assert lines[-1].startswith("thinkpane: The connection ended")


@pytest.mark.parametrize(
    ("text", "words", "thinking", "answer"),
    [
        ("a</think>4", ["--prompt-opens-thinking"], "a", "4"),
        ("x <think>a</think>", ["--think-mode", "anywhere"], "a", "x "),
        ("[T]a[/T]<U>b</U>4", ["--think-tag", "[T]", "[/T]", "--think-tag", "<U>", "</U>"], "ab", "4"),
        ("<|channel|>analysis<|message|>a<|end|>", ["--channels", "harmony"], "a", ""),
    ],
)
def test_options(decode: Decode, text: str, words: list[str], thinking: str, answer: str) -> None:
    body = sse({"choices": [{"index": 0, "text": text, "finish_reason": "stop"}]})
    _, out, _ = decode(body, "--api", "openai-completions", "--json", *words)
    found = json.loads(out)
    assert (found["thinking"], found["answer"]) == (thinking, answer)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["decode", "x", "--api", "nope"], "openai-completions"),
        (["decode", "--api", "openai-chat"], "FILE"),
        (["decode", "x", "--jsonl", "y"], "--jsonl"),
        (["decode", "x", "--api", "openai-chat", "--think-mode", "never"], "think-mode"),
    ],
)
def test_a_command_line_at_fault(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words, NOTHING_STARTS) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert said in told.err


def test_bytes_that_name_no_format_need_one(decode: Decode) -> None:
    status, out, told = decode(b"data: {}")
    assert (status, out) == (2, "")
    assert "--api" in told


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["decode", "/no/such", "--api", "openai-chat"], NOTHING_STARTS) == 1
    assert capsys.readouterr().err.count("\n") == 1


def lines(decode: Decode, *asked: dict[str, Any]) -> list[dict[str, Any]]:
    status, out, _ = decode("\n".join(map(json.dumps, asked)).encode(), as_jsonl=True)
    assert status == 0
    return [json.loads(line) for line in out.splitlines()]


def test_lines_answer_every_stream_case(decode: Decode) -> None:
    cases = wire_cases("stream")
    found = lines(decode, *({"id": case.name, **case.input} for case in cases))
    assert [each["id"] for each in found] == [case.name for case in cases]
    for each, case in zip(found, cases, strict=True):
        assert each["thinking"].strip("\n") == case.expect["thinking"].strip("\n")
        assert each["answer"].strip("\n") == case.expect["answer"].strip("\n")
        assert each["finish"] == case.expect["finish"]
        assert each.get("error", {}).get("kind") == case.expect.get("error_kind")


def test_lines_answer_every_response_case(decode: Decode) -> None:
    cases = [case for case in wire_cases("endpoint") if "response" in case.input]
    asked = ({"id": case.name, "format": case.input["api"], **case.input} for case in cases)
    for each, case in zip(lines(decode, *asked), cases, strict=True):
        for name in ("thinking", "answer", "finish"):
            assert each[name] == case.expect.get(name, each[name])
        assert set(case.expect.get("warnings", ())) <= set(each["warn"])
        assert each.get("error", {}).get("kind") == case.expect.get("error_kind")


def test_a_response_with_an_error_status(decode: Decode) -> None:
    response = {"status": 429, "headers": {"retry-after": "7"}, "body": {"error": {"message": "slow", "param": "n"}}}
    error = lines(decode, {"format": "openai-chat", "response": response})[0]["error"]
    assert (error["kind"], error["status"], error["retry_after"], error["param"]) == ("server", 429, 7.0, "n")
    assert "slow" in error["message"]


def test_an_answer_that_was_asked_for_whole_is_no_surprise(decode: Decode) -> None:
    body = json.dumps({"choices": [{"message": {"content": "4"}, "finish_reason": "stop"}]})
    asked = {"format": "openai-chat", "response": {"status": 200, "body": body}}
    streamed, whole = lines(decode, asked, asked | {"stream": False})
    assert (streamed["warn"], whole["warn"]) == (["not-streamed"], [])


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ({"chunks": []}, "format"),
        ({"format": "nope", "chunks": []}, None),
        ({"format": "openai-chat"}, "chunks"),
        ({"format": "openai-chat", "chunks": [1]}, "chunks"),
        ({"format": "openai-chat", "chunks": ["é\u2028"], "encoding": "latin-1"}, "chunks"),
        ({"format": "openai-chat", "chunks": [], "encoding": "utf-16"}, "encoding"),
        ({"format": "openai-chat", "chunks": [], "options": {"think_mode": "x"}}, "options.think_mode"),
        ({"format": "openai-chat", "chunks": [], "options": {"channels": "x"}}, "options.channels"),
        ({"format": "openai-chat", "chunks": [], "options": {"think_tags": [["a"]]}}, "options.think_tags"),
        ({"format": "openai-chat", "chunks": [], "options": {"think_tags": "x"}}, "options.think_tags"),
        ({"format": "openai-chat", "response": {"status": "x"}}, "response.status"),
    ],
)
def test_a_bad_line_says_what_and_the_rest_goes_on(decode: Decode, line: dict[str, Any], field: str | None) -> None:
    good = {"id": 2, "format": "openai-chat", "chunks": ["data: [DONE]\n\n"]}
    bad, after = lines(decode, {"id": 1, **line}, good)
    assert bad["id"] == 1
    assert bad["error"].get("field") == field
    assert after["error"]["kind"] == "incomplete"


def recording(*pieces: dict[str, Any], status: int = 200, end: object = "cut") -> bytes:
    lines: list[dict[str, Any]] = [
        {"thinkpane_transcript": 1, "title": "a run", "dialect": "openai-chat"},
        {"ms": 1, "status": status, "headers": {"Content-Type": "text/event-stream"}},
        *({"ms": 2, "text": f"data: {json.dumps(piece)}\n\n"} for piece in pieces),
    ]
    if end != "cut":
        lines.append({"ms": 3, "end": end})
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def delta(text: str, finish: str | None = None) -> dict[str, Any]:
    return {"choices": [{"delta": {"content": text}, "finish_reason": finish}]}


@pytest.mark.parametrize(
    ("source", "status", "answer", "said"),
    [
        (recording(delta("four", "stop"), end=None), 0, "four\n", ""),
        (recording(delta("fo")), 1, "fo\n", "ended after part"),
        (
            recording(delta("fo"), end={"kind": "network", "message": "The line went dead."}),
            1,
            "fo\n",
            "ended after part",
        ),
        (recording(status=429, end=None), 1, "", "429"),
    ],
    ids=["whole", "cut off", "broken", "refused"],
)
def test_a_runs_journal_is_read_by_the_format_it_names(
    decode: Decode, source: bytes, status: int, answer: str, said: str
) -> None:
    found = decode(source)
    assert (found[0], found[1]) == (status, answer)
    assert said in found[2]


def test_options_are_what_lines_do_not_say(decode: Decode) -> None:
    text = "data: " + json.dumps(delta("<t>x</t>y", "stop")) + "\n\n"
    asked = [{"chunks": [text]}, {"chunks": [text], "options": {"think_tags": [["<u>", "</u>"]]}}]
    data = "\n".join(map(json.dumps, asked)).encode()
    status, out, _ = decode(data, "--api", "openai-chat", "--think-tag", "<t>", "</t>", as_jsonl=True)
    answers = [json.loads(line)["answer"] for line in out.splitlines()]
    assert (status, answers) == (0, ["y", "<t>x</t>y"])
