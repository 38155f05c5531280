"""Messages between the window's process and a worker: one JSON object a frame, its long texts as bytes behind it.

A frame is the length of the JSON and that of the texts (4 bytes each), the JSON, the texts. Texts that stand under
`result.text` or `result.results[n].text` travel as such bytes, and `{"bytes": length}` holds their place: a prompt of
megabytes is then copied twice less, and what a worker can make its reader hold is known before it is read.
"""

import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, cast

from thinkpane.formats.json_values import JsonObject, JsonValue

FRAME_CAP = 128 * 1024 * 1024
"""Bytes of the JSON, and of the texts; longer ones are no honest frame."""

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_DEPTH = 4
"""Down to here objects and short lists are encoded part by part: a frame's payload, its requests, their messages."""
_LONG = 32
"""A list of more items is encoded item by item."""

_LENGTHS = struct.Struct(">II")
_PARTS = (b",", b"[", b"{")


class FrameTooLong(Exception):
    """A frame that is longer than its reader takes."""


@dataclass(frozen=True, slots=True)
class Caps:
    """What a frame may have. json, texts: bytes of each; parts: commas and opening brackets of the JSON, each of which
    can stand for many bytes of objects."""

    json: int = FRAME_CAP
    texts: int = FRAME_CAP
    parts: int = FRAME_CAP


ANY = Caps()
"""What the window's process may ask: it is no foreign code."""

REPLY = Caps(json=16 * 1024 * 1024, texts=32 * 1024 * 1024, parts=512 * 1024)
"""What a worker that ran foreign code may answer: what its reader must hold stays under 64 MiB."""


def encoded(message: JsonObject, caps: Caps = ANY) -> bytes:
    """The frame of one object; lone surrogates pass, because templates and pasted JSON can hold them.

    Raises FrameTooLong.
    """
    texts: list[bytes] = []
    body = b"".join(_json(_with_texts_out(message, texts)))
    length = sum(map(len, texts))
    if len(body) > caps.json or length > caps.texts or _parts(body) > caps.parts:
        raise FrameTooLong
    return b"".join([_LENGTHS.pack(len(body), length), body, *texts])


def read_frame(stream: BinaryIO, caps: Caps = ANY) -> JsonObject | None:
    """The next object, or None where the stream ends or holds something that is no frame within the caps.

    Raises ValueError and RecursionError for bytes that are no JSON.
    """
    head = _exactly(stream, _LENGTHS.size)
    if head is None:
        return None
    length, text_length = _LENGTHS.unpack(head)
    body = _exactly(stream, length) if length <= caps.json and text_length <= caps.texts else None
    if body is None or _parts(body) > caps.parts:
        return None
    found = json.loads(body.decode("utf-8", "surrogatepass"))
    if not isinstance(found, dict) or not _texts_in(found, stream, text_length):
        return None
    return found


def _json(value: JsonValue, depth: int = _DEPTH) -> Iterator[bytes]:
    """JSON in pieces: one call on megabytes would hold the interpreter's lock, and the window's thread, for as long."""
    if depth and isinstance(value, dict):
        for number, (key, inner) in enumerate(value.items()):
            yield _bytes(f"{',' if number else '{'}{_encode(key)}:")
            yield from _json(inner, depth - 1)
        yield b"}" if value else b"{}"
    elif depth and isinstance(value, list) and len(value) > _LONG:
        for number, each in enumerate(value):
            yield b"," if number else b"["
            yield _bytes(_encode(each))
        yield b"]"
    elif depth and isinstance(value, list):
        for number, each in enumerate(value):
            yield b"," if number else b"["
            yield from _json(each, depth - 1)
        yield b"]" if value else b"[]"
    else:
        yield _bytes(_encode(value))


def _parts(body: bytes) -> int:
    return sum(map(body.count, _PARTS))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _holders(message: JsonObject) -> Iterator[JsonObject]:
    result = message.get("result")
    if isinstance(result, dict):
        yield result
        many = result.get("results")
        yield from (each for each in (many if isinstance(many, list) else ()) if isinstance(each, dict))


def _with_texts_out(message: JsonObject, texts: list[bytes]) -> JsonObject:
    def without(holder: JsonValue) -> JsonValue:
        if not isinstance(holder, dict) or not isinstance(holder.get("text"), str):
            return holder
        texts.append(_bytes(cast("str", holder["text"])))
        return holder | {"text": {"bytes": len(texts[-1])}}

    result = without(message.get("result"))
    if not isinstance(result, dict):
        return message
    if isinstance(many := result.get("results"), list):
        result = result | {"results": [without(each) for each in many]}
    return message | {"result": result}


def _texts_in(message: JsonObject, stream: BinaryIO, length: int) -> bool:
    """Puts the texts back in their places; False where the frame says something else than it holds."""
    left = length
    for holder in _holders(message):
        place = holder.get("text")
        size = place.get("bytes") if isinstance(place, dict) else None
        if not isinstance(size, int):
            continue
        text = _exactly(stream, size) if 0 <= size <= left else None
        if text is None:
            return False
        holder["text"] = text.decode("utf-8", "surrogatepass")
        left -= size
    return left == 0


def _exactly(stream: BinaryIO, length: int) -> bytes | None:
    body = stream.read(length)
    return body if len(body) == length else None
