"""Reads replies of Ollama's own API: one JSON object a line, from /api/chat (`message`) and /api/generate (`response`).

Source: Ollama's api/types.go by way of the house's wire-format notes, section 7.
"""

from thinkpane.endpoints.dialects._reply import Reply
from thinkpane.endpoints.dialects._tool_calls import arguments_text
from thinkpane.formats.json_values import JsonObject, JsonValue

_COUNTS = ("prompt_eval_count", "eval_count")
_THINKING = ("thinking", "reasoning", "reasoning_content")  # the latter two: servers that copy Ollama's API
_TIMES = ("total_duration", "load_duration", "prompt_eval_duration", "eval_duration")


class OllamaReply:
    """Fills a Reply from decoded lines or from one body."""

    def __init__(self, reply: Reply) -> None:
        self._reply = reply
        self._calls = 0

    def part(self, value: JsonObject, event: str) -> None:
        """Takes one line."""
        reply = self._reply
        reply.started(None, value.get("model"))
        message, response = value.get("message"), value.get("response")
        if isinstance(message, dict):
            self._take_message(message, message.get("content"))
        elif isinstance(response, str) or value.get("thinking"):
            self._take_message(value, response)
        elif "done" not in value:
            reply.unknown(event or "line", value)
        if isinstance(value.get("_debug_info"), dict):
            reply.unknown("_debug_info", value)
        if value.get("done") is True:
            self._reply.done()
            reply.usage({name: value[name] for name in _COUNTS if name in value})
            reply.timings({name: value[name] for name in _TIMES if name in value})
            reply.finish(value.get("done_reason"))

    def plain(self, value: JsonObject) -> None:
        """None: every value is read."""

    def whole(self, value: JsonObject) -> bool:
        """Takes one body."""
        if not isinstance(value.get("message"), dict) and not isinstance(value.get("response"), str):
            return False
        self.part(value, "")
        return True

    def end(self) -> None:
        """Ends the reply."""
        self._reply.end(ended_by="line that says done")

    def _take_message(self, message: JsonObject, content: JsonValue) -> None:
        calls = message.get("tool_calls")
        for name in _THINKING:
            thinking = message.get(name)
            if isinstance(thinking, str):
                self._reply.thinking(f"field: {name}", thinking)
        if isinstance(content, str):
            self._reply.text(content)
        for call in calls if isinstance(calls, list) else []:
            if isinstance(call, dict):
                self._take_call(call)
        if message.get("images"):
            self._reply.unknown("images", message)

    def _take_call(self, call: JsonObject) -> None:
        """A call comes whole, so each is one of its own whatever number it bears."""
        function = call.get("function")
        function = function if isinstance(function, dict) else call
        id, name = call.get("id"), function.get("name")
        self._calls += 1
        self._reply.tool_piece(
            f"whole {self._calls}",
            id if isinstance(id, str) else "",
            name if isinstance(name, str) else "",
            arguments_text(function.get("arguments")),
        )
