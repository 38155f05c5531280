"""What stays at both ends of a worker's pipe: of megabytes of messages and of text only what is new crosses it.

In place of `messages` a request then has `around`: {"first": n, "last": n, "new": […]}. So many messages from the start
and from the end of those in the worker's last request stand around the new ones. Both ends go through the requests in
the same order, so that each knows what the other has. A reply's text goes the other way in the same manner (`Said`).
"""

from collections.abc import Callable, Iterator
from operator import is_
from typing import cast

from thinkpane.engine.frames import REPLY
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.tokens.changes import Blocks, Change, change_of_chunks

LEAST = 32
"""Messages of a request below which all of them are sent."""

SINCE = "since"
"""Where a result says what differs between its text and the one before it: that one, and how many code points both have
in common at their start and at their end."""

CHUNKS = "chunks"
"""Where a result holds what its text is joined of, for comparing; they are never sent."""

LEAST_TEXT = 65_536
"""Code points of a text below which all of it is sent."""

MOST_PUT_BACK = REPLY.texts
"""Code points of the texts of one reply that are put together from what is there, where a few bytes stand for
megabytes. Honest ones hold no more: their memory is bounded to as many bytes (rendering.py)."""


def of_many(payload: JsonObject) -> bool:
    """Whether a payload has so many messages that it matters which worker gets it."""
    found = (each.get("messages") for each in _parts(payload, "requests"))
    return any(isinstance(each, list) and len(each) >= LEAST for each in found)


class Sent:
    """What a worker was sent last, at the window's end."""

    def __init__(self) -> None:
        self._last: list[JsonValue] = []

    @property
    def count(self) -> int:
        """How many messages the worker has."""
        return len(self._last)

    def shortened(self, payload: JsonObject) -> JsonObject:
        """The payload with what the worker has left out; the one that is given is not changed."""
        return _with_each(payload, "requests", self._shortened)

    def _shortened(self, request: JsonObject) -> JsonObject:
        messages = request.get("messages")
        if not isinstance(messages, list) or len(messages) < LEAST:
            return request
        last, self._last = self._last, messages
        first = _alike(last, messages)
        most = min(len(last), len(messages)) - first
        end = _alike(last[::-1], messages[::-1], most)
        if not first + end:
            return request
        around: JsonObject = {"first": first, "last": end, "new": messages[first : len(messages) - end]}
        return {("around" if key == "messages" else key): value for key, value in request.items()} | {"around": around}


class Kept:
    """What a worker was sent last, at its own end."""

    def __init__(self) -> None:
        self._last: list[JsonValue] = []

    def whole(self, payload: JsonObject) -> JsonObject:
        """The payload with all its messages, put back in place."""
        for request in _parts(payload, "requests"):
            around = request.pop("around", None)
            if isinstance(around, dict):
                first, end = cast("int", around["first"]), cast("int", around["last"])
                new = cast("list[JsonValue]", around["new"])
                request["messages"] = [*self._last[:first], *new, *self._last[len(self._last) - end :]]
            messages = request.get("messages")
            if isinstance(messages, list) and len(messages) >= LEAST:
                self._last = messages
        return payload


class Said:
    """The text that a worker answered last, at its own end."""

    def __init__(self) -> None:
        self._last: list[str] | Blocks | None = None

    def forget(self) -> None:
        """An answer was not sent as it was shortened."""
        self._last = None

    def shortened(self, reply: JsonObject) -> JsonObject:
        """The reply with what its reader has left out: `same` [from the start, from the end] stand around a text. The
        one that is given is not changed."""
        result = reply.get("result")
        return reply | {"result": _with_each(result, "results", self._shortened)} if isinstance(result, dict) else reply

    def _shortened(self, given: JsonObject) -> JsonObject:
        holder = {key: value for key, value in given.items() if key != CHUNKS}
        text = holder.get("text")
        if not isinstance(text, str) or len(text) < LEAST_TEXT:
            return holder
        change = self._change_to(text, cast("list[str] | None", given.get(CHUNKS)))
        if change is None or change.before + change.after < len(text) // 2:
            return holder
        new = text[change.before : len(text) - change.after]
        return holder | {"text": new, "same": [change.before, change.after]}

    def _change_to(self, text: str, chunks: list[str] | None) -> Change | None:
        """What changed since the last text; None where there was none. This one is the last one from now on."""
        last, self._last = self._last, chunks
        if chunks is not None and isinstance(last, list):
            return change_of_chunks(last, chunks, len(text))
        blocks = Blocks("".join(last)) if isinstance(last, list) else last
        change = blocks.change_to(text) if blocks is not None else None
        if chunks is None:
            self._last = blocks.changed(change, text) if blocks is not None and change is not None else Blocks(text)
        return change


class Heard:
    """The text that a worker answered last, at the window's end."""

    def __init__(self) -> None:
        self._last = ""
        self._blocks = Blocks()
        self._left = 0

    def whole(self, reply: JsonObject) -> JsonObject:
        """The reply with its whole texts, put back in place. Raises ValueError where it tells of a text that is not
        there, or of more than `MOST_PUT_BACK`, which no honest worker does."""
        self._left = MOST_PUT_BACK
        result = reply.get("result")
        for holder in _parts(result, "results") if isinstance(result, dict) else ():
            text = holder.get("text")
            if isinstance(text, str):
                same = holder.pop("same", None)
                change = self._common(same, text) if same is not None else None
                earlier = self._last
                holder["text"] = self._text(text, change)
                if change is not None:
                    holder[SINCE] = [earlier, change.before, change.after]
        return reply

    def _common(self, same: JsonValue, text: str) -> Change:
        before, after = same if isinstance(same, list) and len(same) == len(("before", "after")) else (None, None)
        if not isinstance(before, int) or not isinstance(after, int) or min(before, after) < 0:
            raise ValueError("two numbers tell what is the same")
        self._left -= len(text) + before + after
        if before + after > len(self._blocks) or self._left < 0:
            raise ValueError("there is no such text")
        return Change(before, after)

    def _text(self, text: str, change: Change | None) -> str:
        if change is not None and not text and change.before + change.after == len(self._last):
            return self._last
        whole = self._blocks.spliced(change, text) if change is not None else text
        if len(whole) >= LEAST_TEXT:
            self._last = whole
            self._blocks = self._blocks.changed(change, whole) if change is not None else Blocks(whole)
        return whole


def _parts(whole: JsonObject, name: str) -> Iterator[JsonObject]:
    """The objects that stand under `name`, or the one itself."""
    many = whole.get(name)
    if isinstance(many, list):
        yield from (each for each in many if isinstance(each, dict))
    else:
        yield whole


def _with_each(whole: JsonObject, name: str, change: Callable[[JsonObject], JsonObject]) -> JsonObject:
    """A copy with what `change` makes of each of its `_parts`."""
    many = whole.get(name)
    if not isinstance(many, list):
        return change(whole)
    changed: list[JsonValue] = [change(each) if isinstance(each, dict) else each for each in many]
    return whole | {name: changed}


def _alike(old: list[JsonValue], new: list[JsonValue], most: int | None = None) -> int:
    """How many of both are the same from the start, `most` at most."""
    count = 0
    for one, other in zip(old[:most], new[:most], strict=False):
        if not _same(one, other):
            break
        count += 1
    return count


def _same(one: JsonValue, other: JsonValue) -> bool:
    """Whether both are the same JSON. Equal values may not be (1 and true, another order of keys); those that are the
    same all the same are sent once more than they must."""
    if one is other:
        return True
    if not isinstance(one, dict) or not isinstance(other, dict) or len(one) != len(other):
        return False
    # Mostly it is a copy that holds the same values; thousands of them are compared at each key.
    if all(map(is_, one.values(), other.values())) and [*one] == [*other]:
        return True
    for (key, value), (name, found) in zip(one.items(), other.items(), strict=True):
        is_text = isinstance(value, str) and isinstance(found, str)
        if key != name or not (value is found or (is_text and value == found)):
            return False
    return True
