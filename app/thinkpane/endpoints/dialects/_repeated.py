"""What llama.cpp's server repeats in one body of a message that it continued; its streams hold only what is new.

Seen of llama.cpp's server of 2026: chat completions repeat content and reasoning_content, /v1/messages and
/v1/responses text and thinking of the last message; between its parts and at its end the blanks are the template's.
Other servers do not repeat (vLLM only with `echo`, Kimi never), and their model may begin with the very same words.
"""

import re
from collections.abc import Mapping

from thinkpane.conversation.messages import REASONING_FIELDS
from thinkpane.endpoints.dialects._api import NOTHING_CONTINUED, Continued
from thinkpane.formats.json_values import JsonObject, JsonValue

_BUILD = re.compile(r"b\d+-\w+")
# A pattern of all words of a long message would take the interpreter for a second to compile.
_BLANKS = re.compile(r"\s+|$")
_TEXTS = ("text", "input_text", "output_text")


def continued_in(body: JsonObject) -> Continued:
    """What the last message of a request's body holds, nothing where that is not the assistant's."""
    messages = body.get("messages", body.get("input"))
    last = messages[-1] if isinstance(messages, list) and messages else None
    if not isinstance(last, dict) or last.get("role") != "assistant":
        return NOTHING_CONTINUED
    content = last.get("content")
    thought = next((text for name in REASONING_FIELDS if isinstance(text := last.get(name), str) and text), "")
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, dict)]
        thought = thought or "".join(_texts(parts, "thinking", ("thinking",)))
        return Continued(thought, "\n".join(_texts(parts, "text", _TEXTS)))
    return Continued(thought, content if isinstance(content, str) else "")


def is_llamacpps_chat(value: JsonObject) -> bool:
    """Whether a body of chat completions is llama.cpp's: it has its timings, or its build for a fingerprint."""
    build = value.get("system_fingerprint")
    return isinstance(value.get("timings"), dict) or (isinstance(build, str) and _BUILD.fullmatch(build) is not None)


def is_llamacpps_message(value: JsonObject) -> bool:
    """Whether a body in Anthropic's form is llama.cpp's: it names it as it names chat completions."""
    id = value.get("id")
    return isinstance(id, str) and id.startswith("chatcmpl-")


def is_llamacpps_response(value: JsonObject) -> bool:
    """Whether a body in the form of OpenAI's responses is llama.cpp's: others say again what was asked for."""
    return "tool_choice" not in value


def fresh_choices(value: JsonObject, continued: Continued) -> JsonObject:
    """A body of chat completions with what is new alone."""
    choices = value.get("choices")
    if continued == NOTHING_CONTINUED or not isinstance(choices, list):
        return value
    return {**value, "choices": [_fresh_choice(choice, continued) for choice in choices]}


def fresh_blocks(value: JsonObject, continued: Continued) -> JsonObject:
    """A body in Anthropic's form with what is new alone: the first block of each kind has what is repeated."""
    blocks = value.get("content")
    if continued == NOTHING_CONTINUED or not isinstance(blocks, list):
        return value
    return {**value, "content": _fresh_parts(blocks, {"thinking": "thinking", "text": "text"}, continued)}


def fresh_output(value: JsonObject, continued: Continued) -> JsonObject:
    """A body in the form of OpenAI's responses with what is new alone."""
    items = value.get("output")
    if continued == NOTHING_CONTINUED or not isinstance(items, list):
        return value
    fields, found = {"reasoning_text": "text", "output_text": "text"}, list(items)
    for at, item in enumerate(items):
        content = item.get("content") if isinstance(item, dict) else None
        if isinstance(item, dict) and isinstance(content, list):
            found[at] = {**item, "content": _fresh_parts(content, fields, continued)}
    return {**value, "output": found}


def _fresh_parts(parts: list[JsonValue], fields: Mapping[str, str], continued: Continued) -> list[JsonValue]:
    """fields: of the kinds for thinking and for text, the field that holds it. Only the first of a kind repeats."""
    thinking, _ = fields
    left, found = dict(fields), list(parts)
    for at, part in enumerate(parts):
        kind = part.get("type") if isinstance(part, dict) else None
        if isinstance(part, dict) and isinstance(kind, str) and kind in left:
            field, is_thinking = left.pop(kind), kind == thinking
            repeated = continued.thinking if is_thinking else continued.answer
            fresh = _fresh(part.get(field), repeated, is_over=is_thinking and bool(continued.answer))
            found[at] = {**part, field: fresh}
    return found


def _fresh_choice(choice: JsonValue, continued: Continued) -> JsonValue:
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        return choice
    message = {**message, "content": _fresh(message.get("content"), continued.answer)}
    for name in REASONING_FIELDS:
        if name in message:
            message[name] = _fresh(message[name], continued.thinking, is_over=bool(continued.answer))
    return {**choice, "message": message}


def _fresh(text: JsonValue, repeated: str, *, is_over: bool = False) -> JsonValue:
    """`text` without what it repeats. is_over: nothing but blanks can be new."""
    if not isinstance(text, str) or not repeated:
        return text
    end = len(repeated) if text.startswith(repeated) else 0
    if not end:
        end = _behind(repeated.split(), text)
    return "" if is_over and not text[end:].strip() else text[end:]


def _behind(words: list[str], text: str) -> int:
    """Where `text` goes on behind these words with blanks between; 0 where it does not begin with them."""
    at = begin = len(text) - len(text.lstrip())
    for word in words:
        if not text.startswith(word, begin):
            return 0
        at = begin + len(word)
        blanks = _BLANKS.match(text, at)
        begin = blanks.end() if blanks is not None else len(text) + 1
    return at


def _texts(parts: list[JsonObject], field: str, kinds: tuple[str, ...]) -> list[str]:
    return [text for part in parts if part.get("type") in kinds and isinstance(text := part.get(field), str)]
