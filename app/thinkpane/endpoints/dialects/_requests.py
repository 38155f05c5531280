"""What requests of every dialect have in common: headers, and how the parts of a body come together."""

from collections.abc import Mapping

from thinkpane.endpoints.dialects._api import BEARER, Call, HttpRequest, SecretHeader
from thinkpane.endpoints.dialects._tool_calls import arguments_text
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue


def post(
    url: str,
    body: JsonObject,
    call: Call,
    warnings: list[Problem],
    *,
    secret: SecretHeader = BEARER,
    headers: tuple[tuple[str, str], ...] = (),
    stream_type: str = "text/event-stream",
) -> HttpRequest:
    """A POST of `body`, the call's extra body merged over it last.

    Asks for an uncompressed answer: a compressed one can be larger than memory before a limit is seen.
    """
    accept = stream_type if call.stream else "application/json"
    common = (("Content-Type", "application/json"), ("Accept", accept), ("Accept-Encoding", "identity"))
    return HttpRequest("POST", url, common + headers, merged(body, call.extra_body), secret, tuple(warnings))


def merged(body: JsonObject, extra: Mapping[str, JsonValue]) -> JsonObject:
    """`extra` laid over `body`; objects are merged key by key, everything else is replaced."""
    found = dict(body)
    for key, value in extra.items():
        known = found.get(key)
        found[key] = merged(known, value) if isinstance(known, dict) and isinstance(value, dict) else value
    return found


def messages_of(call: Call) -> list[JsonValue]:
    """The call's messages, its reasoning left out of the history where that is asked.

    Raises ThinkpaneError (kind "request") where they are one text, which only a template can take.
    """
    if isinstance(call.messages, str):
        sentence = "This conversation is one raw text; chat requests have no place for it. Send it on the raw path."
        raise ThinkpaneError(Problem("request", sentence))
    messages = call.messages if isinstance(call.messages, list) else []
    return messages if call.reasoning_in_history else [_without_reasoning(message) for message in messages]


def prompt_of(call: Call) -> str:
    """The rendered prompt. Raises ThinkpaneError (kind "request") where there is none."""
    if call.prompt is None:
        raise ThinkpaneError(Problem("request", "There is no rendered prompt to send on the raw path."))
    return call.prompt


def with_argument_text(message: JsonValue) -> JsonValue:
    """The message with the arguments of its tool calls as JSON text, which is what OpenAI's wire wants.

    Conversations may hold them as objects, because some templates read them so. Text and null stay as they are.
    """
    if not isinstance(message, dict):
        return message
    found = dict(message)
    calls, function = message.get("tool_calls"), message.get("function_call")
    if isinstance(calls, list):
        found["tool_calls"] = [_call_with_text(call) for call in calls]
    if isinstance(function, dict):
        found["function_call"] = _call_with_text(function)
    return found


def _call_with_text(call: JsonValue) -> JsonValue:
    if not isinstance(call, dict):
        return call
    found = dict(call)
    if isinstance(call.get("function"), dict):
        found["function"] = _call_with_text(call["function"])
    if isinstance(call.get("arguments"), dict | list):
        found["arguments"] = arguments_text(call["arguments"])
    return found


def _without_reasoning(message: JsonValue) -> JsonValue:
    if not isinstance(message, dict):
        return message
    return {key: value for key, value in message.items() if key not in _REASONING}


_REASONING = ("reasoning_content", "reasoning", "thinking", "reasoning_details", "thinking_blocks")
