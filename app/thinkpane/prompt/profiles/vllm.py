"""The profile of vLLM: what its chat completions do to a request before transformers renders it.

Source: vLLM 0.33.0: `renderers/hf.py` (content format, developer role, variables), `renderers/chat_utils/
chat_message.py` (messages), `entrypoints/openai/chat_completion/protocol.py` (reasoning, tools).
"""

from dataclasses import replace

from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.prompt.profiles._api import Facts, Profiled, RuntimeProfile
from thinkpane.prompt.profiles._rewriting import (
    SPECIAL_TOKENS,
    Rewrites,
    functions_of,
    listed,
    message_copies,
    parsed_arguments,
    without_none,
)
from thinkpane.prompt.profiles.transformers import PROFILE as TRANSFORMERS

_TEXTS = ("text", "input_text", "output_text", "refusal", "thinking")
_TEXT_KEYS = {"refusal": "refusal", "thinking": "thinking"}
_MEDIA = {
    "image_url": "image",
    "input_image": "image",
    "image_embeds": "image",
    "audio_url": "audio",
    "input_audio": "audio",
    "audio_embeds": "audio",
    "video_url": "video",
    "video_embeds": "video",
}
_TAKEN = ("documents", "tools", "add_generation_prompt", "continue_final_message")


class Vllm:
    """Brings content into one shape, parses arguments, renames reasoning and drops variables nobody declares."""

    name = "vllm"
    title = "vLLM"
    version = "0.33.0"
    summary = "Brings content into the shape the template loops over, parses arguments, drops unknown variables."

    def apply(self, request: RenderRequest, facts: Facts) -> Profiled:
        """The request as vLLM hands it to transformers, whose own rewriting follows."""
        messages = message_copies(request.messages)
        if messages is None:
            return Profiled(replace(request, normalise=True))
        notes = Rewrites(self.title)
        _check_documents(request.documents, notes)
        about = facts.about("runtime_facts", request.source)
        made = [_message(index, each, bool(about["vllm_parts"]), notes) for index, each in enumerate(messages)]
        made = _roles(made, request.source, notes)
        declared = about["declared"]
        changed = replace(
            request,
            messages=[*made],
            tools=_tools(request.tools, notes),
            variables=_variables(request, declared if isinstance(declared, list) else [], notes),
        )
        then = TRANSFORMERS.apply(changed, facts)
        return Profiled(then.request, (*notes.said, *then.rewrites))


def _check_documents(documents: list[JsonValue] | None, notes: Rewrites) -> None:
    for document in documents or ():
        if not isinstance(document, dict) or not all(isinstance(value, str) for value in document.values()):
            raise notes.refusal("documents must be objects whose values are all texts", field="documents")


def _message(index: int, given: JsonObject, parts: bool, notes: Rewrites) -> JsonObject:
    role = given.get("role")
    if role is None:
        raise notes.refusal("it has no role", index, "role")
    made: JsonObject = {"role": role, "content": _content(index, given, parts, notes)}
    kept = {"role", "content"}
    if role == "assistant":
        kept |= {"tool_calls", *_reasoning(index, given, made, notes)}
        _calls(index, given, made, notes)
    elif role == "tool" and "tool_call_id" in given:
        kept.add("tool_call_id")
        made["tool_call_id"] = given["tool_call_id"]
    for name in ("name", "task"):
        if isinstance(given.get(name), str):
            kept.add(name)
            made[name] = given[name]
    if role == "developer":
        kept.add("tools")
        made["tools"] = given.get("tools")
    notes.left_out(index, (name for name in given if name not in kept), "vLLM does not hand it to templates")
    return made


def _content(index: int, given: JsonObject, parts: bool, notes: Rewrites) -> JsonValue:
    content = given.get("content")
    pieces = content if isinstance(content, list) else [] if content is None else [content]
    made = [found for each in pieces if (found := _part(index, each, parts, notes)) is not None]
    if given.get("role") == "tool" or not parts:
        text = "\n".join(str(each["text"]) for each in made if "text" in each)
        structured = parts and any(each["type"] != "text" for each in made)
        if not structured:
            if content is None:
                notes.message(index, "content that is missing becomes empty text.")
            elif isinstance(content, list):
                notes.message(index, "content parts are joined to one text with newlines.")
            return text
    if isinstance(content, str):
        notes.say("Text content becomes a list of parts, because the template loops over content.")
    elif content is None:
        notes.message(index, "content that is missing becomes an empty list of parts.")
    return [*made]


def _part(index: int, part: JsonValue, parts: bool, notes: Rewrites) -> JsonObject | None:
    if not isinstance(part, dict):
        return {"type": "text", "text": part}
    kind = part.get("type")
    if kind in _TEXTS:
        text = part.get(_TEXT_KEYS.get(str(kind), "text"))
        if text is None:
            return None
        extra = {name: value for name, value in part.items() if name not in ("type", "text", "refusal", "thinking")}
        return {"type": "text", "text": text, **(extra if parts else {})}
    if kind == "tool_reference":
        name = part.get("name")
        return {"type": kind, "name": name} if parts else {"type": "text", "text": name}
    modality = _MEDIA.get(str(kind))
    if modality is None:
        raise notes.refusal(f"it does not know content parts of type “{kind}”", index, "content")
    if not parts:
        notes.message(index, f"its {modality} goes where the model's processor puts it, which is not shown here.")
        return None
    notes.message(index, f"its {modality} becomes {{“type”: “{modality}”}}; the data goes to the model by itself.")
    return {"type": modality}


def _reasoning(index: int, given: JsonObject, made: JsonObject, notes: Rewrites) -> tuple[str, ...]:
    """Puts reasoning under both names that vLLM gives it; tells which fields it was taken from."""
    found = given.get("reasoning")
    if found is None:
        found = given.get("reasoning_content")
    if found is not None:
        made["reasoning"] = made["reasoning_content"] = found
        lacking = [name for name in ("reasoning", "reasoning_content") if given.get(name) != found]
        if lacking:
            notes.message(index, f"its reasoning is given as {listed(lacking)} too.")
    return "reasoning", "reasoning_content"


def _calls(index: int, given: JsonObject, made: JsonObject, notes: Rewrites) -> None:
    calls = given.get("tool_calls")
    if not isinstance(calls, list) or not calls:
        if "tool_calls" in given:
            notes.message(index, "an empty “tool_calls” is left out.")
        return
    if len(functions_of(given)) != len(calls):
        raise notes.refusal("tool calls must be objects with a function", index, "tool_calls")
    made["tool_calls"] = [_call(index, call, function, notes) for call, function in functions_of(given)]


def _call(index: int, call: JsonObject, function: JsonObject, notes: Rewrites) -> JsonObject:
    """The call with the fields and in the order of vLLM's own type."""
    if call.get("type", "function") != "function":
        raise notes.refusal("tool calls must be of type “function”", index, "tool_calls")
    if isinstance(function.get("arguments"), dict):
        notes.say("Arguments that are objects are taken as if they were sent as JSON text: vLLM refuses objects.")
    made: JsonObject = {"arguments": _arguments(index, function.get("arguments"), notes), "name": function.get("name")}
    ordered: JsonObject = {"id": call.get("id"), "function": {**made, **_rest(function, made)}, "type": "function"}
    return without_none({**ordered, **_rest(call, ordered)})


def _rest(given: JsonObject, known: JsonObject) -> JsonObject:
    return {name: value for name, value in given.items() if name not in known}


def _arguments(index: int, given: JsonValue, notes: Rewrites) -> JsonObject:
    found = given
    if isinstance(given, str) and given:
        try:
            found = parsed_arguments(given)
        except ValueError:
            found = None
    if isinstance(found, dict) and (found or given):
        if found is not given:
            notes.message(index, "arguments of tool calls are parsed from JSON text to objects.")
        return found
    lost = bool(given)
    notes.message(
        index, f"arguments of a tool call {'that are no JSON object' if lost else 'that are missing'} become {{}}."
    )
    return {}


def _roles(messages: list[JsonObject], source: str, notes: Rewrites) -> list[JsonObject]:
    """Developer messages become system ones and all of those one, where the template names no developer role."""
    developers = [index for index, each in enumerate(messages) if each.get("role") == "developer"]
    if not developers or '"developer"' in source or "'developer'" in source:
        return messages
    for index in developers:
        notes.message(index, "the role “developer” becomes “system”, because the template does not name it.")
        messages[index]["role"] = "system"
        messages[index].pop("tools", None)
    systems = [index for index, each in enumerate(messages) if each.get("role") == "system"]
    if systems == [0]:
        return messages
    notes.say("All system messages are put together at the start, with blank lines between.")
    texts = [text for index in systems if (text := _system_text(messages[index].get("content")))]
    rest = [each for each in messages if each.get("role") != "system"]
    return [{"role": "system", "content": "\n\n".join(texts)}, *rest]


def _system_text(content: JsonValue) -> str:
    if not isinstance(content, list):
        return str(content or "")
    parts = [each.get("text") if isinstance(each, dict) else each for each in content]
    return "\n".join(part for part in parts if isinstance(part, str))


def _tools(tools: list[JsonValue] | None, notes: Rewrites) -> list[JsonValue] | None:
    """Tools with the fields vLLM knows, in its order."""
    if not tools:
        return None
    made: list[JsonValue] = []
    for tool in tools:
        function = tool.get("function") if isinstance(tool, dict) else None
        if not isinstance(tool, dict) or not isinstance(function, dict):
            raise notes.refusal("tools must be objects with a function", field="tools")
        kept: JsonObject = {
            "name": function.get("name"),
            "description": function.get("description"),
            "parameters": function.get("parameters"),
            **without_none({name: function.get(name) for name in ("strict", "defer_loading")}),
        }
        made.append({"type": "function", "function": kept, **_deferred(tool)})
        if list(kept.items()) != list(function.items()) or list(tool) != ["type", "function"]:
            notes.say("Tools are written with vLLM's own fields in its own order; others are left out.")
    return made


def _deferred(tool: JsonObject) -> JsonObject:
    return without_none({"defer_loading": tool.get("defer_loading")})


def _variables(request: RenderRequest, declared: list[JsonValue], notes: Rewrites) -> JsonObject:
    kept: JsonObject = {}
    for name, value in request.variables.items():
        if name in SPECIAL_TOKENS or name in declared or name in _TAKEN:
            kept[name] = value
        else:
            notes.say(f"The variable “{name}” is left out, because the template does not declare it.")
    return kept


PROFILE: RuntimeProfile = Vllm()
