"""JSON as RFC 8259 has it: read with the place of the first fault, written so that any reader takes it back.

Python's own reader also takes NaN and Infinity, makes Infinity of numbers that no float holds, and its writer may leave
lone surrogates, which no UTF-8 file holds.
"""

import json
import math
import re
from typing import NoReturn

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonValue

DEEPEST = 200
"""Levels of nesting that are read. Python's writer needs a stack frame a level, and so do those who walk the value."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def parse(text: str, *, lenient: bool = False) -> JsonValue:
    """The value of `text`. Raises ThinkpaneError (kind "json") with line and column (from 1) where they are known.

    lenient: numbers that JSON or a float cannot hold are read as null; else they are a fault.
    """
    try:
        value: JsonValue = (_LENIENT if lenient else _STRICT).decode(text)
    except json.JSONDecodeError as fault:
        sentence = f"{_said(fault, text)} (line {fault.lineno}, column {fault.colno})."
        raise ThinkpaneError(Problem("json", sentence, line=fault.lineno, column=fault.colno)) from None
    except RecursionError:
        raise _too_deep() from None
    except ValueError as fault:
        raise ThinkpaneError(Problem("json", f"The JSON cannot be read: {fault}.")) from None
    if text.count("[") + text.count("{") > DEEPEST and _depth_exceeds(value, DEEPEST):
        raise _too_deep()
    return value


def parse_bytes(data: bytes) -> JsonValue:
    """The value of UTF-8 bytes, a byte order mark allowed. Raises ThinkpaneError (kind "json")."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise ThinkpaneError(
            Problem("json", f"The file is not UTF-8 text (byte {fault.start}, line {line}).", line=line)
        ) from None
    return parse(text)


def dump(value: JsonValue, *, indent: int | None = 2) -> str:
    """`value` as JSON text in UTF-8's reach: key order kept, lone surrogates written as escapes.

    Raises ValueError for NaN and Infinity, which JSON does not have.
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    return _LONE_SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def same(one: JsonValue, other: JsonValue) -> bool:
    """True where both are the same JSON, key order and the kind of numbers included (1, 1.0 and true differ)."""
    return one is other or dump(one, indent=None) == dump(other, indent=None)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")


def _finite_float(text: str) -> float:
    found = float(text)
    if math.isinf(found):
        raise ValueError(f"{text[:40]} is too large a number")
    return found


def _null(_name: str) -> None:
    return None


def _float_or_null(text: str) -> float | None:
    found = float(text)
    return None if math.isinf(found) else found


def _too_deep() -> ThinkpaneError:
    return ThinkpaneError(Problem("json", f"The JSON is nested too deeply: {DEEPEST} levels are read."))


def _depth_exceeds(value: JsonValue, limit: int) -> bool:
    level: list[JsonValue] = [value]
    for _ in range(limit + 1):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def _said(fault: json.JSONDecodeError, text: str) -> str:
    if not text.strip():
        return "There is no JSON here"
    if fault.pos >= len(text.rstrip()):
        return f"The JSON ends too early: {fault.msg[0].lower()}{fault.msg[1:]}"
    return f"Not JSON: {fault.msg[0].lower()}{fault.msg[1:]}"


_STRICT = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite_float)
_LENIENT = json.JSONDecoder(parse_constant=_null, parse_float=_float_or_null)
