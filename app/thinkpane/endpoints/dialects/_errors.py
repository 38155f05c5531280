"""One reader for every shape in which servers say that something went wrong (wire-format notes, section 11)."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from html import unescape

from thinkpane.endpoints.dialects._server_values import server_value
from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject, JsonValue

_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_SHOWN = 400
_WORDS = ("message", "msg", "detail", "error_msg", "errmsg", "title")
# More digits than any wait has are no number of seconds; hundreds of them would be infinite.
_SECONDS = re.compile(r"\d{1,12}(\.\d{1,9})?", re.ASCII)
_CONTEXT = re.compile(r"exceed_context_size|context_length_exceeded|context (length|size|window)|maximum context", re.I)
_QUOTA = re.compile(r"insufficient_quota|insufficient balance|billing|exceeded your current quota", re.I)
_MODERATION = re.compile(r"content_filter|moderation|content policy", re.I)
_BY_NAME = tuple(
    (name, re.compile(words, re.I))
    for name, words in (
        ("rate_limit", r"rate.?limit|too.?many.?requests|throttl"),
        ("overloaded", r"overloaded|unavailable"),
        ("auth", r"authenti|permission|invalid_api_key|unauthorized|forbidden"),
        ("not_found", r"not.?found"),
        ("timeout", r"timeout"),
        ("bad_request", r"invalid.?request|bad.?request|invalid.?(param|argument)"),
    )
)
"""What the kind of an error is called that comes without a status, in the middle of a stream."""
_BY_STATUS = {
    400: ("bad_request", "The server did not accept the request"),
    401: ("auth", "The server did not accept the key, or there is none"),
    402: ("quota", "The server wants payment first"),
    403: ("auth", "The server does not allow this with the key in use"),
    404: ("not_found", "The server has nothing at this address, or not this model"),
    405: ("bad_request", "The server does not take this kind of request at this address"),
    407: ("proxy_auth", "The proxy on the way wants a user name and a password"),
    408: ("timeout", "The server gave up waiting"),
    413: ("bad_request", "The request is too large for the server"),
    415: ("bad_request", "The server does not take this kind of request"),
    422: ("bad_request", "The server did not accept the request"),
    429: ("rate_limit", "Too many requests for the server, or nothing left to spend"),
    500: ("server", "The server failed"),
    501: ("bad_request", "The server cannot do this"),
    502: ("server", "A gateway could not reach the model server"),
    503: ("overloaded", "The server is not ready or overloaded"),
    504: ("timeout", "A gateway waited too long for the model server"),
    529: ("overloaded", "The server is overloaded"),
}


_ADVICE = tuple(
    (re.compile(words, re.I), advice)
    for words, advice in (
        (r"prefill is incompatible with enable_thinking", "Send it on the raw path, which continues any text."),
        (r"not support assistant message prefill", "End the conversation with a user message."),
        (r"reasoning_content.*must be passed back", "Send earlier thinking along with the history."),
        (r"thinking\.type\.enabled.*not supported", "Ask for an effort in place of a budget."),
        (r"does not support thinking", "Say nothing about thinking to this model."),
    )
)
"""What a person can do about refusals that are known (wire-format notes, sections 2.1, 5.6, 7.1 and 10)."""


def http_problem(status: int, headers: Mapping[str, str], body: bytes) -> Problem:
    """The one sentence for an HTTP answer that is no success (kind "server").

    detail: status, class, and where known param, type, code and retry_after (seconds).
    """
    text = body.decode("utf-8", "replace").lstrip("\ufeff")
    value = server_value(text)
    words = error_words(value) if value is not None else _page_words(text)
    named = {name.lower(): content for name, content in headers.items()}
    kind, sentence = _BY_STATUS.get(status, _other_status(status, named.get("location", "")))
    detail: dict[str, object] = {"status": status, "class": _class(kind, words + _field(value, "type", "code"))}
    detail |= _finer(value)
    retry_after = _retry_after(named)
    wait = ""
    if retry_after is not None:
        detail["retry_after"] = retry_after
        wait = f"; it asks to wait {_duration(retry_after)}"
    words = _with_advice(words or "it said nothing more")
    return Problem("server", f"{sentence} ({status}){wait}: {words}", detail=detail)


def in_band_problem(value: JsonObject, event: str = "") -> Problem | None:
    """The fault that one decoded event or body reports (kind "server"), None where it reports none."""
    error = value.get("error")
    status = value.get("base_resp")
    if isinstance(status, dict) and status.get("status_code"):
        return problem_from(status)  # MiniMax says it there, with HTTP 200
    is_error = bool(error) or "error" in (event, value.get("object"), value.get("type"))
    is_error = is_error or (error is not None and error is not False and not _says_something(value))
    if not is_error and not _says_something(value):
        is_error = "role" not in value and any(_is_said(value.get(name)) for name in _WORDS)
        is_error = is_error or bool(value.get("errors"))
    return problem_from(value) if is_error else None


def problem_from(value: JsonValue) -> Problem:
    """A fault (kind "server") in the server's own words, whatever shape they have."""
    words = error_words(value) or "it gave no reason"
    detail = {"class": _class("server", words + _field(value, "type", "code"))} | _finer(value)
    status = detail.get("status")
    if isinstance(status, int) and detail["class"] == "server":
        detail["class"] = _BY_STATUS.get(status, ("server", ""))[0]
    if detail["class"] == "server":
        named = _field(value, "type", "code")
        detail["class"] = next((name for name, words in _BY_NAME if words.search(named)), "server")
    return Problem("server", f"The server reported an error: {_with_advice(words)}", detail=detail)


def _with_advice(words: str) -> str:
    advice = next((advice for known, advice in _ADVICE if known.search(words)), "")
    return f"{words.rstrip('.')}. {advice}" if advice else words


def not_a_stream(body: bytes) -> Problem:
    """For a body that is no reply at all (kind "not_a_stream"): its title or first words are shown."""
    words = _page_words(body.decode("utf-8", "replace"))
    page = "a web page" if body.lstrip()[:1] == b"<" else "something"
    return Problem(
        "not_a_stream",
        f"The server answered with {page} that is no model's reply: {words or 'it was empty'}",
        detail={"class": "protocol"},
    )


def error_words(value: JsonValue) -> str:
    """The server's own words in an error of any shape, "" where it has none."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list):
        return "; ".join(filter(None, map(error_words, value)))
    if not isinstance(value, dict):
        return ""
    for name in ("error", *_WORDS, "error_description", "reason", "errors", "status_msg"):
        words = error_words(value.get(name))
        if words:
            return words + _deeper(value, words)
    code = next((value[name] for name in ("code", "error", "error_code", "type") if value.get(name)), None)
    return str(code) if not isinstance(code, dict | list | bool | None) else ""


def _deeper(value: JsonObject, words: str) -> str:
    """What a gateway passes on from the provider behind it (OpenRouter keeps the readable cause there)."""
    metadata = value.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, dict) else None
    if isinstance(raw, str):
        raw = server_value(raw) or raw
    cause = error_words(raw)
    return f" ({cause[:_SHOWN]})" if cause and cause not in words else ""


def _is_said(value: JsonValue) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and bool(error_words(value)))


def _says_something(value: JsonObject) -> bool:
    return any(
        name in value for name in ("choices", "content", "response", "output", "usage", "delta", "done", "model")
    )


def _finer(value: JsonValue) -> dict[str, object]:
    found: dict[str, object] = {}
    inner = value.get("error") if isinstance(value, dict) else None
    for level in (inner, value):
        if isinstance(level, dict):
            for name in ("param", "type", "code"):
                content = level.get(name, level.get(f"status_{name}"))
                if isinstance(content, str | int) and content != "error":
                    found.setdefault(name, content)
    code = found.get("code")
    number = int(code) if isinstance(code, str) and code.isdecimal() else code
    if isinstance(number, int) and 400 <= number < 600:
        found["status"] = number
    return found


def _field(value: JsonValue, *names: str) -> str:
    finer = _finer(value)
    return "".join(f" {finer[name]}" for name in names if name in finer)


def _class(by_status: str, words: str) -> str:
    if _CONTEXT.search(words):
        return "context_overflow"
    if _QUOTA.search(words):
        return "quota"
    if _MODERATION.search(words):
        return "moderation"
    return by_status


def _other_status(status: int, location: str) -> tuple[str, str]:
    if 300 <= status < 400:
        where = f" to {location}" if location else ""
        return (
            "redirect",
            f"The server sends requests elsewhere{where}; set the endpoint to that address if you trust it",
        )
    if status >= 500:
        return "server", "The server failed"
    return "bad_request", "The server did not accept the request"


def _page_words(text: str) -> str:
    """A web page's title, else the first line with text, cut to what fits a sentence."""
    title = _TITLE.search(text)
    if title:
        return f"“{' '.join(unescape(title.group(1)).split())[:_SHOWN]}”"
    for line in text.splitlines():
        words = " ".join(unescape(re.sub(r"<[^>]*>", " ", line)).split())
        if words:
            return words[:_SHOWN]
    return ""


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from Retry-After as seconds or as a date (measured from the answer's Date, else from now)."""
    milliseconds = headers.get("retry-after-ms", "").strip()
    if _SECONDS.fullmatch(milliseconds):
        return float(milliseconds) / 1000
    wanted = headers.get("retry-after", "").strip()
    if _SECONDS.fullmatch(wanted):
        return float(wanted)
    until = _date(wanted)
    if until is None:
        return None
    now = _date(headers.get("date", "")) or datetime.now(UTC)
    return max(0.0, (until - now).total_seconds())


def _duration(seconds: float) -> str:
    """The seconds as a person says them: from two minutes on in minutes, hours or days, rounded."""
    for size, unit in ((86_400, "days"), (3_600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{round(seconds / size):,} {unit}"
    return f"{seconds:g} s"


def _date(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
