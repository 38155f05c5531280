"""Reads replies of OpenAI's Responses API: named events, or one body.

What belongs together is known by output_index and item_id (llama.cpp sends only the latter). Whole texts come again at
the end of a part, an item and the response: they count only where no piece of them came before.
"""

from thinkpane.endpoints.dialects._errors import problem_from
from thinkpane.endpoints.dialects._repeated import fresh_output, is_llamacpps_response
from thinkpane.endpoints.dialects._reply import Reply
from thinkpane.endpoints.dialects._tool_calls import arguments_text
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.streaming.events import WHOLE_BLOCK

_SUMMARY, _RAW = WHOLE_BLOCK + "reasoning summary", WHOLE_BLOCK + "reasoning text"
_ENDS = ("response.completed", "response.incomplete", "response.failed", "response.cancelled")
_BEGINNINGS = ("response.created", "response.in_progress", "response.queued")
_KNOWN_TO_BE_EMPTY = ("response.content_part.added", "response.reasoning_summary_part.added", "keepalive", "ping")
_CALLS = ("function_call", "custom_tool_call")
_KIND_OF = {
    **dict.fromkeys(("text", "refusal"), "message"),
    **dict.fromkeys(("summary", "reasoning", "encrypted"), "reasoning"),
}


class ResponsesReply:
    """Fills a Reply from decoded events or from one body."""

    def __init__(self, reply: Reply) -> None:
        self._reply = reply
        self._item_at: dict[int, str] = {}
        self._latest = ""
        self._other_ids: dict[str, str] = {}
        self._seen: set[tuple[str, str]] = set()
        self._calls: dict[str, str] = {}
        self._thought_at: dict[str, str] = {}

    def part(self, value: JsonObject, event: str) -> None:
        """Takes one event, by its own type, else by the name it came under."""
        kind = _text(value, "type") or event
        response, item, part = (_object(value, name) for name in ("response", "item", "part"))
        if kind in _BEGINNINGS:
            self._reply.started(response.get("id"), response.get("model"))
        elif kind in _ENDS:
            self._take_response(response, kind.removeprefix("response."))
        elif kind in ("response.output_item.added", "response.output_item.done"):
            self._take_item(self._key_of_item(item, value), item, done=kind.endswith("done"))
        elif kind in ("response.content_part.done", "response.reasoning_summary_part.done"):
            self._take_part(self._key(value), part, value)
        elif kind.endswith((".delta", ".done")) and self._take_piece(kind, value):
            return
        elif kind not in _KNOWN_TO_BE_EMPTY:
            self._reply.unknown(kind or "event", value)

    def plain(self, value: JsonObject) -> None:
        """None: every value is read."""

    def whole(self, value: JsonObject) -> bool:
        """Takes one body."""
        if not isinstance(value.get("output"), list):
            return False
        self._reply.started(value.get("id"), value.get("model"))
        self._take_response(fresh_output(value, self._reply.continued) if is_llamacpps_response(value) else value, "")
        return True

    def end(self) -> None:
        """Ends the reply."""
        self._reply.end(ended_by="event that ends a response")

    def _take_piece(self, kind: str, value: JsonObject) -> bool:
        """A delta, or the whole text where no delta of it came; False for a kind that is none of these."""
        what, _, form = kind.removeprefix("response.").rpartition(".")
        key = self._key(value)
        text = _text(value, "delta" if form == "delta" else "arguments" if "arguments" in what else "text")
        if what == "reasoning_summary_text":
            self._think(key, f"summary {value.get('summary_index') or 0}", text, form)
        elif what in ("reasoning_text", "reasoning"):
            # One block an item: vLLM counts its content_index up with every delta.
            self._think(key, "reasoning", text, form)
        elif what == "output_text":
            self._say(key, f"text {value.get('content_index') or 0}", text, form)
        elif what == "refusal":
            self._refuse(key, value.get("content_index"), text or _text(value, "refusal"), form)
        elif what in ("function_call_arguments", "custom_tool_call_input"):
            self._call(key, _text(value, "name"), text or _text(value, "input"), form)
        else:
            return False
        return True

    def _take_item(self, key: str, item: JsonObject, *, done: bool) -> None:
        kind = item.get("type")
        if kind in _CALLS:
            if not self._calls.get(key):
                self._calls[key] = _text(item, "call_id") or _text(item, "id")
                self._reply.tool_piece(key, self._calls[key], _text(item, "name"), "")
            arguments = item.get("arguments") if kind == "function_call" else item.get("input")
            self._call(key, "", arguments_text(arguments), "done" if done else "added")
        elif kind == "reasoning":
            if done:
                self._take_reasoning(key, item)
        elif kind == "message":
            for index, part in enumerate(_list(item.get("content")) if done else []):
                self._take_part(key, part, {"content_index": index})
        else:
            self._reply.unknown(str(kind or "item"), item)

    def _take_reasoning(self, key: str, item: JsonObject) -> None:
        for index, part in enumerate(_list(item.get("summary"))):
            self._think(key, f"summary {index}", _text(part, "text"), "done")
        raw = "".join(_text(part, "text") for part in _list(item.get("content")))
        self._think(key, "reasoning", raw, "done")
        encrypted = _text(item, "encrypted_content")
        if encrypted and (key, "encrypted") not in self._seen:
            self._seen.add((key, "encrypted"))
            self._reply.opaque("redacted", encrypted, self._thought_at.get(key, f"{key} encrypted"))

    def _take_part(self, key: str, part: JsonObject, at: JsonObject) -> None:
        kind, text = part.get("type"), _text(part, "text")
        if kind in ("output_text", "text"):
            self._say(key, f"text {at.get('content_index') or 0}", text, "done")
        elif kind == "refusal":
            self._refuse(key, at.get("content_index"), _text(part, "refusal"), "done")
        elif kind == "summary_text":
            self._think(key, f"summary {at.get('summary_index') or 0}", text, "done")
        elif kind == "reasoning_text":
            self._think(key, "reasoning", text, "done")
        else:
            self._reply.unknown(str(kind or "part"), part)

    def _take_response(self, response: JsonObject, ended_as: str) -> None:
        """The response as a whole, at its end: what no event brought, and how it ended."""
        came = {_KIND_OF.get(which.partition(" ")[0], "function_call") for _, which in self._seen}
        came |= {"function_call"} if self._calls else set()
        for index, item in enumerate(_list(response.get("output"))):
            if item.get("type") not in came:
                self._take_item(_text(item, "id") or f"item {index}", item, done=True)
        self._reply.usage(response.get("usage"))
        self._reply.timings(response.get("timings"))
        status = _text(response, "status") or ended_as
        reason = _text(_object(response, "incomplete_details"), "reason")
        if status in ("in_progress", "queued"):
            return
        self._reply.done()
        self._reply.finish(f"{status}:{reason}" if status == "incomplete" and reason else status or "completed")
        if reason == "content_filter":
            self._reply.warn("content-filtered", "The server's filter stopped the reply (“content_filter”).")
        if status == "failed":
            self._reply.fail(problem_from({"error": response.get("error") or "the response failed"}))

    def _think(self, key: str, which: str, text: str, form: str) -> None:
        if self._is_new(key, which, text, form):
            block = self._thought_at[key] = f"{key} {which}"
            self._reply.thinking_block(block, _RAW if which == "reasoning" else _SUMMARY, text)

    def _say(self, key: str, which: str, text: str, form: str) -> None:
        if self._is_new(key, which, text, form):
            self._reply.text(text)

    def _refuse(self, key: str, index: JsonValue, text: str, form: str) -> None:
        if self._is_new(key, f"refusal {index or 0}", text, form):
            self._reply.warn("refusal", "The model refused; its refusal is shown as the answer.")
            self._reply.text(text)

    def _call(self, key: str, name: str, arguments: str, form: str) -> None:
        if self._is_new(key, "arguments", arguments, form) or (name and key not in self._calls):
            self._calls.setdefault(key, "")
            self._reply.tool_piece(key, "", name, arguments)

    def _is_new(self, key: str, which: str, text: str, form: str) -> bool:
        """False for nothing, and for a whole text of which pieces came already."""
        if not text or (form != "delta" and (key, which) in self._seen):
            return False
        self._seen.add((key, which))
        return True

    def _key_of_item(self, item: JsonObject, value: JsonObject) -> str:
        """An item's key; with one output_index it stays the same, whatever id comes later."""
        index, key = value.get("output_index"), _text(item, "id") or _text(item, "call_id")
        if isinstance(index, int):
            key = self._item_at.setdefault(index, _text(item, "id") or f"item {index}")
        self._latest = key
        self._other_ids[_text(item, "call_id")] = key
        return key

    def _key(self, value: JsonObject) -> str:
        id, index = _text(value, "item_id"), value.get("output_index")
        if isinstance(index, int):
            return self._item_at.setdefault(index, id or f"item {index}")
        return self._other_ids.get(id, id) if id else self._latest


def _object(value: JsonObject, name: str) -> JsonObject:
    found = value.get(name)
    return found if isinstance(found, dict) else {}


def _list(value: JsonValue) -> list[JsonObject]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _text(value: JsonObject, name: str) -> str:
    found = value.get(name)
    return found if isinstance(found, str) else ""
