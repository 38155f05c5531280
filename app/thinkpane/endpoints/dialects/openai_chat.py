"""OpenAI's chat completions, in the ways of the call's variant; the generic one serves all that have none of their own.

Template variables go into `chat_template_kwargs` and nowhere else: at the top level vLLM, SGLang and llama.cpp ignore
them without a word (docs/architecture.md, Exact terms).
"""

from thinkpane.endpoints.dialects._api import Call, HttpRequest, SendPath
from thinkpane.endpoints.dialects._body import ReplyReader
from thinkpane.endpoints.dialects._decoding import Decoding
from thinkpane.endpoints.dialects._openai_reply import OpenAIReply
from thinkpane.endpoints.dialects._reply import Reply
from thinkpane.endpoints.dialects._requests import post, with_argument_text
from thinkpane.endpoints.dialects._urls import joined, split
from thinkpane.endpoints.dialects._variant_body import chat_messages, fields_of, prefill_of
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject


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
        variant = call.variant
        body: JsonObject = {"model": call.model} if call.model else {}
        messages = [with_argument_text(message) for message in chat_messages(call, warnings)]
        body["messages"], prefill = prefill_of(messages, call, warnings)
        if call.continue_final and not split(base_url).path.rstrip("/").endswith(variant.prefill_path):
            sentence = f"{variant.title} continues a message only at addresses that end in {variant.prefill_path}."
            warnings.append(Problem("prefill-not-here", sentence))
        if call.tools:
            body["tools"] = call.tools
        if call.documents and variant.template_variables:
            body["documents"] = call.documents
        elif call.documents:
            warnings.append(Problem("documents-not-sent", f"{variant.title} takes no documents; they are not sent."))
        body |= fields_of(call, warnings) | prefill | {"stream": call.stream}
        if call.stream and variant.stream_usage:
            body["stream_options"] = {"include_usage": True}
        return post(self.url(base_url), body, call, warnings)

    def _reader(self, reply: Reply) -> ReplyReader:
        return OpenAIReply(reply)


DIALECT = OpenAIChat()
