"""Reads replies of llama.cpp's native completion: an event stream or one body."""

from thinkpane.endpoints.dialects._reply import Reply
from thinkpane.formats.json_values import JsonObject

_COUNTS = ("tokens_evaluated", "tokens_predicted", "tokens_cached")
_OLD_REASONS = (("stopped_eos", "eos"), ("stopped_limit", "limit"), ("stopped_word", "word"))


class LlamaCppReply:
    """Fills a Reply from decoded events or from one body."""

    def __init__(self, reply: Reply) -> None:
        self._reply = reply
        self._index: object = None

    def part(self, value: JsonObject, event: str) -> None:
        """Takes one event."""
        reply = self._reply
        index, content = value.get("index") or 0, value.get("content")
        self._index = index if self._index is None else self._index
        if index != self._index:
            reply.warn("several-choices", "The reply has several choices; the first is shown.")
            return
        reply.started(None, value.get("model"))
        if "prompt_progress" in value:
            reply.unknown("prompt_progress", value)
        elif isinstance(content, str):
            reply.text(content)
        elif "stop" not in value:
            reply.unknown(event or "event", value)
        if value.get("stop") is True:
            self._reply.done()
            self._take_end(value)

    def plain(self, value: JsonObject) -> None:
        """None: every value is read."""

    def whole(self, value: JsonObject) -> bool:
        """Takes one body."""
        if not isinstance(value.get("content"), str):
            return False
        self.part(value, "")
        return True

    def end(self) -> None:
        """Ends the reply."""
        self._reply.end(ended_by="event that says stop")

    def _take_end(self, value: JsonObject) -> None:
        self._reply.usage({name: value[name] for name in _COUNTS if name in value})
        self._reply.timings(value.get("timings"))
        reason = value.get("stop_type")
        if reason is None:
            reason = next((word for name, word in _OLD_REASONS if value.get(name) is True), None)
        if reason != "none":
            self._reply.finish(reason)
        if value.get("truncated") is True:
            self._reply.warn("prompt-truncated", "The prompt was too long for the context; the server cut it.")
