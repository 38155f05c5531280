"""Puts tool calls together under every way servers number their pieces.

Source of the habits: the house's wire-format notes, section 1.6. A piece may come with an index or without, with one
that is always 0, with its id on the first piece only or on none, with its name repeated, or with all arguments so far.
"""

import json
from collections.abc import Callable, Iterator
from typing import TypeAlias

from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.streaming.blocks import ToolCall
from thinkpane.streaming.events import ToolDelta
from thinkpane.streaming.surrogates import SurrogatePairs

Warn: TypeAlias = Callable[[str, str], None]

_DIGITS = 10

_HOLDERS = ("function", "custom")
"""Where a piece says its name and arguments; a custom tool's are free text, under `input`."""


class ToolCalls:
    """The calls of one reply, in the order they began."""

    def __init__(self, warn: Warn) -> None:
        """warn(id, sentence) is called where the server's numbering had to be guessed around."""
        self._warn = warn
        self._calls: list[ToolCall] = []
        self._at: dict[int | str, ToolCall] = {}
        self._empty: set[str] = set()
        self._pairs: dict[str, SurrogatePairs] = {}

    def __len__(self) -> int:
        return len(self._calls)

    def add(self, pieces: JsonValue) -> Iterator[ToolDelta]:
        """The deltas of one `tool_calls` list in OpenAI's form (nested under `function`, or flat)."""
        if isinstance(pieces, dict):
            pieces = [pieces]
        for position, piece in enumerate(pieces if isinstance(pieces, list) else []):
            if isinstance(piece, dict):
                function = next((each for name in _HOLDERS if isinstance(each := piece.get(name), dict)), piece)
                place = index_of(piece.get("index"))
                yield self.add_piece(
                    f"position {position}" if place is None else place,
                    _text(piece.get("id")),
                    _text(function.get("name")),
                    arguments_text(function.get("arguments", function.get("input"))),
                )

    def add_piece(self, place: int | str, id: str, name: str, arguments: str) -> ToolDelta:
        """One piece. place: the server's index, or where none came a name for where the piece stood."""
        call = self._call_for(place, id, name, arguments)
        if call is None:
            call = ToolCall(f"call {len(self._calls) + 1}")
            self._calls.append(call)
        self._at[place] = call
        arguments = self._news(call, arguments)
        said_name = _grown(call, name) if name and name != call.name else None
        said_id = id if id and not call.id else None
        call.name = said_name or call.name
        call.id = said_id or call.id
        call.growing.append(arguments)
        return ToolDelta(call.key, said_id, said_name, arguments)

    def begin(self, place: int | str) -> None:
        """A call begins at that place, whatever stood there before."""
        if self._at.pop(place, None) is not None:
            self._say_reused(place)

    def end(self, *, complete: bool) -> Iterator[ToolDelta]:
        """What is said when nothing more comes. complete: the reply ended with a finish mark."""
        for call in self._calls:
            if call.key in self._empty and not call.growing.size:
                call.growing.append("{}")
                yield ToolDelta(call.key, arguments="{}")
            if call.key in self._pairs and (half := self._pairs[call.key].rest()):
                call.growing.append(half)
                yield ToolDelta(call.key, arguments=half)
            if not call.name:
                self._warn("tool-name-missing", "A tool call came without a name.")
            if not call.arguments.strip():
                if complete:
                    self._warn("tool-arguments-empty", f"{_called(call)} came with empty arguments: taken as none.")
                    call.growing.append("{}")
                    yield ToolDelta(call.key, arguments="{}")
            elif call.arguments_problem is not None:
                words = call.arguments_problem.message
                self._warn("tool-arguments-not-json", f"The arguments of {_called(call)} are not valid JSON: {words}")
            elif isinstance(call.arguments_value, str):
                self._warn("tool-arguments-double-encoded", f"The arguments of {_called(call)} are JSON within a text.")
            elif not isinstance(call.arguments_value, dict):
                self._warn("tool-arguments-not-object", f"The arguments of {_called(call)} are not an object.")

    def _news(self, call: ToolCall, arguments: str) -> str:
        """What of the arguments is new; an empty object stays back, for gateways send it ahead of the real pieces."""
        arguments = self._pairs.setdefault(call.key, SurrogatePairs()).joined(arguments)
        if arguments == "{}" and not call.growing.size:
            self._empty.add(call.key)
            return ""
        if arguments.startswith("{") and call.growing.size and arguments.startswith(call.arguments):
            return arguments[call.growing.size :]
        return arguments

    def _call_for(self, place: int | str, id: str, name: str, arguments: str) -> ToolCall | None:
        """The call that a piece goes on with, None where it begins one."""
        for call in reversed(self._calls):
            if id and call.id == id:
                return None if name and call.name and self._is_another(call, name, arguments) else call
        known = self._at.get(place)
        if known is None:
            if id or name or not self._calls:
                return None
            self._warn("tool-index-unknown", "A piece of a tool call names no call that has begun; added to the last.")
            return self._calls[-1]
        changed = bool(id and known.id)
        if changed and self._goes_on(known, name, arguments):
            self._warn("tool-id-changed", "A tool call changed its id while its arguments came.")
            return known
        if changed or (name and known.name and self._begins_anew(known, name, arguments)):
            self._say_reused(place)
            return None
        return known

    def _say_reused(self, place: int | str) -> None:
        if isinstance(place, int):
            self._warn("tool-index-reused", "Several tool calls came under one index; they are kept apart.")

    def _is_another(self, call: ToolCall, name: str, arguments: str) -> bool:
        """Whether a piece under a call's own id is a call of its own: servers give one id to several whole calls."""
        if not self._is_whole(call):
            return False
        text = arguments.lstrip()
        return name != call.name or (
            text.startswith("{") and bool(call.growing.size) and not text.startswith(call.arguments)
        )

    def _goes_on(self, call: ToolCall, name: str, arguments: str) -> bool:
        """Whether a piece under another id still belongs to the call: some servers make up a new id for every piece."""
        if self._is_whole(call):
            return False
        return not name or (name == call.name and bool(call.growing.size) and arguments.lstrip()[:1] not in ("", "{"))

    def _begins_anew(self, call: ToolCall, name: str, arguments: str) -> bool:
        if name != call.name:
            return bool(arguments or call.growing.size or call.key in self._empty)
        return arguments.lstrip().startswith("{") and self._is_whole(call)

    def _is_whole(self, call: ToolCall) -> bool:
        if not call.growing.size:
            return call.key in self._empty
        return _is_object(call.arguments)


def arguments_text(value: JsonValue) -> str:
    """Arguments as JSON text: text as it came, anything else written out, "" for none."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def calls_of(message: JsonObject) -> JsonValue:
    """The pieces that a delta or message holds: `tool_calls`, or the older `function_call`."""
    pieces = message.get("tool_calls")
    if pieces:
        return pieces
    function = message.get("function_call")
    return [{"index": 0, "function": function}] if isinstance(function, dict) else None


def _grown(call: ToolCall, name: str) -> str | None:
    """The name after another piece of it came; a name is complete once arguments came."""
    if call.growing.size:
        return None if call.name else name
    return name if name.startswith(call.name) else call.name + name


def _called(call: ToolCall) -> str:
    return f"the call of {call.name}" if call.name else "a tool call"


def _is_object(arguments: str) -> bool:
    if not arguments.rstrip().endswith("}"):
        return False
    try:
        return isinstance(json.loads(arguments), dict)
    except (ValueError, RecursionError):
        return False


def index_of(value: JsonValue) -> int | None:
    """A place as a server numbers it, None where it does not."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    # Python refuses to read numbers of thousands of digits.
    return int(value) if isinstance(value, str) and value.isdecimal() and len(value) < _DIGITS else None


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else ""
