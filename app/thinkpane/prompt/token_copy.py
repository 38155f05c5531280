"""Tokens of a prompt, or of a stretch of it, as text for other programs: a list of ids, or JSON with places."""

import json
from collections.abc import Iterator
from typing import Final

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject
from thinkpane.prompt.tokenizer import Description, shown_piece
from thinkpane.tokens.encoding import AskPlaces, Encoding

MOST_BYTES: Final = 64 * 1024 * 1024
"""UTF-8 bytes that are made; more than that stops the program that they are pasted into."""

_CHUNK: Final = 2_000
"""Tokens that are written before other threads get a turn."""


def tokens_in(encoding: Encoding, start: int, end: int, ask: AskPlaces) -> tuple[int, int]:
    """The tokens [first, last) that hold any of the characters [start, end), also in part."""
    if start >= end:
        return 0, 0
    first = encoding.token_at(start, ask)
    return first, max(first, encoding.count(0, end, ask))


def ids_text(encoding: Encoding, first: int, last: int) -> Iterator[str]:
    """The ids of the tokens [first, last) as a list that JSON and Python read, in pieces: `[151644, 872]`."""
    yield "["
    for at in range(first, last, _CHUNK):
        yield (", " if at > first else "") + ", ".join(map(str, encoding.ids[at : min(at + _CHUNK, last)]))
    yield "]"


def tokens_json(encoding: Encoding, known: Description, ask: AskPlaces, start: int, end: int) -> Iterator[str]:
    """The tokens that hold any of the characters [start, end) as one JSON object, a token a line, in pieces.

    {"start", "end", "text", "tokenizer", "count", "tokens": [{"id", "piece", "offsets", "special"}, …]}. Offsets
    are code points of the whole prompt, ends exclusive; parts of one character share its place. A piece that is no
    UTF-8 by itself has its "bytes" in hexadecimal beside.
    """
    first, last = tokens_in(encoding, start, end, ask)
    head: JsonObject = {
        "start": start,
        "end": end,
        "text": encoding.text[start:end],
        "tokenizer": known.title,
        "count": last - first,
    }
    yield f'{_dumped(head)[:-1]}, "tokens": ['
    known_ids: dict[int, tuple[str, str]] = {}
    for at in range(first, last, _CHUNK):
        until = min(at + _CHUNK, last)
        lines = []
        for id, (begin, stop) in zip(encoding.ids[at:until], encoding.places(at, until, ask), strict=True):
            around = known_ids.get(id)
            if around is None:
                around = known_ids[id] = _around(known, id)
            lines.append(f"{around[0]}{begin}, {stop}{around[1]}")
        yield ("," if at > first else "") + "\n" + ",\n".join(lines)
    yield "\n]}\n"


def within(parts: Iterator[str], what: str) -> bytes:
    """All of `parts` as UTF-8. what: names them in the sentence.

    Raises ThinkpaneError (kind "size") where that is more than `MOST_BYTES`; no more than that is ever made.
    """
    found: list[bytes] = []
    size = 0
    for part in parts:
        found.append(part.encode("utf-8"))
        size += len(found[-1])
        if size > MOST_BYTES:
            most = MOST_BYTES // 2**20
            raise ThinkpaneError(
                Problem(
                    "size",
                    f"{what} take more than {most} MiB, which is too much for a clipboard: select less, or let "
                    "“thinkpane tokens --json” write them.",
                )
            )
    return b"".join(found)


def _around(known: Description, id: int) -> tuple[str, str]:
    """What stands before and behind the offsets of a token; the same for each of its id."""
    piece = known.pieces[id] if id < len(known.pieces) else b""
    before = _dumped({"id": id, "piece": shown_piece(piece)})[:-1]
    behind: JsonObject = {"special": id in known.special}
    try:
        piece.decode("utf-8")
    except UnicodeDecodeError:
        behind["bytes"] = piece.hex(" ")
    return f'{before}, "offsets": [', f"], {_dumped(behind)[1:]}"


def _dumped(value: JsonObject) -> str:
    # Lone surrogates are written as escapes, which every reader of JSON takes; other characters stay as they are.
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value)
    return text
