"""Messages between the window's process and a worker: one JSON object a frame, its length (4 bytes) before it."""

import json
import struct
from typing import BinaryIO

from thinkpane.formats.json_values import JsonObject

FRAME_CAP = 128 * 1024 * 1024
"""Bytes: room for a prompt at its cap in which every character is escaped; a longer length is no honest frame."""

_LENGTH = struct.Struct(">I")


def encoded(message: JsonObject) -> bytes:
    """The frame of one object; lone surrogates pass, because templates and pasted JSON can hold them."""
    body = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    return _LENGTH.pack(len(body)) + body


def read_frame(stream: BinaryIO) -> JsonObject | None:
    """The next object, or None where the stream ends or holds something that is no frame."""
    head = _exactly(stream, _LENGTH.size)
    if head is None:
        return None
    (length,) = _LENGTH.unpack(head)
    body = _exactly(stream, length) if length <= FRAME_CAP else None
    if body is None:
        return None
    found = json.loads(body.decode("utf-8", "surrogatepass"))
    return found if isinstance(found, dict) else None


def _exactly(stream: BinaryIO, length: int) -> bytes | None:
    body = stream.read(length)
    return body if len(body) == length else None
