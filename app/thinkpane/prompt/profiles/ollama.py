"""The profile of Ollama, for models whose Jinja template it uses: its own messages, then llama.cpp.

Ollama renders Go templates, or has a renderer of its own, for many models; those are not Jinja and not shown here.
Where it takes the Jinja template of a model's GGUF file it turns the request into its own messages and those into a
request to the llama.cpp server inside it, at `/apply-template`. That way is what this profile stands for.

Source: Ollama, main branch of August 2026 (commit fb30760): `openai/openai.go` (FromChatRequest),
`llm/llama_server.go` (llamaServerChatRequest).
"""

import json
from dataclasses import replace

from thinkpane.engine.request import RenderRequest
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.prompt.profiles._api import Facts, Profiled, RuntimeProfile
from thinkpane.prompt.profiles._rewriting import (
    SPECIAL_TOKENS,
    Rewrites,
    functions_of,
    message_copies,
    parsed_arguments,
    texts_of,
)
from thinkpane.prompt.profiles.llamacpp import PROFILE as LLAMACPP

_PASSED = ("enable_thinking", "reasoning_effort", "add_bos_token", "add_eos_token")


class Ollama:
    """Ollama's own messages without thinking, then everything that llama.cpp does."""

    name = "ollama"
    title = "Ollama"
    version = "main, August 2026"
    summary = "Where Ollama takes a model's Jinja template, not a Go one: no thinking in messages, then as llama.cpp."

    def apply(self, request: RenderRequest, facts: Facts) -> Profiled:
        """The request as the llama.cpp server inside Ollama hands it to its template engine."""
        messages = message_copies(request.messages)
        if messages is None:
            return Profiled(replace(request, normalise=False))
        notes = Rewrites(self.title)
        made: list[JsonValue] = [_message(index, each, messages, notes) for index, each in enumerate(messages)]
        if request.continue_final_message:
            notes.say("Ollama has no way to ask for a reply to be continued; a reply at the end is continued anyway.")
        changed = replace(
            request,
            messages=made,
            variables=_variables(request, notes),
            add_generation_prompt=None,
            continue_final_message=False,
        )
        try:
            then = LLAMACPP.apply(changed, facts)
        except ThinkpaneError as error:
            if error.problem.kind != "profile":
                raise
            raise ThinkpaneError(replace(error.problem, message=_inside(error.problem.message))) from None
        return Profiled(then.request, (*notes.said, *(_inside(each) for each in then.rewrites)))


def _inside(sentence: str) -> str:
    """What llama.cpp's profile says, of the one that works inside Ollama."""
    found = sentence.replace("llama.cpp", "the llama.cpp inside Ollama")
    return found[:1].upper() + found[1:]


def _message(index: int, given: JsonObject, messages: list[JsonObject], notes: Rewrites) -> JsonObject:
    role = given.get("role")
    made: JsonObject = {"role": role}
    call_id = given.get("tool_call_id")
    if isinstance(call_id, str) and call_id:
        made["tool_call_id"] = call_id
    if role == "tool" and (name := _tool_name(given, messages)):
        made["name"] = name
        if given.get("name") != name:
            notes.message(index, f"the name of its tool is looked up by its call's id: “{name}”.")
    if given.get("tool_calls"):
        made["tool_calls"] = [_call(index, call, function, notes) for call, function in functions_of(given)]
    made["content"] = _content(index, given, notes)
    known = {"role", "content", "tool_calls", "tool_call_id", *(("name",) if role == "tool" else ())}
    notes.left_out(index, (name for name in given if name not in known), "Ollama does not pass it on")
    return made


def _content(index: int, given: JsonObject, notes: Rewrites) -> str:
    content = given.get("content")
    if isinstance(content, str):
        return content
    if content is None and given.get("tool_calls"):
        return ""
    if not isinstance(content, list):
        raise notes.refusal("content must be text or a list of parts", index, "content")
    kinds = [part.get("type") if isinstance(part, dict) else None for part in content]
    if any(kind != "text" for kind in kinds):
        raise notes.refusal("pictures and sounds need a model that takes them", index, "content")
    notes.message(index, "content parts are joined to one text with newlines.")
    return "\n".join(texts_of(content))


def _tool_name(given: JsonObject, messages: list[JsonObject]) -> str:
    name, wanted = given.get("name"), given.get("tool_call_id")
    if isinstance(name, str) and name:
        return name
    for message in reversed(messages):
        for call, function in functions_of(message):
            if wanted and call.get("id") == wanted:
                return str(function.get("name") or "")
    return ""


def _call(index: int, call: JsonObject, function: JsonObject, notes: Rewrites) -> JsonObject:
    given = function.get("arguments")
    try:
        arguments = parsed_arguments(given) if isinstance(given, str) else given
    except ValueError:
        arguments = None
    if not isinstance(arguments, dict):
        raise notes.refusal("arguments of tool calls must be a JSON object", index, "tool_calls")
    text = json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
    return {
        "id": call.get("id") or "",
        "type": "function",
        "function": {"name": function.get("name") or "", "arguments": text},
    }


def _variables(request: RenderRequest, notes: Rewrites) -> JsonObject:
    kept: JsonObject = {}
    for name, value in request.variables.items():
        if name in SPECIAL_TOKENS or name in _PASSED:
            kept[name] = value
        else:
            notes.say(f"The variable “{name}” is left out: Ollama only knows thinking and its effort.")
    return kept


PROFILE: RuntimeProfile = Ollama()
