"""Messages that stay with a worker: of a conversation of megabytes only what is new to it crosses the pipe.

In place of `messages` a request then has `around`: {"first": n, "last": n, "new": […]}. So many messages from the start
and from the end of those in the worker's last request stand around the new ones. Both ends go through the requests in
the same order, so that each knows what the other has.
"""

from collections.abc import Iterator
from typing import cast

from thinkpane.formats.json_values import JsonObject, JsonValue

LEAST = 32
"""Messages of a request below which all of them are sent."""


class Sent:
    """What a worker was sent last, at the window's end."""

    def __init__(self) -> None:
        self._last: list[JsonValue] = []

    def shortened(self, payload: JsonObject) -> JsonObject:
        """The payload with what the worker has left out; the one that is given is not changed."""
        requests = payload.get("requests")
        if isinstance(requests, list):
            return payload | {
                "requests": [self._shortened(each) if isinstance(each, dict) else each for each in requests]
            }
        return self._shortened(payload)

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
        for request in _requests(payload):
            around = request.pop("around", None)
            if isinstance(around, dict):
                first, end = cast("int", around["first"]), cast("int", around["last"])
                new = cast("list[JsonValue]", around["new"])
                request["messages"] = [*self._last[:first], *new, *self._last[len(self._last) - end :]]
            messages = request.get("messages")
            if isinstance(messages, list) and len(messages) >= LEAST:
                self._last = messages
        return payload


def _requests(payload: JsonObject) -> Iterator[JsonObject]:
    requests = payload.get("requests")
    if isinstance(requests, list):
        yield from (each for each in requests if isinstance(each, dict))
    else:
        yield payload


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
    for (key, value), (name, found) in zip(one.items(), other.items(), strict=True):
        is_text = isinstance(value, str) and isinstance(found, str)
        if key != name or not (value is found or (is_text and value == found)):
            return False
    return True
