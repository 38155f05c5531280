"""Ollama's own chat, /api/chat: one JSON object a line, thinking switched by `think`."""

from thinkpane.endpoints.dialects._api import Call, HttpRequest, SendPath
from thinkpane.endpoints.dialects._body import ReplyReader
from thinkpane.endpoints.dialects._decision import Decision, decision_of
from thinkpane.endpoints.dialects._decoding import Decoding
from thinkpane.endpoints.dialects._ollama_messages import to_ollama
from thinkpane.endpoints.dialects._ollama_options import ollama_body
from thinkpane.endpoints.dialects._ollama_reply import OllamaReply
from thinkpane.endpoints.dialects._reply import Reply
from thinkpane.endpoints.dialects._requests import messages_of, post
from thinkpane.endpoints.dialects._urls import joined_native
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonValue

_LEVELS = ("low", "medium", "high", "max")
_NEAREST = {"minimal": "low", "xhigh": "max", "ultra": "max"}


class Ollama(Decoding):
    """The dialect ollama."""

    name = "ollama"
    title = "Ollama chat"
    path: SendPath = "chat"
    counterpart = "ollama-generate"
    framing = "ndjson"

    def url(self, base_url: str) -> str:
        """…/api/chat; a `/v1` at the end is taken off. Raises ThinkpaneError (kind "url") for no web address."""
        return joined_native(base_url, "/api/chat")

    def request(self, base_url: str, call: Call) -> HttpRequest:
        """The request for `call`. Raises ThinkpaneError for a bad URL and for a raw call."""
        if call.path != "chat":
            raise ThinkpaneError(Problem("request", "ollama sends messages; a raw prompt needs ollama-generate."))
        warnings: list[Problem] = []
        decision = decision_of(call, "Ollama", warnings)
        body = ollama_body(call, decision.params, warnings)
        body["messages"] = to_ollama(messages_of(call), warnings)
        if call.tools:
            body["tools"] = call.tools
        if call.documents:
            warnings.append(Problem("documents-not-sent", "Ollama takes no documents; they are not sent."))
        think = _think(decision, warnings)
        if think is not None:
            body["think"] = think
        return post(self.url(base_url), body, call, warnings, stream_type="application/x-ndjson")

    def _reader(self, reply: Reply) -> ReplyReader:
        return OllamaReply(reply)


def _think(decision: Decision, warnings: list[Problem]) -> JsonValue:
    """`think`: off, on or a level; None says nothing, and then a thinking model thinks."""
    effort = decision.effort
    if decision.budget is not None:
        warnings.append(Problem("param-not-sent", "Ollama has no thinking budget; it is not sent."))
    if decision.thinking is False or effort is None:
        return decision.thinking
    level = _NEAREST.get(effort, effort)
    if level not in _LEVELS:
        warnings.append(Problem("effort-unknown", f"Ollama knows the levels {', '.join(_LEVELS)}, not “{effort}”."))
    elif level != effort:
        warnings.append(
            Problem("effort-changed", f"Effort {effort} is sent as {level}, the nearest that Ollama knows.")
        )
    return level


DIALECT = Ollama()
