"""Reads replies of Anthropic's messages API: named events, or one body.

Blocks are told apart by index alone: llama.cpp closes its thinking block after the text, and gateways mix kinds under
one index, so neither nesting nor a block's kind is relied on (wire-format notes, sections 5.8 and 10).
"""

from thinkpane.endpoints.dialects._repeated import fresh_blocks, is_llamacpps_message
from thinkpane.endpoints.dialects._reply import Reply
from thinkpane.endpoints.dialects._tool_calls import arguments_text, index_of
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.streaming.events import WHOLE_BLOCK

_SOURCE = WHOLE_BLOCK + "thinking"
_FITS = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "thinking",
    "input_json_delta": "tool_use",
}
_OF_THE_SERVER = "_tool_use"  # server_tool_use, mcp_tool_use: the server runs them itself


class AnthropicReply:
    """Fills a Reply from decoded events or from one body."""

    def __init__(self, reply: Reply) -> None:
        self._reply = reply
        self._kinds: dict[int, str] = {}
        self._inputs: dict[int, JsonValue] = {}
        self._usage: JsonObject = {}

    def part(self, value: JsonObject, event: str) -> None:
        """Takes one event, by its own type, else by the name it came under."""
        kind = value.get("type")
        kind = kind if isinstance(kind, str) else event
        index = index_of(value.get("index")) or 0
        if kind == "message_start":
            message = value.get("message")
            self._start(message if isinstance(message, dict) else {})
        elif kind == "content_block_start":
            block = value.get("content_block")
            self._start_block(index, block if isinstance(block, dict) else {})
        elif kind == "content_block_delta":
            delta = value.get("delta")
            self._take_delta(index, delta if isinstance(delta, dict) else {}, value)
        elif kind == "content_block_stop":
            self._take_input(index)
        elif kind == "message_delta":
            self._take_message_delta(value)
        elif kind == "message_stop":
            self._reply.done()
        elif kind != "ping":
            self._reply.unknown(kind or "event", value)

    def plain(self, value: JsonObject) -> None:
        """None: every value is read."""

    def whole(self, value: JsonObject) -> bool:
        """Takes one body."""
        if not isinstance(value.get("content"), list | str):
            return False
        self._start(fresh_blocks(value, self._reply.continued) if is_llamacpps_message(value) else value)
        self._reply.finish(value.get("stop_reason"))
        return True

    def end(self) -> None:
        """Ends the reply."""
        for index in list(self._inputs):
            self._take_input(index)
        self._reply.end(ended_by="stop reason")

    def _start(self, message: JsonObject) -> None:
        """A message with what it holds already: nothing yet in a stream, everything in a body."""
        self._reply.started(message.get("id"), message.get("model"))
        content = message.get("content")
        if isinstance(content, str):
            self._reply.text(content)
        for index, block in enumerate(content if isinstance(content, list) else []):
            if isinstance(block, dict):
                self._start_block(index, block)
                if block.get("input") == {}:
                    self._inputs[index] = {}  # whole here, where a stream only holds the place with it
                self._take_input(index)
        self._add_usage(message.get("usage"))

    def _start_block(self, index: int, block: JsonObject) -> None:
        kind = _text(block, "type")
        if index in self._inputs:
            self._take_input(index)
        self._kinds[index] = kind
        if kind == "text":
            self._reply.text(_text(block, "text"))
        elif kind == "thinking":
            self._think(index, _text(block, "thinking"))
            self._reply.opaque("signature", _text(block, "signature"), _key(index))
        elif kind == "redacted_thinking":
            self._reply.opaque("redacted", _text(block, "data"), _key(index))
        elif kind == "tool_use":
            self._reply.tool_begins(index)
            self._reply.tool_piece(index, _text(block, "id"), _text(block, "name"), "")
            if block.get("input"):
                self._inputs[index] = block["input"]
        else:
            self._reply.unknown(kind or "content_block", block)

    def _take_delta(self, index: int, delta: JsonObject, event: JsonObject) -> None:
        kind = _text(delta, "type")
        of_block = self._kinds.get(index, "")
        if kind == "input_json_delta" and of_block.endswith(_OF_THE_SERVER):
            self._reply.unknown(of_block, event)
            return
        if kind in _FITS and of_block and _FITS[kind] != of_block:
            sentence = f"The server sent a {kind} inside a block of kind {of_block}; it is read as what it says it is."
            self._reply.warn("delta-type-mismatch", sentence)
        if kind == "text_delta":
            self._reply.text(_text(delta, "text"))
        elif kind == "thinking_delta":
            self._think(index, _text(delta, "thinking"))
        elif kind == "signature_delta":
            self._reply.opaque("signature", _text(delta, "signature"), _key(index))
        elif kind == "input_json_delta":
            if _text(delta, "partial_json"):
                self._inputs.pop(index, None)
                self._reply.tool_piece(index, "", "", _text(delta, "partial_json"))
        else:
            self._reply.unknown(kind or "content_block_delta", event)

    def _think(self, index: int, text: str) -> None:
        if text:
            self._reply.thinking_block(_key(index), _SOURCE, text)

    def _take_input(self, index: int) -> None:
        """The arguments that stood in a block's start, where no piece of them came after it."""
        value = self._inputs.pop(index, None)
        if value is not None:
            self._reply.tool_piece(index, "", "", arguments_text(value))

    def _take_message_delta(self, event: JsonObject) -> None:
        delta = event.get("delta")
        delta = delta if isinstance(delta, dict) else {}
        self._add_usage(event.get("usage"))
        self._reply.finish(delta.get("stop_reason"))
        if delta.get("stop_details"):
            self._reply.unknown("stop_details", event)

    def _add_usage(self, usage: JsonValue) -> None:
        """Counts are cumulative and come in two events; the later ones count."""
        if isinstance(usage, dict) and usage:
            self._usage = self._usage | {name: value for name, value in usage.items() if value is not None}
            self._reply.usage(self._usage)


def _key(index: int) -> str:
    return f"block {index}"


def _text(value: JsonObject, name: str) -> str:
    found = value.get(name)
    return found if isinstance(found, str) else ""
