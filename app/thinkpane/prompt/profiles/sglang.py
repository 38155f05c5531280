"""The profile of SGLang: what its chat completions do to a request before transformers renders it.

Source: SGLang 0.5.23: `srt/entrypoints/openai/protocol.py` (fields), `serving_chat.py` (`_apply_jinja_template`,
`_handle_last_assistant_message`), `srt/parser/jinja_template_utils.py` (content).
"""

from dataclasses import replace

from thinkpane.engine.request import Ends, RenderRequest
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.prompt.profiles._api import Facts, Profiled, RuntimeProfile
from thinkpane.prompt.profiles._rewriting import (
    Rewrites,
    functions_of,
    message_copies,
    parsed_arguments,
    texts_of,
    without_none,
)
from thinkpane.prompt.profiles.transformers import PROFILE as TRANSFORMERS

_FIELDS = ("role", "content", "tool_call_id", "name", "phase", "reasoning_content", "tool_calls", "tools", "prefix")
_ROLES = ("system", "assistant", "tool", "function", "developer", "latest_reminder", "root")
_MEDIA = {"image_url": "image", "video_url": "video", "audio_url": "audio", "input_audio": "audio"}
_PARTS = ("text", "thinking", "reasoning", "tool_reference", *_MEDIA)


class Sglang:
    """Keeps the fields it knows, joins or keeps parts, parses arguments, turns a last reply into a question."""

    name = "sglang"
    title = "SGLang"
    version = "0.5.23"
    summary = "Keeps the fields it knows, fits content to the template, parses arguments, turns a last reply around."

    def apply(self, request: RenderRequest, facts: Facts) -> Profiled:
        """The request as SGLang hands it to transformers, whose own rewriting follows."""
        messages = message_copies(request.messages)
        if messages is None:
            return Profiled(replace(request, normalise=True))
        notes = Rewrites(self.title)
        about = facts.about("runtime_facts", request.source)
        made = [_fields(index, each, notes) for index, each in enumerate(messages)]
        for index, each in enumerate(made):
            _arguments(index, each, notes)
        if about["pairs_results"]:
            made = _sorted_results(made, notes)
        made = [_content(index, each, bool(about["sglang_parts"]), notes) for index, each in enumerate(made)]
        changed = replace(
            request,
            messages=[*made],
            tools=_tools(request.tools, notes),
            documents=None,
            normalise=True,
        )
        if request.documents:
            notes.say("Documents are left out: SGLang hands none to templates.")
        changed = _last_reply(changed, made, notes)
        then = TRANSFORMERS.apply(_flat_tools(changed, facts, notes), facts)
        return Profiled(then.request, (*notes.said, *then.rewrites))


def _fields(index: int, given: JsonObject, notes: Rewrites) -> JsonObject:
    role = given.get("role")
    if not isinstance(role, str) or (role != "user" and role.lower() not in _ROLES):
        raise notes.refusal(f"it does not know the role “{role}”", index, "role")
    if role != "user" and role.lower() != role:
        notes.message(index, f"the role “{role}” is written small.")
    known = ("role", "content") if role == "user" else _FIELDS
    notes.left_out(index, (name for name in given if name not in known), "SGLang does not take it")
    nothing = [name for name in known if name in given and given[name] is None and name != "content"]
    notes.left_out(index, nothing, "it is null")
    made: JsonObject = {name: given.get(name) for name in known}
    made["role"] = role if role == "user" else role.lower()
    if made["content"] is None and role == "user":
        raise notes.refusal("a user's message must have content", index, "content")
    calls = made.get("tool_calls")
    if isinstance(calls, list):
        made["tool_calls"] = [_call(index, each, notes) for each in calls]
    return made


def _call(index: int, given: JsonValue, notes: Rewrites) -> JsonObject:
    function = given.get("function") if isinstance(given, dict) else None
    if not isinstance(given, dict) or not isinstance(function, dict):
        raise notes.refusal("tool calls must be objects with a function", index, "tool_calls")
    if given.get("type", "function") != "function":
        raise notes.refusal("tool calls must be of type “function”", index, "tool_calls")
    if "index" not in given:
        notes.message(index, "tool calls are given an “index”, null where there is none.")
    return {
        "id": given.get("id"),
        "index": given.get("index"),
        "type": "function",
        "function": {"name": function.get("name"), "arguments": function.get("arguments")},
    }


def _arguments(index: int, message: JsonObject, notes: Rewrites) -> None:
    if message["role"] != "assistant":
        return
    for _, function in functions_of(message):
        given = function.get("arguments")
        if not isinstance(given, str):
            continue
        try:
            found = parsed_arguments(given)
        except ValueError:
            raise notes.refusal("arguments of tool calls must be valid JSON", index, "tool_calls") from None
        if not isinstance(found, dict):
            raise notes.refusal("arguments of tool calls must be a JSON object", index, "tool_calls")
        function["arguments"] = found
        notes.message(index, "arguments of tool calls are parsed from JSON text to objects.")


def _sorted_results(messages: list[JsonObject], notes: Rewrites) -> list[JsonObject]:
    """Results with pictures and the like stand in their calls' order, for templates that read the calls' ids."""
    made: list[JsonObject] = []
    at = 0
    while at < len(messages):
        message = messages[at]
        made.append(message)
        at += 1
        first = at
        if message["role"] != "assistant" or not message.get("tool_calls"):
            continue
        while at < len(messages) and messages[at]["role"] in ("tool", "function"):
            at += 1
        run = _sorted_run(messages[first:at], [call.get("id") for call, _ in functions_of(message)])
        if run != messages[first:at]:
            notes.message(first, "tool results are put into the order of their calls.")
        made.extend(run)
    return made


def _sorted_run(run: list[JsonObject], ids: list[JsonValue]) -> list[JsonObject]:
    results = [each.get("tool_call_id") for each in run]
    unique = len({str(each) for each in ids}) == len(ids) and len({str(each) for each in results}) == len(results)
    if len(run) < 2 or not unique or None in ids or any(each not in ids for each in results):
        return run
    kinds = [
        part.get("type")
        for each in run
        if isinstance(content := each.get("content"), list)
        for part in content
        if isinstance(part, dict)
    ]
    has_media = any(kind in ("image_url", "input_image", "video_url", "audio_url") for kind in kinds)
    return sorted(run, key=lambda each: ids.index(each.get("tool_call_id"))) if has_media else run


def _content(index: int, message: JsonObject, parts: bool, notes: Rewrites) -> JsonObject:
    content = message["content"]
    if content is None:
        notes.message(index, "content that is missing becomes empty text.")
        content = ""
    if isinstance(content, list):
        content = _kept_parts(index, content, notes) if parts else _joined(index, content, notes)
    if (
        message["role"] == "tool"
        and isinstance(content, list)
        and all(isinstance(part, dict) and part.get("type") == "text" for part in content)
    ):
        notes.message(index, "a tool result's parts are joined to one text with spaces.")
        content = " ".join(texts_of(content))
    rest = without_none({**message, "content": content})
    if parts and isinstance(message["content"], list):
        rest["content"] = rest.pop("content")  # its place is last then, which templates that print a message show
    return rest


def _joined(index: int, content: list[JsonValue], notes: Rewrites) -> str:
    notes.message(index, "content parts are joined to one text with spaces; others than text are left out.")
    _check_kinds(index, content, notes)
    return " ".join(texts_of(content))


def _kept_parts(index: int, content: list[JsonValue], notes: Rewrites) -> list[JsonValue]:
    _check_kinds(index, content, notes)
    made: list[JsonValue] = []
    for part in content:
        kind = part.get("type") if isinstance(part, dict) else None
        if not isinstance(part, dict):
            continue
        if kind == "text":
            made.append({"type": "text", "text": part.get("text")})
        elif kind == "tool_reference":
            made.append({"type": kind, "name": part.get("name")})
        elif kind in _MEDIA:
            modality = _MEDIA[str(kind)]
            notes.message(index, f"its {modality} becomes {{“type”: “{modality}”}}; the data goes to the model.")
            made.append({"type": modality})
        else:
            notes.message(index, "thinking among its content parts is left out.")
    return made


def _check_kinds(index: int, content: list[JsonValue], notes: Rewrites) -> None:
    for part in content:
        kind = part.get("type") if isinstance(part, dict) else None
        if kind not in _PARTS:
            raise notes.refusal(f"it does not know content parts of type “{kind}”", index, "content")


def _last_reply(request: RenderRequest, messages: list[JsonObject], notes: Rewrites) -> RenderRequest:
    """A conversation that ends in a reply: it is put after the prompt where it is continued, else it is a question."""
    last = messages[-1]
    content = last.get("content")
    asked = request.continue_final_message
    if request.add_generation_prompt is False and not asked:
        return request
    if last["role"] != "assistant" or not isinstance(content, str):
        return replace(request, continue_final_message=False, add_generation_prompt=True if asked else None)
    index = len(messages) - 1
    if asked:
        notes.message(index, "the reply to be continued is put after the prompt for a new one, as plain text.")
        return replace(
            request,
            messages=[*messages[:-1]],
            add_generation_prompt=True,
            continue_final_message=False,
            ends=Ends(suffix=((content, f"messages[{index}].content"),)),
        )
    notes.message(index, "a reply at the end becomes a user's message, because nothing asks to continue it.")
    return replace(request, messages=[*messages[:-1], {"role": "user", "content": content}])


def _tools(tools: list[JsonValue] | None, notes: Rewrites) -> list[JsonValue] | None:
    if not tools:
        return None
    made: list[JsonValue] = []
    for tool in tools:
        function = tool.get("function") if isinstance(tool, dict) else None
        if not isinstance(tool, dict) or not isinstance(function, dict):
            raise notes.refusal("tools must be objects with a function", field="tools")
        known = ("description", "name", "parameters", "strict", "defer_loading")
        kept: JsonObject = {name: value for name, value in function.items() if name in known}
        kept |= {name: None for name in ("description", "name", "parameters") if name not in kept}
        for name in ("strict", "defer_loading"):
            if kept.get(name) is None:
                kept.pop(name, None)
        made.append(
            {"type": tool.get("type", "function"), "function": kept, "defer_loading": tool.get("defer_loading")}
        )
        notes.say(
            "Tools are given “defer_loading”, null where there is none; fields SGLang does not know are left out."
        )
    return made


def _flat_tools(request: RenderRequest, facts: Facts, notes: Rewrites) -> RenderRequest:
    """SGLang tries once more with the bare functions where the template fails on the tools."""
    if not request.tools or facts.render(request).problem is None:
        return request
    flat = [tool.get("function", tool) if isinstance(tool, dict) else tool for tool in request.tools]
    notes.say("The template fails on this request, so SGLang tries it again with the bare functions as tools.")
    return replace(request, tools=flat)


PROFILE: RuntimeProfile = Sglang()
