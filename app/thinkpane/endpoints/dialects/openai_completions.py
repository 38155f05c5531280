"""OpenAI's text completions: the raw path, which sends the rendered prompt exactly as it is shown."""

from thinkpane.endpoints.dialects._api import Call, HttpRequest, SendPath
from thinkpane.endpoints.dialects._body import ReplyReader
from thinkpane.endpoints.dialects._decoding import Decoding
from thinkpane.endpoints.dialects._openai_reply import OpenAIReply
from thinkpane.endpoints.dialects._reply import Reply
from thinkpane.endpoints.dialects._requests import post, prompt_of
from thinkpane.endpoints.dialects._urls import joined
from thinkpane.formats.json_values import JsonObject

DEFAULT_MAX_TOKENS = 4096
"""Sent where nothing else is asked: servers default to 16 tokens here, which ends in the first line of thinking."""


class OpenAICompletions(Decoding):
    """The dialect openai-completions."""

    name = "openai-completions"
    title = "OpenAI text completions (raw prompt)"
    path: SendPath = "raw"
    counterpart = "openai-chat"

    def url(self, base_url: str) -> str:
        """…/completions; a bare host gets /v1. Raises ThinkpaneError (kind "url") for no web address."""
        return joined(base_url, "/completions")

    def request(self, base_url: str, call: Call) -> HttpRequest:
        """The request for `call`: the prompt, nothing that a template would read. Raises ThinkpaneError without one."""
        body: JsonObject = {"model": call.model} if call.model else {}
        body["prompt"] = prompt_of(call)
        body |= {"max_tokens": DEFAULT_MAX_TOKENS} | dict(call.params)
        body["stream"] = call.stream
        if call.stream:
            body["stream_options"] = {"include_usage": True}
        return post(self.url(base_url), body, call, [])

    def _reader(self, reply: Reply) -> ReplyReader:
        return OpenAIReply(reply)


DIALECT = OpenAICompletions()
