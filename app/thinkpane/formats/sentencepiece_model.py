"""Reads a SentencePiece model: pieces with scores and kinds, and how texts are normalised. Nothing else is kept.

The file is one Protocol Buffers message; field numbers are those of sentencepiece's src/sentencepiece_model.proto.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from thinkpane.errors import Problem, ThinkpaneError

UNIGRAM, BPE = 1, 2
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = 1, 2, 3, 4, 5, 6

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_LONGEST_VARINT: Final = 10

_Value: TypeAlias = int | memoryview


@dataclass(frozen=True, slots=True)
class SentencePieceModel:
    """pieces, scores, kinds: by id. model: UNIGRAM, BPE or another number, that of TrainerSpec.ModelType.

    charsmap: the compiled rules that texts are normalised by, b"" = none. prefix: a space is put before a text.
    collapses: spaces at its ends go, and several become one. marks_spaces: spaces are written as U+2581.
    suffix: the mark stands behind a word, not before it.
    """

    pieces: list[str] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)
    model: int = UNIGRAM
    suffix: bool = False
    charsmap: bytes = b""
    prefix: bool = True
    collapses: bool = True
    marks_spaces: bool = True


def read_model(data: bytes) -> SentencePieceModel:
    """The model in a file's bytes. Raises ThinkpaneError (kind "tokenizer") for anything that is none."""
    pieces: list[str] = []
    scores: list[float] = []
    kinds: list[int] = []
    trainer: dict[int, _Value] = {}
    normalizer: dict[int, _Value] = {}
    for number, value in _fields(memoryview(data)):
        if number == 1:
            its = dict(_fields(_message(value)))
            pieces.append(_text(its.get(1)))
            scores.append(_float(its.get(2)))
            kinds.append(_number(its.get(3), NORMAL))
        elif number == 2:
            trainer = dict(_fields(_message(value)))
        elif number == 3:
            normalizer = dict(_fields(_message(value)))
    if not pieces:
        raise _broken("it holds no pieces")
    charsmap = normalizer.get(2, memoryview(b""))
    return SentencePieceModel(
        pieces,
        scores,
        kinds,
        model=_number(trainer.get(3), UNIGRAM),
        suffix=bool(_number(trainer.get(24), 0)),
        charsmap=bytes(_message(charsmap)),
        prefix=bool(_number(normalizer.get(3), 1)),
        collapses=bool(_number(normalizer.get(4), 1)),
        marks_spaces=bool(_number(normalizer.get(5), 1)),
    )


def _fields(data: memoryview) -> Iterator[tuple[int, _Value]]:
    """The fields of a message: its number, and a number, or the bytes of anything longer."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        number, kind = key >> 3, key & 7
        if kind == _VARINT:
            value, at = _varint(data, at)
            yield number, value
            continue
        if kind == _BYTES:
            size, at = _varint(data, at)
        elif kind in (_FIXED32, _FIXED64):
            size = 4 if kind == _FIXED32 else 8
        else:
            raise _broken(f"a field has the wire type {kind}")
        if at + size > len(data):
            raise _broken("it is cut off inside a field")
        yield number, data[at : at + size]
        at += size


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    found = 0
    for count in range(_LONGEST_VARINT):
        if at + count >= len(data):
            raise _broken("it is cut off inside a number")
        byte = data[at + count]
        found |= (byte & 0x7F) << (7 * count)
        if byte < 0x80:
            return found, at + count + 1
    raise _broken("a number has no end")


def _message(value: _Value) -> memoryview:
    if isinstance(value, int):
        raise _broken("a number stands in the place of a text")
    return value


def _text(value: _Value | None) -> str:
    try:
        return str(_message(value), "utf-8") if value is not None else ""
    except UnicodeDecodeError:
        raise _broken("a piece is no UTF-8 text") from None


def _float(value: _Value | None) -> float:
    if value is None:
        return 0.0
    data = _message(value)
    if len(data) != 4:
        raise _broken("a score has another size than 4 bytes")
    found: float = struct.unpack("<f", data)[0]
    return found


def _number(value: _Value | None, default: int) -> int:
    if value is None:
        return default
    if not isinstance(value, int):
        raise _broken("a text stands in the place of a number")
    return value


def _broken(why: str) -> ThinkpaneError:
    return ThinkpaneError(Problem("tokenizer", f"The file is no SentencePiece model: {why}."))
