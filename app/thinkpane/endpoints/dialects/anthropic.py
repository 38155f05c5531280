"""Anthropic's messages API, as Anthropic and the servers and gateways that copy it speak it."""

from thinkpane.endpoints.dialects._anthropic_messages import to_anthropic
from thinkpane.endpoints.dialects._anthropic_options import (
    choice_of,
    sampling_of,
    takes_adaptive,
    thinking_of,
    tools_of,
)
from thinkpane.endpoints.dialects._anthropic_reply import AnthropicReply
from thinkpane.endpoints.dialects._api import Call, HttpRequest, SecretHeader, SendPath
from thinkpane.endpoints.dialects._body import ReplyReader
from thinkpane.endpoints.dialects._decision import decision_of
from thinkpane.endpoints.dialects._decoding import Decoding
from thinkpane.endpoints.dialects._reply import Reply
from thinkpane.endpoints.dialects._requests import merged, messages_of, post
from thinkpane.endpoints.dialects._urls import joined_versioned
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue

API_VERSION = "2023-06-01"
_KEY = SecretHeader("x-api-key", "")


class Anthropic(Decoding):
    """The dialect anthropic."""

    name = "anthropic"
    title = "Anthropic messages"
    path: SendPath = "chat"
    counterpart = ""

    def url(self, base_url: str) -> str:
        """…/v1/messages, whatever prefix a gateway has. Raises ThinkpaneError (kind "url") for no web address."""
        return joined_versioned(base_url, "/messages")

    def request(self, base_url: str, call: Call) -> HttpRequest:
        """The request for `call`. Raises ThinkpaneError for a bad URL and for a raw call."""
        if call.path != "chat":
            raise ThinkpaneError(Problem("request", "Anthropic's API takes messages; it has no raw path."))
        warnings: list[Problem] = []
        own = ("thinking",) if isinstance(call.params.get("thinking"), dict) else ()
        decision = decision_of(call, "Anthropic", warnings, keep=own)
        given = dict(decision.params)
        thinking = thinking_of(call.model, decision, given.pop("thinking", None), warnings)
        choice = choice_of(given)
        sampling = sampling_of(given, thinking, warnings)
        is_on = isinstance(sampled := thinking.get("thinking"), dict) and sampled.get("type") != "disabled"
        system, messages = to_anthropic(messages_of(call), warnings, thinking=is_on)
        body: JsonObject = {"model": call.model} if call.model else {}
        if system:
            body["system"] = system
        body["messages"] = messages
        if call.tools:
            body["tools"] = tools_of(call.tools)
        if choice:
            body["tool_choice"] = choice
        if call.documents:
            warnings.append(Problem("documents-not-sent", "Anthropic's API takes no documents; they are not sent."))
        _warn_of_prefill(call.model, messages, warnings)
        body = merged(merged(body, sampling), thinking) | {"stream": call.stream}
        headers = (("anthropic-version", API_VERSION),)
        return post(self.url(base_url), body, call, warnings, secret=_KEY, headers=headers)

    def _reader(self, reply: Reply) -> ReplyReader:
        return AnthropicReply(reply)


def _warn_of_prefill(model: str, messages: list[JsonValue], warnings: list[Problem]) -> None:
    last = messages[-1] if messages else None
    if isinstance(last, dict) and last.get("role") == "assistant" and takes_adaptive(model):
        sentence = "The conversation ends with the assistant; models from 4.6 on refuse to continue a message."
        warnings.append(Problem("prefill-refused", sentence))


DIALECT = Anthropic()
