"""Writes SentencePiece model files for tests."""

import struct
from collections.abc import Sequence

from thinkpane.formats.sentencepiece_model import NORMAL, UNIGRAM


def field(number: int, data: bytes) -> bytes:
    """A field that holds bytes."""
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def number(number: int, value: int) -> bytes:
    """A field that holds a number."""
    return _varint(number << 3) + _varint(value)


def piece(text: str, score: float, kind: int = NORMAL) -> bytes:
    """One piece."""
    return field(1, field(1, text.encode()) + b"\x15" + struct.pack("<f", score) + number(3, kind))


def model_bytes(
    pieces: Sequence[tuple[str, float, int]],
    *,
    model: int = UNIGRAM,
    prefix: bool = True,
    collapses: bool = True,
    charsmap: bytes = b"",
    suffix: bool = False,
) -> bytes:
    """A whole file."""
    rules = field(2, charsmap) if charsmap else b""
    rules += number(3, int(prefix)) + number(4, int(collapses))
    return b"".join(piece(*each) for each in pieces) + field(2, number(3, model) + number(24, suffix)) + field(3, rules)


def _varint(value: int) -> bytes:
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])
