"""OpenAI's text completions: the raw path, which sends the rendered prompt exactly as it is shown."""

from collections.abc import Mapping

from thinkpane.endpoints.dialects._api import (
    DEFAULT_LIMITS,
    Call,
    DecodeOptions,
    Decoder,
    HttpRequest,
    Limits,
    SendPath,
)
from thinkpane.endpoints.dialects._body import BodyDecoder
from thinkpane.endpoints.dialects._errors import http_problem
from thinkpane.endpoints.dialects._openai_reply import OpenAIReply
from thinkpane.endpoints.dialects._reply import Reply
from thinkpane.endpoints.dialects._requests import post
from thinkpane.endpoints.dialects._urls import joined
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject

DEFAULT_MAX_TOKENS = 4096
"""Sent where nothing else is asked: servers default to 16 tokens here, which ends in the first line of thinking."""


class OpenAICompletions:
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
        if call.prompt is None:
            raise ThinkpaneError(Problem("request", "There is no rendered prompt to send on the raw path."))
        body: JsonObject = {"model": call.model} if call.model else {}
        body["prompt"] = call.prompt
        body |= {"max_tokens": DEFAULT_MAX_TOKENS} | dict(call.params)
        body["stream"] = call.stream
        if call.stream:
            body["stream_options"] = {"include_usage": True}
        return post(self.url(base_url), body, call, [])

    def decoder(self, options: DecodeOptions, limits: Limits = DEFAULT_LIMITS) -> Decoder:
        """For a streamed reply."""
        reply = Reply(options, limits)
        return BodyDecoder(reply, OpenAIReply(reply), limits, streamed=True)

    def answer_decoder(self, options: DecodeOptions, limits: Limits = DEFAULT_LIMITS) -> Decoder:
        """For a reply that is one JSON body."""
        reply = Reply(options, limits)
        return BodyDecoder(reply, OpenAIReply(reply), limits, streamed=False)

    def error(self, status: int, headers: Mapping[str, str], body: bytes) -> Problem:
        """The one sentence for an HTTP error answer (kind "server")."""
        return http_problem(status, headers, body)


DIALECT = OpenAICompletions()
