"""A tokenizer at work in a child process: what the window and the commands ask for ids, pieces and offsets."""

from array import array
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import cast

from thinkpane.engine.host import Engine
from thinkpane.engine.process import worker_command
from thinkpane.formats.json_values import JsonObject
from thinkpane.tokens.ids import Ids, unpacked

WORD = "tokenizer"
"""The program's first word that makes it a tokenizer's child process; the second is the tokenizer's path."""

MEMORY_CAP = 1536 * 1024 * 1024
"""Bytes of a tokenizer's process: a 512 MiB cap aborts it on a text of 4 MB (DESIGN.md, Caps)."""

DEADLINE = 60.0
"""Seconds that one text may take; a million tokens take 1 to 3."""


@dataclass(frozen=True, slots=True)
class TokenPieces:
    """The bytes of each id. joined: all of them; bounds: where each begins in it, and the end."""

    joined: bytes
    bounds: Ids

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


class Tokenizer:
    """The tokenizer for a path: a tokenizer.json, a GGUF file, a model folder, or a template's file beside one.

    All methods may be called from any thread but the window's: they wait for the child process.
    They raise ThinkpaneError, kind "tokenizer", "file", "timeout", "memory", "crash" or "worker".
    """

    def __init__(self, path: Path) -> None:
        command = worker_command(WORD, str(path.absolute()))
        self._engine = Engine(command, spare=0, deadline=DEADLINE, what="tokenizer", memory_cap=MEMORY_CAP)

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

    def encode(self, texts: Sequence[str]) -> list[Ids]:
        """The ids of each text by itself."""
        found = self._engine.job("encode", {"texts": [*texts]})
        ids, ends = unpacked(found["ids"]), [*accumulate(unpacked(found["counts"]))]
        return [ids[start:end] for start, end in zip([0, *ends], ends, strict=False)]

    def tokens(self, text: str) -> Tokens:
        """All of one text, with places; slow for what is long, meant for what is seen or printed."""
        found = self._engine.job("offsets", {"text": text})
        return Tokens(unpacked(found["ids"]), unpacked(found["starts"]), unpacked(found["ends"]))

    def close(self) -> None:
        """Ends the child process."""
        self._engine.close()


def shown_piece(piece: bytes) -> str:
    """A token's bytes as text; bytes that are no UTF-8 by themselves are shown as such (\\xe2)."""
    return piece.decode("utf-8", "backslashreplace")


def _pieces(found: JsonObject) -> TokenPieces:
    bounds: Ids = array("I", accumulate(unpacked(found["lengths"]), initial=0))
    return TokenPieces(b64decode(cast("str", found["pieces"])), bounds)
