"""OpenAI's chat completions, as every server speaks them that has no variant of its own.

Template variables go into `chat_template_kwargs` and nowhere else: at the top level vLLM, SGLang and llama.cpp ignore
them without a word (DESIGN.md, Exact terms).
"""

from thinkpane.endpoints.dialects._api import Call, HttpRequest, SendPath
from thinkpane.endpoints.dialects._body import ReplyReader
from thinkpane.endpoints.dialects._decoding import Decoding
from thinkpane.endpoints.dialects._openai_reply import OpenAIReply
from thinkpane.endpoints.dialects._reply import Reply
from thinkpane.endpoints.dialects._requests import messages_of, not_sent, post, with_argument_text
from thinkpane.endpoints.dialects._urls import joined
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue

_SWITCHES = ("enable_thinking", "thinking")
_EFFORTS = ("reasoning_effort", "thinking_level", "effort")


class OpenAIChat(Decoding):
    """The dialect openai-chat."""

    name = "openai-chat"
    title = "OpenAI chat completions"
    path: SendPath = "chat"
    counterpart = "openai-completions"

    def url(self, base_url: str) -> str:
        """…/chat/completions; a bare host gets /v1. Raises ThinkpaneError (kind "url") for no web address."""
        return joined(base_url, "/chat/completions")

    def request(self, base_url: str, call: Call) -> HttpRequest:
        """The request for `call`. Raises ThinkpaneError for a bad URL and for a raw call."""
        if call.path != "chat":
            raise ThinkpaneError(
                Problem("request", "openai-chat sends messages; a raw prompt needs openai-completions.")
            )
        warnings: list[Problem] = []
        body: JsonObject = {"model": call.model} if call.model else {}
        body["messages"] = [with_argument_text(message) for message in messages_of(call)]
        if call.tools:
            body["tools"] = call.tools
        if call.documents:
            body["documents"] = call.documents
        body |= {name: value for name, value in call.params.items() if name not in _SWITCHES}
        variables = _template_variables(call, warnings)
        if variables:
            body["chat_template_kwargs"] = variables
        body["stream"] = call.stream
        if call.stream:
            body["stream_options"] = {"include_usage": True}
        return post(self.url(base_url), body, call, warnings)

    def _reader(self, reply: Reply) -> ReplyReader:
        return OpenAIReply(reply)


def _template_variables(call: Call, warnings: list[Problem]) -> JsonObject:
    """The template variables, with what the controls decided about thinking where no variable says it already."""
    found: JsonObject = dict(call.variables)
    for name in _SWITCHES:
        if name in call.params:
            found.setdefault(name, call.params[name])
            warnings.append(
                not_sent("template-variable-moved", f"“{name}” at the top level has no effect; sent to the template.")
            )
    _decide(found, _SWITCHES, call.thinking, "Thinking on or off", warnings)
    _decide(found, _EFFORTS, call.effort, "The effort", warnings)
    return found


def _decide(found: JsonObject, names: tuple[str, ...], value: JsonValue, what: str, warnings: list[Problem]) -> None:
    if value is None or any(name in found for name in names):
        return
    found[names[0]] = value
    warnings.append(
        not_sent(
            "thinking-by-convention",
            f"{what} is sent as the template variable “{names[0]}”; a template that reads another name ignores it.",
        )
    )


DIALECT = OpenAIChat()
