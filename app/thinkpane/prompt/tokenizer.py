"""A tokenizer at work in a child process: what the window and the commands ask for ids, pieces and offsets."""

import threading
from array import array
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import Path
from typing import cast, overload

from thinkpane.engine.host import Engine
from thinkpane.engine.process import worker_command
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.tokens.ids import Ids, unpacked
from thinkpane.tokens.pieces import Pieces, pieces_of

WORD = "tokenizer"
"""The program's first word that makes it a tokenizer's child process; the second is the tokenizer's path."""

MEMORY_CAP = 1536 * 1024 * 1024
"""Bytes of a tokenizer's process: a 512 MiB cap aborts it on a text of 4 MB (docs/architecture.md, Caps)."""

DEADLINE = 60.0
"""Seconds that one text may take; a million tokens take 1 to 3."""


PART = 256 * 1024
"""Code points of a text that are sent at a time."""


@dataclass(frozen=True)
class TokenPieces:
    """The bytes of each id. joined: all of them; bounds: where each begins in it, and the end."""

    joined: bytes
    bounds: Ids

    @cached_property
    def table(self) -> Pieces:
        """The same with what finds the places of tokens, made once for all who ask."""
        return pieces_of([self[id] for id in range(len(self))])

    def __getitem__(self, id: int) -> bytes:
        """The bytes that `id` stands for."""
        return self.joined[self.bounds[id] : self.bounds[id + 1]]

    def __len__(self) -> int:
        return len(self.bounds) - 1


@dataclass(frozen=True, slots=True)
class Description:
    """What is known of a tokenizer. cuts: tokens at which texts may be cut (Vocabulary.cuts).

    added: the tokens that are cut out of texts first, by id. special: the ids of those that control a model.
    """

    title: str
    cuts: tuple[str, ...]
    added: dict[int, str]
    special: frozenset[int]
    pieces: TokenPieces


@dataclass(frozen=True, slots=True)
class Tokens:
    """One text's tokens: ids, and the place of each in code points; parts of one character share its place."""

    ids: Ids
    starts: Ids
    ends: Ids

    @property
    def places(self) -> "Places":
        """The place of each."""
        return Places(self.starts, self.ends)


class Places(Sequence[tuple[int, int]]):
    """Places of tokens as pairs, made only where they are read: a million of them are two arrays."""

    def __init__(self, starts: Ids, ends: Ids) -> None:
        self._starts = starts
        self._ends = ends

    @overload
    def __getitem__(self, at: int) -> tuple[int, int]: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[tuple[int, int]]: ...

    def __getitem__(self, at: int | slice) -> tuple[int, int] | Sequence[tuple[int, int]]:
        """One place, or a list of some."""
        if isinstance(at, slice):
            return [*zip(self._starts[at], self._ends[at], strict=True)]
        return self._starts[at], self._ends[at]

    def __len__(self) -> int:
        return len(self._starts)


class Tokenizer:
    """The tokenizer for a path: a tokenizer.json, a GGUF file, a model folder, or a template's file beside one.

    All methods may be called from any thread but the window's: they wait for the child process. owner: see `cancel`.
    They raise ThinkpaneError, kind "tokenizer", "file", "timeout", "memory", "cancelled", "crash" or "worker".
    """

    def __init__(self, path: Path) -> None:
        self.title = path.name
        command = worker_command(WORD, str(path.absolute()))
        self._engine = Engine(command, spare=0, deadline=DEADLINE, what="tokenizer", memory_cap=MEMORY_CAP)
        # The parts of one answer must come from one process; two jobs at a time would start another.
        self._one_by_one = threading.Lock()

    @cached_property
    def description(self) -> Description:
        """What it is and holds; loads it when it is first asked for."""
        found = self._engine.job("describe", {})
        added = cast("list[list[object]]", found["added"])
        return Description(
            title=cast("str", found["title"]),
            cuts=tuple(cast("list[str]", found["cuts"])),
            added={cast("int", id): cast("str", text) for id, text, _ in added},
            special=frozenset(cast("int", id) for id, _, special in added if special),
            pieces=_pieces(found),
        )

    def encode(self, texts: Sequence[str], owner: object = None) -> list[Ids]:
        """The ids of each text by itself."""
        return _parted(self._numbers("encode", {"texts": [_in_parts(text) for text in texts]}, owner), len(texts))

    def apart(self, pieces: Sequence[tuple[str, bool]], owner: object = None) -> list[Ids]:
        """The ids of each piece of one text, some of them plain text (tokens/apart.py)."""
        payload: JsonObject = {"texts": [text for text, _ in pieces], "plain": [plain for _, plain in pieces]}
        return _parted(self._numbers("apart", payload, owner), len(pieces))

    def tokens(self, text: str, owner: object = None) -> Tokens:
        """All of one text, with places; slow for what is long, meant for what is seen or printed."""
        found = self._numbers("offsets", {"text": text}, owner)
        count = len(found) // 3
        return Tokens(found[:count], found[count : 2 * count], found[2 * count :])

    def _numbers(self, job: str, payload: JsonObject, owner: object) -> Ids:
        """The numbers that a job gives, in as many parts as they come."""
        with self._one_by_one:
            first = self._engine.job(job, payload, owner=owner)
            found, total = unpacked(first["numbers"]), cast("int", first["total"])
            while len(found) < total:
                part = unpacked(self._engine.job("rest", {"from": len(found)}, owner=owner)["numbers"])
                if not part:
                    raise ThinkpaneError(
                        Problem("crash", "The tokenizer's process ended before it gave all its tokens.")
                    )
                found.extend(part)
            return found

    def cancel(self, owner: object) -> None:
        """Ends the jobs of an owner (Engine.cancel), and the child process with one that is at work; the next job
        starts another one."""
        self._engine.cancel(owner)

    def close(self) -> None:
        """Ends the child process."""
        self._engine.close()


def _in_parts(text: str) -> JsonValue:
    """A text as it is sent: writing megabytes in one call would keep the window's thread from running meanwhile."""
    return [text[at : at + PART] for at in range(0, len(text), PART)]


def shown_piece(piece: bytes) -> str:
    """A token's bytes as text; bytes that are no UTF-8 by themselves are shown as such (\\xe2)."""
    return piece.decode("utf-8", "backslashreplace")


def _parted(numbers: Ids, count: int) -> list[Ids]:
    """The lists that were joined after their `count` lengths."""
    ends = [*accumulate(numbers[:count], initial=count)]
    return [numbers[start:end] for start, end in pairwise(ends)]


def _pieces(found: JsonObject) -> TokenPieces:
    bounds: Ids = array("I", accumulate(unpacked(found["lengths"]), initial=0))
    return TokenPieces(b64decode(cast("str", found["pieces"])), bounds)
