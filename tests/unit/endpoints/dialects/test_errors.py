"""HTTP error answers in one sentence, with what a script needs beside it."""

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from thinkpane.endpoints.dialects._api import Dialect
from thinkpane.endpoints.dialects._registry import all_dialects

DIALECTS = all_dialects()
COLD = datetime(2026, 8, 18, 10, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
@pytest.mark.parametrize(
    ("status", "found"),
    [
        (400, "bad_request"),
        (401, "auth"),
        (402, "quota"),
        (403, "auth"),
        (404, "not_found"),
        (418, "bad_request"),
        (429, "rate_limit"),
        (500, "server"),
        (503, "overloaded"),
        (529, "overloaded"),
        (599, "server"),
    ],
)
def test_status_and_words_are_told(dialect: Dialect, status: int, found: str) -> None:
    problem = dialect.error(status, {}, b'{"error":{"message":"the reason"}}')
    assert problem.kind == "server"
    assert f"({status})" in problem.message
    assert problem.message.endswith("the reason")
    assert (problem.detail["status"], problem.detail["class"]) == (status, found)


def error(status: int, body: bytes, **headers: str) -> tuple[str, dict[str, object]]:
    problem = DIALECTS[0].error(status, {name.replace("_", "-"): text for name, text in headers.items()}, body)
    return problem.message, dict(problem.detail)


def test_param_type_and_code_are_kept() -> None:
    _, detail = error(400, b'{"error":{"message":"m","type":"invalid_request_error","param":"top_p","code":"bad"}}')
    assert (detail["param"], detail["type"], detail["code"]) == ("top_p", "invalid_request_error", "bad")


@pytest.mark.parametrize(
    "body",
    [
        b'{"error":{"message":"m","type":"exceed_context_size_error","n_ctx":2048}}',
        b'{"error":{"message":"This model\'s maximum context length is 4096 tokens"}}',
        b'{"error":{"message":"m","code":"context_length_exceeded"}}',
    ],
)
def test_a_full_context_is_its_own_class(body: bytes) -> None:
    assert error(400, body)[1]["class"] == "context_overflow"


def test_spent_money_is_its_own_class() -> None:
    assert error(429, b'{"error":{"message":"m","code":"insufficient_quota"}}')[1]["class"] == "quota"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry_After": "7"}, 7.0),
        ({"retry_after": " 2.5 "}, 2.5),
        ({"RETRY_AFTER": format_datetime(COLD + timedelta(seconds=30)), "date": format_datetime(COLD)}, 30.0),
        ({"Retry_After": format_datetime(COLD), "Date": format_datetime(COLD + timedelta(hours=1))}, 0.0),
        ({"retry_after_ms": "1500", "retry_after": "2"}, 1.5),
    ],
)
def test_retry_after_as_seconds_and_as_a_date(headers: dict[str, str], seconds: float) -> None:
    message, detail = error(429, b"", **headers)
    assert detail["retry_after"] == seconds
    assert f"wait {seconds:g} s" in message


def test_a_date_far_ahead_is_measured_from_now() -> None:
    message, detail = error(503, b"", Retry_After="Tue, 01 Jan 2065 00:00:00 GMT")
    assert isinstance(detail["retry_after"], float)
    assert detail["retry_after"] > 86_400
    assert " days" in message


@pytest.mark.parametrize(
    ("seconds", "words"),
    [("119.5", "119.5 s"), ("120", "2 min"), ("3600", "60 min"), ("7200", "2 h"), ("900000", "10 days")],
)
def test_a_long_wait_is_said_in_larger_units(seconds: str, words: str) -> None:
    assert f"wait {words}:" in error(429, b"", Retry_After=seconds)[0]


@pytest.mark.parametrize("text", ["soon", "", "-3", "9" * 400, "٣"])
def test_a_retry_after_of_no_meaning_is_none(text: str) -> None:
    assert "retry_after" not in error(429, b"", Retry_After=text)[1]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"<html><head><title>\n 404 &amp; gone </title></head></html>", "“404 & gone”"),
        (b"<html><body><h1>Bad gateway</h1></body></html>", "Bad gateway"),
        (b"\n\nplain words\nmore", "plain words"),
        (b"", "it said nothing more"),
        (b'{"detail":[{"loc":["body"],"msg":"field required"}]}', "field required"),
        (b'{"error":"text"}', "text"),
        (b'{"message":"text"}', "text"),
        (b'"text"', "text"),
        (b'{"error":{"code":"1302"}}', "1302"),
        (b"\xff\xfe", "\ufffd"),
    ],
)
def test_the_servers_own_words_in_any_shape(body: bytes, words: str) -> None:
    assert words in error(502, body)[0]


def test_a_long_page_is_cut_to_a_sentence() -> None:
    assert len(error(500, b"x" * 100_000)[0]) < 600


def test_a_redirect_names_its_target() -> None:
    message, detail = error(307, b"", Location="https://other.example/v1")
    assert "https://other.example/v1" in message
    assert detail["class"] == "redirect"


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        ("Assistant response prefill is incompatible with enable_thinking.", "raw path"),
        ("This model does not support assistant message prefill. The conversation must end.", "user message"),
        ("The reasoning_content in the thinking mode must be passed back to the API.", "earlier thinking"),
        ('"thinking.type.enabled" is not supported for this model. Use adaptive.', "effort"),
        ('"llama3" does not support thinking', "Say nothing"),
    ],
)
def test_known_refusals_come_with_advice_after_the_servers_words(words: str, advice: str) -> None:
    message = DIALECTS[0].error(400, {}, json.dumps({"error": {"message": words}}).encode()).message
    assert words.rstrip(".") in message
    assert advice in message.partition(words.rstrip("."))[2]
