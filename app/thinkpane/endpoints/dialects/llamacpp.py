"""llama.cpp's native /completion: the raw path with all that its server can do."""

from thinkpane.endpoints.dialects._api import Call, HttpRequest, SendPath
from thinkpane.endpoints.dialects._body import ReplyReader
from thinkpane.endpoints.dialects._decoding import Decoding
from thinkpane.endpoints.dialects._llamacpp_reply import LlamaCppReply
from thinkpane.endpoints.dialects._params import as_list, renamed
from thinkpane.endpoints.dialects._reply import Reply
from thinkpane.endpoints.dialects._requests import post, prompt_of
from thinkpane.endpoints.dialects._urls import joined_native
from thinkpane.endpoints.dialects.openai_completions import DEFAULT_MAX_TOKENS
from thinkpane.errors import Problem
from thinkpane.formats.json_values import JsonObject, JsonValue

_NAMES = {
    "max_tokens": "n_predict",
    "max_completion_tokens": "n_predict",
    "repetition_penalty": "repeat_penalty",
    "top_logprobs": "n_probs",
    **dict.fromkeys(("n", "tool_choice", "parallel_tool_calls", "verbosity", "user", "reasoning_effort"), ""),
}


class LlamaCpp(Decoding):
    """The dialect llamacpp."""

    name = "llamacpp"
    title = "llama.cpp completion (raw prompt)"
    path: SendPath = "raw"
    counterpart = "openai-chat"

    def url(self, base_url: str) -> str:
        """…/completion; a `/v1` at the end is taken off. Raises ThinkpaneError (kind "url") for no web address."""
        return joined_native(base_url, "/completion")

    def request(self, base_url: str, call: Call) -> HttpRequest:
        """The prompt and sampling, nothing that a template would read. Raises ThinkpaneError without a prompt."""
        warnings: list[Problem] = []
        body: JsonObject = {"model": call.model} if call.model else {}
        body |= {"prompt": prompt_of(call), "n_predict": DEFAULT_MAX_TOKENS, **_sampling(call, warnings)}
        return post(self.url(base_url), body | {"stream": call.stream}, call, warnings)

    def _reader(self, reply: Reply) -> ReplyReader:
        return LlamaCppReply(reply)


def _sampling(call: Call, warnings: list[Problem]) -> JsonObject:
    rest = dict(call.params)
    found: JsonObject = {}
    format, logprobs = rest.pop("response_format", None), rest.pop("logprobs", None)
    if isinstance(format, dict) and format.get("type") != "text":
        found["json_schema"] = _schema(format)
    if logprobs:
        found["n_probs"] = logprobs if isinstance(logprobs, int) and logprobs is not True else 1
    found |= renamed(rest, _NAMES, "llama.cpp's /completion", warnings)
    if "stop" in found:
        found["stop"] = as_list(found["stop"])
    return found


def _schema(format: JsonObject) -> JsonValue:
    """The schema of OpenAI's response_format; any object where it names none."""
    schema = format.get("json_schema")
    return schema.get("schema", schema) if isinstance(schema, dict) else {}


DIALECT = LlamaCpp()
