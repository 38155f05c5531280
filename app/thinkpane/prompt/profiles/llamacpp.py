"""The profile of llama.cpp: what its server does to a request before its own template engine renders it.

Source: llama.cpp (the tree inside llama-cpp-python 0.3.36): `common/chat.cpp` (messages, tools, variables, ends),
`common/jinja/caps.cpp`, `common/parsers/` (changes for single families), `tools/server/server-common.cpp` (defaults).
Its engine is not Jinja's: where it is more lenient a template may fail here that renders there.
"""

from dataclasses import replace
from datetime import datetime

from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.prompt.profiles._api import Facts, Profiled, RuntimeProfile
from thinkpane.prompt.profiles._llamacpp_continuing import continued, with_left_out
from thinkpane.prompt.profiles._llamacpp_messages import rewritten_messages
from thinkpane.prompt.profiles._rewriting import SPECIAL_TOKENS, Rewrites, listed, message_copies

_ADDS_BOS, _ADDS_EOS = "add_bos_token", "add_eos_token"
_PRESERVE = {
    "preserve_thinking": True,
    "clear_thinking": False,
    "truncate_history_thinking": False,
    "drop_thinking": False,
}


class LlamaCpp:
    """Fits messages to what the template was seen to use, and defines variables of its own."""

    name = "llamacpp"
    title = "llama.cpp"
    version = "in llama-cpp-python 0.3.36"
    summary = "Fits messages to what probes of the template show, and defines enable_thinking, dates and more."

    def apply(self, request: RenderRequest, facts: Facts) -> Profiled:
        """The request as llama.cpp's server hands it to its template engine."""
        messages = message_copies(request.messages)
        if messages is None:
            return Profiled(replace(request, normalise=False))
        notes = Rewrites(self.title)
        caps = facts.about("llamacpp_caps", request.source)
        made = rewritten_messages(messages, request.source, caps, notes)
        tools = _tools(request.tools, notes)
        variables = _variables(request, bool(caps["thinking"]), notes)
        if request.documents and "documents" not in variables:
            notes.say("Documents are left out: llama.cpp hands none to templates.")
        given = variables.get("documents")
        changed = replace(
            request,
            messages=[*made],
            tools=tools,
            documents=given if isinstance(given, list) else None,
            variables=variables,
            normalise=False,
        )
        changed = _without_added(with_left_out(continued(changed, messages, facts, notes)), request, notes)
        _say_undefined(changed, notes)
        return Profiled(changed, notes.said)


def _tools(tools: list[JsonValue] | None, notes: Rewrites) -> list[JsonValue] | None:
    if not tools:
        return None
    made: list[JsonValue] = []
    for tool in tools:
        function = tool.get("function") if isinstance(tool, dict) else None
        if not isinstance(tool, dict) or not isinstance(function, dict) or tool.get("type") != "function":
            raise notes.refusal("tools must be of type “function” and have a function", field="tools")
        if "name" not in function:
            raise notes.refusal("a tool has no name", field="tools")
        kept: JsonObject = {
            "name": function["name"],
            "description": function.get("description", ""),
            "parameters": function.get("parameters", {}),
        }
        made.append({"type": "function", "function": kept})
        if list(kept.items()) != list(function.items()) or list(tool) != ["type", "function"]:
            notes.say("Tools are written as name, description and parameters; other fields are left out.")
    return made


def _variables(request: RenderRequest, thinking: bool, notes: Rewrites) -> JsonObject:
    """The template's variables: the two special tokens, llama.cpp's own defaults, and what the request sets."""
    given = {name: value for name, value in request.variables.items() if name not in (_ADDS_BOS, _ADDS_EOS)}
    lost = [name for name in SPECIAL_TOKENS[2:] if given.pop(name, None) is not None]
    if lost:
        verb = "is" if len(lost) == 1 else "are"
        notes.say(f"{listed(lost)} {verb} left out: llama.cpp knows bos_token and eos_token only.")
    if isinstance(given.get("enable_thinking"), str):
        raise notes.refusal("“enable_thinking” must be true or false", field="enable_thinking")
    now = datetime.fromisoformat(request.now) if request.now else datetime.now()
    defaults: JsonObject = {
        "bos_token": "",
        "eos_token": "",
        "enable_thinking": thinking,
        "datetime": f"{now:%b %d %Y}",
        "date_string": f"{now:%d %b %Y}",
        "preserve_reasoning": True,
    }
    preserve = given.get("preserve_reasoning", True)
    if isinstance(preserve, bool):
        defaults |= {name: kept if preserve else not kept for name, kept in _PRESERVE.items()}
    effort = given.get("reasoning_effort")
    if isinstance(effort, str) and effort:
        defaults["reasoning_strength"] = effort
    # A template reads no variable whose name does not stand in it, so the others would only be noise.
    defaults = {name: value for name, value in defaults.items() if name in request.source or name in SPECIAL_TOKENS}
    for name, value in defaults.items():
        if name not in given and value != "":
            notes.say(f"The variable “{name}” is defined by llama.cpp itself, as {_shown(value)}.")
    return {**defaults, **given}


def _without_added(request: RenderRequest, asked: RenderRequest, notes: Rewrites) -> RenderRequest:
    """The request without the tokens at the prompt's ends that llama.cpp adds when it cuts a prompt to tokens.

    The vocabulary says which (`add_bos_token`, `add_eos_token`). Where that is not known, one whose template writes
    bos_token is taken to add it, as those of Llama, Gemma, Mistral and DeepSeek do.
    """
    bos, eos = str(request.variables["bos_token"] or ""), str(request.variables["eos_token"] or "")
    adds = asked.variables.get(_ADDS_BOS)
    start = bos if adds is True or (adds is None and "bos_token" in request.source) else ""
    if start:
        known = "" if adds is True else f"; set {_ADDS_BOS} to false where its vocabulary does not"
        notes.say(f"“{start}” at the start is left out: llama.cpp puts it there itself{known}.")
    end = eos if asked.variables.get(_ADDS_EOS) is True else ""
    if end:
        notes.say(f"“{end}” at the end is left out: llama.cpp puts it there itself.")
    return replace(request, ends=replace(request.ends, cut_start=start, cut_end=end))


def _say_undefined(request: RenderRequest, notes: Rewrites) -> None:
    for name in request.left_out:
        if f"{name} is defined" in request.source or f"{name} is not defined" in request.source:
            notes.say(f"The variable “{name}” is not defined, where others hand over none or false.")


def _shown(value: JsonValue) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else f"“{value}”"


PROFILE: RuntimeProfile = LlamaCpp()
