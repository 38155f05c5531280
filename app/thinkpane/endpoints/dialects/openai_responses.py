"""OpenAI's Responses API, as OpenAI and the servers that copy it speak it."""

from dataclasses import replace

from thinkpane.endpoints.dialects._api import Call, HttpRequest, SendPath
from thinkpane.endpoints.dialects._body import ReplyReader
from thinkpane.endpoints.dialects._decision import EFFORTS, SWITCHES, Decision, decision_of
from thinkpane.endpoints.dialects._decoding import Decoding
from thinkpane.endpoints.dialects._params import renamed
from thinkpane.endpoints.dialects._reply import Reply
from thinkpane.endpoints.dialects._requests import merged, messages_of, post
from thinkpane.endpoints.dialects._responses_items import to_items
from thinkpane.endpoints.dialects._responses_reply import ResponsesReply
from thinkpane.endpoints.dialects._urls import joined
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue

_NAMES = {
    "max_tokens": "max_output_tokens",
    "max_completion_tokens": "max_output_tokens",
    **dict.fromkeys(("n", "stop", "seed", "presence_penalty", "frequency_penalty", "logit_bias"), ""),
}
_OF_THINKING = (*SWITCHES, *EFFORTS)
_LOGPROBS = "message.output_text.logprobs"


class OpenAIResponses(Decoding):
    """The dialect openai-responses."""

    name = "openai-responses"
    title = "OpenAI responses"
    path: SendPath = "chat"
    counterpart = "openai-completions"

    def url(self, base_url: str) -> str:
        """…/responses; a bare host gets /v1. Raises ThinkpaneError (kind "url") for no web address."""
        return joined(base_url, "/responses")

    def request(self, base_url: str, call: Call) -> HttpRequest:
        """The request for `call`. Raises ThinkpaneError for a bad URL and for a raw call."""
        if call.path != "chat":
            raise ThinkpaneError(Problem("request", "Responses takes messages; a raw prompt needs openai-completions."))
        warnings: list[Problem] = []
        variables: JsonObject = {name: value for name, value in call.variables.items() if name not in _OF_THINKING}
        own = {name: value for name, value in call.variables.items() if name in _OF_THINKING}
        decision = decision_of(replace(call, variables=own), "Responses", warnings)
        body: JsonObject = {"model": call.model} if call.model else {}
        body["input"] = to_items(messages_of(call), warnings)
        if call.tools:
            body["tools"] = [_tool(tool) for tool in call.tools]
        if call.documents:
            warnings.append(Problem("documents-not-sent", "Responses takes no documents; they are not sent."))
        if variables:
            body["chat_template_kwargs"] = variables
        body = merged(merged(body, _reasoning(decision)), _sampling(decision.params, warnings))
        return post(self.url(base_url), body | {"stream": call.stream}, call, warnings)

    def _reader(self, reply: Reply) -> ReplyReader:
        return ResponsesReply(reply)


def _reasoning(decision: Decision) -> JsonObject:
    """`reasoning`. Where thinking is wanted its summary is too: without it none is shown."""
    found: JsonObject = {}
    if decision.thinking is False:
        found = {"reasoning": {"effort": "none"}}
    elif decision.effort:
        found = {"reasoning": {"effort": decision.effort, "summary": "auto"}}
    elif decision.thinking:
        found = {"reasoning": {"summary": "auto"}}
    return found | ({"thinking_budget_tokens": decision.budget} if decision.budget is not None else {})


def _sampling(params: JsonObject, warnings: list[Problem]) -> JsonObject:
    rest = dict(params)
    found: JsonObject = {}
    text: JsonObject = {}
    format, verbosity, logprobs = (rest.pop(name, None) for name in ("response_format", "verbosity", "logprobs"))
    if isinstance(format, dict):
        schema = format.get("json_schema")
        text["format"] = {"type": format.get("type"), **schema} if isinstance(schema, dict) else format
    if verbosity is not None:
        text["verbosity"] = verbosity
    if logprobs:
        found["include"] = [_LOGPROBS]
    if text:
        found["text"] = text
    choice = rest.get("tool_choice")
    if isinstance(choice, dict) and isinstance(choice.get("function"), dict):
        rest["tool_choice"] = _tool(choice)
    return found | renamed(rest, _NAMES, "Responses", warnings)


def _tool(tool: JsonValue) -> JsonValue:
    """A tool or a choice of one: flat here, nested under `function` in chat."""
    function = tool.get("function") if isinstance(tool, dict) else None
    if not isinstance(tool, dict) or not isinstance(function, dict):
        return tool
    return {"type": "function", **function}


DIALECT = OpenAIResponses()
