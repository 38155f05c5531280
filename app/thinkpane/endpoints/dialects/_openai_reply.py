"""Reads replies of OpenAI's chat completions and text completions, and of all who speak like them.

A choice may hold `delta` (streamed), `message` (whole) or `text` (completions); servers mix them up, so all are read.
Presence counts, not truth: "" and null say "nothing here", and neither hides another field.
"""

from thinkpane.endpoints.dialects._body import Plain
from thinkpane.endpoints.dialects._errors import problem_from
from thinkpane.endpoints.dialects._repeated import fresh_choices, is_llamacpps_chat
from thinkpane.endpoints.dialects._reply import Reply
from thinkpane.endpoints.dialects._tool_calls import calls_of
from thinkpane.formats.json_values import JsonObject, JsonValue

THINKING_FIELDS = ("reasoning_content", "reasoning", "thinking", "reasoning_text")
_REPEATED = {"id", "object", "created", "model", "system_fingerprint", "service_tier", "provider", "choices", "usage"}
_SAYING = ("finish_reason", "native_finish_reason", "logprobs", "usage", "error")
_QUIET = {"index", "delta", "text", *_SAYING}
_TEXTS = ("content", "text", *THINKING_FIELDS)
_HARMLESS = {"role", "index", "finish_reason", "logprobs", *_TEXTS}
_OLLAMA = "Ollama leaves its errors out of this stream; its own API (Ollama chat) sends them."
_INNER_TEXT = ("text", "thinking", "reasoning", "content", "summary", "reasoningText")


class OpenAIReply:
    """Fills a Reply from decoded events or from one body."""

    def __init__(self, reply: Reply) -> None:
        self._reply = reply
        self._choice: JsonValue = None
        self._streamed_text = False
        self._is_ollama = False

    def part(self, value: JsonObject, event: str) -> None:
        """Takes one chunk."""
        reply = self._reply
        reply.started(value.get("id"), value.get("model"))
        self._is_ollama = self._is_ollama or value.get("system_fingerprint") == "fp_ollama"
        choices = value.get("choices")
        if isinstance(choices, list):
            for choice in choices:
                if isinstance(choice, dict):
                    self._take_choice(choice)
        elif "usage" not in value and "timings" not in value:
            kind = value.get("object")
            reply.unknown(event or (kind if isinstance(kind, str) else "") or "event", value)
        if isinstance(value.get("prompt_progress"), dict):
            reply.unknown("prompt_progress", value)
        reply.timings(value.get("timings"))
        reply.usage(value.get("usage"))
        groq = value.get("x_groq")
        if isinstance(groq, dict):
            reply.usage(groq.get("usage"))
            if groq.get("error"):
                reply.fail(problem_from(groq))

    def plain(self, value: JsonObject) -> Plain | None:
        """The one text of a chunk that has nothing beside it but what every chunk of its reply repeats."""
        choices = value.get("choices")
        if not (isinstance(choices, list) and len(choices) == 1 and set(value) <= _REPEATED) or value.get("usage"):
            return None
        choice = choices[0]
        if not isinstance(choice, dict) or (choice.get("index") or 0) != self._choice or not set(choice) <= _QUIET:
            return None
        holder = choice.get("delta", choice)
        if not isinstance(holder, dict) or any(choice.get(name) for name in _SAYING):
            return None
        said = [(name, text) for name, text in holder.items() if text and name in _TEXTS and isinstance(text, str)]
        if (
            len(said) != 1
            or any(isinstance(holder.get(name), dict | list) for name in _TEXTS)
            or not set(holder) <= _HARMLESS
        ):
            return None
        name, text = said[0]
        place = f"field: {name}"
        take = self._reply.text if name in ("content", "text") else lambda more: self._reply.thinking(place, more)
        return Plain(text, take)

    def whole(self, value: JsonObject) -> bool:
        """Takes one body."""
        choices = value.get("choices")
        if not isinstance(choices, list):
            return False
        if is_llamacpps_chat(value):
            value = fresh_choices(value, self._reply.continued)
            choices = value["choices"] if isinstance(value["choices"], list) else []
        self.part(value, "")
        if any(isinstance(each, dict) and isinstance(each.get("message"), dict) for each in choices):
            self._reply.done()  # a message that came whole cannot have been cut off on its way
        return True

    def end(self) -> None:
        """Ends the reply."""
        self._reply.end(ended_by="finish reason", advice=_OLLAMA if self._is_ollama else "")

    def _take_choice(self, choice: JsonObject) -> None:
        index = choice.get("index") or 0
        if self._choice is None:
            self._choice = index
        if index != self._choice:
            self._reply.warn("several-choices", "The reply has several choices; the first is shown.")
            return
        delta, message, text = choice.get("delta"), choice.get("message"), choice.get("text")
        if isinstance(delta, dict):
            self._streamed_text = True
            self._take_message(delta)
        elif isinstance(text, str):
            self._take_fields(choice)
            self._reply.text(text)
        if isinstance(message, dict) and not self._streamed_text:
            self._take_message(message)
        self._reply.usage(choice.get("usage"))
        if choice.get("error"):
            self._reply.fail(problem_from(choice))
        self._reply.finish(choice.get("finish_reason"))

    def _take_message(self, message: JsonObject) -> None:
        self._take_fields(message)
        details = message.get("reasoning_details")
        for detail in details if isinstance(details, list) else []:
            if isinstance(detail, dict):
                self._take_detail(detail)
        blocks = message.get("thinking_blocks")
        for block in blocks if isinstance(blocks, list) else []:
            if isinstance(block, dict):
                self._take_block(block)
        self._take_content(message.get("content"))
        refusal = message.get("refusal")
        if isinstance(refusal, str) and refusal:
            self._reply.warn("refusal", "The model refused; its refusal is shown as the answer.")
            self._reply.text(refusal)
        calls = calls_of(message)
        if calls:
            self._reply.tool_calls(calls)

    def _take_fields(self, holder: JsonObject) -> None:
        for name in THINKING_FIELDS:
            if value := holder.get(name):
                self._take_thinking(f"field: {name}", value)

    def _take_thinking(self, place: str, value: JsonValue) -> None:
        """A thinking field: text, or as gateways send it an object or a list of parts."""
        if isinstance(value, str):
            self._reply.thinking(place, value)
        elif isinstance(value, list):
            for part in value:
                self._take_thinking(place, part)
        elif isinstance(value, dict):
            for name in _INNER_TEXT:
                if value.get(name):
                    self._take_thinking(place, value[name])
                    break
            self._take_proofs(value)

    def _take_detail(self, detail: JsonObject) -> None:
        encrypted = detail.get("data")
        if isinstance(encrypted, str):
            self._reply.opaque("redacted", encrypted, f"encrypted {detail.get('id') or detail.get('index') or 0}")
        else:
            self._take_thinking("field: reasoning_details", detail)

    def _take_block(self, block: JsonObject) -> None:
        """A block of Anthropic's, as LiteLLM passes it on beside the text of the same thinking."""
        if block.get("type") == "redacted_thinking" and isinstance(block.get("data"), str):
            self._reply.opaque("redacted", str(block["data"]))
        else:
            self._take_thinking("field: thinking_blocks", block)

    def _take_proofs(self, value: JsonObject) -> None:
        signature, redacted = value.get("signature"), value.get("redactedContent")
        if isinstance(signature, str):
            self._reply.opaque("signature", signature)
        if isinstance(redacted, str):
            self._reply.opaque("redacted", redacted)

    def _take_content(self, content: JsonValue) -> None:
        if isinstance(content, str):
            self._reply.text(content)
        elif isinstance(content, list):
            for part in content:
                self._take_content(part)
        elif isinstance(content, dict):
            kind = content.get("type")
            inner = next((content[name] for name in _INNER_TEXT if content.get(name)), None)
            if kind in ("thinking", "reasoning"):
                self._take_thinking(f"content part: {kind}", content)
            elif isinstance(inner, str):
                self._reply.text(inner)
            elif content.get("refusal"):
                self._take_content(content["refusal"])
            elif kind not in (None, "text"):
                self._reply.unknown(str(kind), content)
