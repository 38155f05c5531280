"""The conversations that show how a template writes thinking: unlikely words as question, reasoning and answer."""

from collections.abc import Mapping
from dataclasses import replace

from thinkpane.engine.request import Ends, RenderRequest
from thinkpane.formats.json_values import JsonObject, JsonValue

QUESTION, REASONING, ANSWER, LATER, RESULT = "Zqquestion7", "Zqreasoning7", "Zqanswer7", "Zqlater7", "Zqresult7"
"""Words that no template holds, so that where they stand in a prompt says what the template did with them."""

FIELDS = ("reasoning_content", "thinking", "reasoning", "tool_plan")
"""Fields of an assistant's message that templates read thinking from; the last one is Cohere's, beside tool calls."""

PART = "content part"
"""Thinking as a part of the content, {"type": "thinking"}, which Mistral's templates read."""

INLINE = "content"
"""Thinking between tags in the content itself."""

SWITCHED_ON: Mapping[str, JsonValue] = {
    "enable_thinking": True,
    "thinking": True,
    "thinking_mode": "enabled",
    "thinking_option": "on",
}
SWITCHED_OFF: Mapping[str, JsonValue] = {
    "enable_thinking": False,
    "thinking": False,
    "thinking_mode": "disabled",
    "thinking_option": "off",
}
"""The names under which templates take the switch, all at once: a template reads its own and no other."""

_USER: JsonObject = {"role": "user", "content": QUESTION}
_LATER: JsonObject = {"role": "user", "content": LATER}
_SECOND: JsonObject = {"role": "assistant", "content": "Zqsecond7"}
_LAST: JsonObject = {"role": "user", "content": "Zqlast7"}
_CALL_ID = "call00007"
_RESULT: JsonObject = {"role": "tool", "tool_call_id": _CALL_ID, "name": "look", "content": RESULT}
_TOOL: JsonValue = {
    "type": "function",
    "function": {"name": "look", "description": "Looks.", "parameters": {"type": "object", "properties": {}}},
}
_CALLS: JsonValue = [
    {"id": _CALL_ID, "type": "function", "function": {"name": "look", "arguments": {"at": "x"}}},
]
_DOCUMENTS: list[JsonValue] = [{"title": "Notes", "text": "A fact."}]


def reply(field: str, tags: tuple[str, str] = ("", "")) -> JsonObject:
    """An assistant's message with thinking in `field` ("" = without any); tags: for thinking in the content."""
    if field == INLINE:
        return {"role": "assistant", "content": f"{tags[0]}{REASONING}{tags[1]}{ANSWER}"}
    if field == PART:
        parts: list[JsonValue] = [{"type": "thinking", "thinking": REASONING}, {"type": "text", "text": ANSWER}]
        return {"role": "assistant", "content": parts}
    plain: JsonObject = {"role": "assistant", "content": ANSWER}
    return {**plain, field: REASONING} if field else plain


def question(request: RenderRequest, variables: Mapping[str, JsonValue], *, generate: bool = True) -> RenderRequest:
    """One question; generate: with the generation prompt."""
    return _asked(request, [_USER], variables, generate=generate)


def newest(request: RenderRequest, message: JsonObject, variables: Mapping[str, JsonValue]) -> RenderRequest:
    """The reply as the last message."""
    return _asked(request, [_USER, message], variables, generate=False)


def older(request: RenderRequest, message: JsonObject, variables: Mapping[str, JsonValue]) -> RenderRequest:
    """The reply before another question, its answer, and one more: some templates keep only the last reply's."""
    return _asked(request, [_USER, message, _LATER, _SECOND, _LAST], variables, generate=True)


def calling(request: RenderRequest, message: JsonObject, variables: Mapping[str, JsonValue]) -> RenderRequest:
    """The reply with a tool call, whose result is there, and no question after it."""
    return _with_tool(request, message, [], variables)


def called(request: RenderRequest, message: JsonObject, variables: Mapping[str, JsonValue]) -> RenderRequest:
    """The reply with a tool call and its result, the answer to it, and another question."""
    return _with_tool(request, message, [_SECOND, _LAST], variables)


def citing(request: RenderRequest, message: JsonObject, variables: Mapping[str, JsonValue]) -> RenderRequest:
    """As `calling`, with a document: Cohere's templates write such conversations by another part of theirs."""
    return replace(calling(request, message, variables), documents=_DOCUMENTS)


def cited(request: RenderRequest, message: JsonObject, variables: Mapping[str, JsonValue]) -> RenderRequest:
    """As `called`, with a document."""
    return replace(called(request, message, variables), documents=_DOCUMENTS)


def _with_tool(
    request: RenderRequest, message: JsonObject, rest: list[JsonValue], variables: Mapping[str, JsonValue]
) -> RenderRequest:
    asks: JsonObject = {**message, "tool_calls": _CALLS}
    return replace(_asked(request, [_USER, asks, _RESULT, *rest], variables, generate=True), tools=[_TOOL])


def _asked(
    request: RenderRequest, messages: list[JsonValue], variables: Mapping[str, JsonValue], *, generate: bool
) -> RenderRequest:
    # Not normalised: transformers would copy the reasoning to other names, and the question is which one is read.
    return replace(
        request,
        messages=messages,
        tools=None,
        documents=None,
        variables={**request.variables, **variables},
        add_generation_prompt=generate,
        continue_final_message=False,
        normalise=False,
        left_out=(),
        ends=Ends(),
    )
