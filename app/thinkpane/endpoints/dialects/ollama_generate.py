"""Ollama's raw path, /api/generate with raw: the rendered prompt exactly as it is shown.

Ollama's OpenAI-like /v1/completions is no raw path: it puts the prompt through the model's own template.
"""

from thinkpane.endpoints.dialects._api import Call, HttpRequest, SendPath
from thinkpane.endpoints.dialects._body import ReplyReader
from thinkpane.endpoints.dialects._decoding import Decoding
from thinkpane.endpoints.dialects._ollama_options import ollama_body
from thinkpane.endpoints.dialects._ollama_reply import OllamaReply
from thinkpane.endpoints.dialects._reply import Reply
from thinkpane.endpoints.dialects._requests import post, prompt_of
from thinkpane.endpoints.dialects._urls import joined_native
from thinkpane.errors import Problem


class OllamaGenerate(Decoding):
    """The dialect ollama-generate."""

    name = "ollama-generate"
    title = "Ollama generate (raw prompt)"
    path: SendPath = "raw"
    counterpart = "ollama"
    framing = "ndjson"

    def url(self, base_url: str) -> str:
        """…/api/generate; a `/v1` at the end is taken off. Raises ThinkpaneError (kind "url") for no web address."""
        return joined_native(base_url, "/api/generate")

    def request(self, base_url: str, call: Call) -> HttpRequest:
        """The prompt and nothing that Ollama would render. Raises ThinkpaneError without a prompt."""
        warnings: list[Problem] = []
        body = ollama_body(call, call.params, warnings)
        body |= {"prompt": prompt_of(call), "raw": True}
        return post(self.url(base_url), body, call, warnings, stream_type="application/x-ndjson")

    def _reader(self, reply: Reply) -> ReplyReader:
        return OllamaReply(reply)


DIALECT = OllamaGenerate()
