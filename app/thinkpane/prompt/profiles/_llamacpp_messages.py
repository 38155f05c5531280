"""What llama.cpp makes of messages: its own type of a message, the template's capabilities, and single families' ways.

Source: see llamacpp.py. Messages come out with the keys and in the order of `common_chat_msg::to_json_oaicompat`.
"""

import json
from collections.abc import Mapping

from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.prompt.profiles._rewriting import Rewrites, functions_of, listed, parsed_arguments

_KNOWN = ("role", "content", "reasoning_content", "name", "tool_call_id", "tool_calls")
_TRIMMED = "You have access to the following functions in JSONSchema format"  # StepFun


def rewritten_messages(
    messages: list[JsonObject], source: str, caps: Mapping[str, JsonValue], notes: Rewrites
) -> list[JsonObject]:
    """The messages as the template gets them. Raises ThinkpaneError where llama.cpp refuses them."""
    made = [_message(index, each, notes) for index, each in enumerate(messages)]
    if _TRIMMED in source:
        made = [_trimmed(index, each, notes) for index, each in enumerate(made)]
    for index, each in enumerate(made):
        _fit_content(index, each, caps, notes)
    if "<|channel|>" not in source:
        for index, each in enumerate(made):
            if each["role"] == "developer":
                each["role"] = "system"
                notes.message(index, "the role “developer” becomes “system”.")
    if not caps["system_role"]:
        made = _without_system(made, notes)
    if caps["object_arguments"]:
        for index, each in enumerate(made):
            _parse_arguments(index, each, notes)
    return _family(made, source, notes)


def _message(index: int, given: JsonObject, notes: Rewrites) -> JsonObject:
    role = given.get("role")
    if not isinstance(role, str):
        raise notes.refusal("it has no role", index, "role")
    has_calls = role == "assistant" and "tool_calls" in given
    if "content" not in given and not has_calls:
        raise notes.refusal("it has no content", index, "content")
    made: JsonObject = {"role": role, "content": _content(index, given.get("content"), notes)}
    for name in ("reasoning_content", "name", "tool_call_id"):
        value = given.get(name)
        if isinstance(value, str) and value:
            made[name] = value
        elif name in given and not isinstance(value, str):
            raise notes.refusal(f"“{name}” must be text", index, name)
    if given.get("tool_calls") is not None:
        calls = [_call(index, each, notes) for each in _list(given["tool_calls"])]
        if calls:
            made["tool_calls"] = [*calls]
    notes.left_out(index, (name for name in given if name not in _KNOWN), "llama.cpp does not hand it to templates")
    return made


def _content(index: int, content: JsonValue, notes: Rewrites) -> JsonValue:
    if content is None:
        notes.message(index, "content that is missing becomes empty text.")
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise notes.refusal("content must be text or a list of parts", index, "content")
    made: list[JsonValue] = []
    for part in content:
        kind = part.get("type") if isinstance(part, dict) else None
        text = part.get("text") if isinstance(part, dict) else None
        if kind != "text" or not isinstance(text, str):
            raise notes.refusal(f"content parts of type “{kind}” need a model that takes them", index, "content")
        made.append({"type": "text", "text": text})
    return made or ""


def _call(index: int, given: JsonValue, notes: Rewrites) -> JsonObject:
    function = given.get("function") if isinstance(given, dict) else None
    if not isinstance(given, dict) or not isinstance(function, dict) or given.get("type") != "function":
        raise notes.refusal("tool calls must be of type “function” and have a function", index, "tool_calls")
    if "name" not in function or "arguments" not in function:
        raise notes.refusal("a tool call's function needs a name and arguments", index, "tool_calls")
    arguments = function["arguments"]
    if not isinstance(arguments, str):
        # Written as its JSON library does it; where the template takes objects they are parsed again further on.
        arguments = json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
    made: JsonObject = {"type": "function", "function": {"name": function["name"], "arguments": arguments}}
    if given.get("id"):
        made["id"] = given["id"]
    return made


def _fit_content(index: int, message: JsonObject, caps: Mapping[str, JsonValue], notes: Rewrites) -> None:
    content = message["content"]
    if caps["part_content"] and not caps["text_content"] and isinstance(content, str):
        message["content"] = [{"type": "text", "text": content}]
        notes.say("Text content becomes a list of parts, because the template prints no text content.")
    elif caps["text_content"] and not caps["part_content"] and isinstance(content, list):
        message["content"] = "\n".join(_texts(content))
        notes.message(index, "content parts are joined to one text with newlines.")


def _trimmed(index: int, message: JsonObject, notes: Rewrites) -> JsonObject:
    made = dict(message)
    for name in ("content", "reasoning_content"):
        value = made.get(name)
        if isinstance(value, str):
            made[name] = value.strip()
    if isinstance(content := made["content"], list):
        made["content"] = [{"type": "text", "text": text.strip()} for text in _texts(content)]
    if made != message:
        notes.message(index, "blanks around its content are cut off, as this family needs it.")
    return made


def _without_system(messages: list[JsonObject], notes: Rewrites) -> list[JsonObject]:
    """A system message at the start goes into the next one, for templates that do not read it."""
    if messages[0]["role"] != "system":
        return messages
    if len(messages) == 1:
        notes.say("The system message is left out, because the template does not read it.")
        return []
    first, second, *rest = messages
    if not isinstance(first["content"], str) or not isinstance(second["content"], str):
        raise notes.refusal("system parts cannot go into the next message", 0, "content")
    notes.say("The system message goes into the next one, because the template does not read it.")
    return [{**second, "content": f"{first['content']}\n{second['content']}"}, *rest]


def _parse_arguments(index: int, message: JsonObject, notes: Rewrites) -> None:
    for _, function in functions_of(message):
        try:
            function["arguments"] = parsed_arguments(str(function["arguments"]))
        except ValueError:
            raise notes.refusal("arguments of tool calls must be valid JSON", index, "tool_calls") from None
        notes.say("Arguments of tool calls are handed over as objects, because the template reads them so.")


def _family(messages: list[JsonObject], source: str, notes: Rewrites) -> list[JsonObject]:
    """What llama.cpp does for single families, told apart by their own marks in the template."""
    if _is_ministral(source):
        return [_in_blocks(index, each, notes) for index, each in enumerate(messages)]
    if "<|channel|>" in source:
        return [_thinking(index, each, notes, drop_content=True) for index, each in enumerate(messages)]
    if _is_lfm2(source):
        return [_thinking(index, each, notes) for index, each in enumerate(messages)]
    if "dsml_token" in source and "DSML" in source and "tool_calls" in source and "function_calls" not in source:
        return _sorted_results(messages, notes)
    return messages


def _is_ministral(source: str) -> bool:
    return all(mark in source for mark in ("[SYSTEM_PROMPT]", "[TOOL_CALLS]", "[ARGS]")) and "[CALL_ID]" not in source


def _is_lfm2(source: str) -> bool:
    marked = all(f"<|tool_{name}|>" in source for name in ("list_start", "list_end"))
    return marked or ("List of tools: [" in source and "<|tool_list_start|>" not in source)


def _in_blocks(index: int, message: JsonObject, notes: Rewrites) -> JsonObject:
    if message["role"] not in ("system", "assistant"):
        return message
    blocks: list[JsonValue] = []
    reasoning = message.get("reasoning_content")
    if reasoning:
        blocks.append({"type": "thinking", "thinking": reasoning})
        notes.message(index, "its reasoning becomes a content part of type “thinking”.")
    content = message["content"]
    blocks.extend(content if isinstance(content, list) else [{"type": "text", "text": content}])
    made = {**message, "content": blocks}
    made.pop("reasoning_content", None)
    return made


def _thinking(index: int, message: JsonObject, notes: Rewrites, *, drop_content: bool = False) -> JsonObject:
    reasoning = message.get("reasoning_content")
    if not reasoning:
        return message
    made = {**message, "thinking": reasoning}
    notes.message(index, "its reasoning is given as “thinking” too.")
    if drop_content and message.get("tool_calls"):
        del made["content"]
        notes.message(index, "its content is left out beside reasoning and tool calls.")
    return made


def _sorted_results(messages: list[JsonObject], notes: Rewrites) -> list[JsonObject]:
    """Tool results stand in their calls' order, within each run of results and questions."""
    made = list(messages)
    order: dict[str, int] = {}
    at = 0
    while at < len(made):
        role = made[at]["role"]
        if role == "assistant" and made[at].get("tool_calls"):
            order = {str(call["id"]): place for place, (call, _) in enumerate(functions_of(made[at])) if "id" in call}
        if role not in ("user", "tool"):
            at += 1
            continue
        end = next((place for place in range(at, len(made)) if made[place]["role"] not in ("user", "tool")), len(made))
        places = [place for place in range(at, end) if made[place]["role"] == "tool"]
        found = [made[place] for place in places]
        results = sorted(found, key=lambda each: order.get(str(each.get("tool_call_id")), 0))
        if order and found != results:
            notes.message(places[0], f"tool results are put into the order of their calls ({listed(order)}).")
            for place, result in zip(places, results, strict=True):
                made[place] = result
        at = end
    return made


def _texts(content: list[JsonValue]) -> list[str]:
    return [str(part["text"]) for part in content if isinstance(part, dict)]


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []
