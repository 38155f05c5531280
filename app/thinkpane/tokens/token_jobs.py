"""What a tokenizer's child process does: one vocabulary, loaded before the process is confined."""

from array import array
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final, TypeAlias, cast

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject
from thinkpane.tokens.apart import encode_apart
from thinkpane.tokens.ids import Ids, packed
from thinkpane.tokens.kinds._registry import kind_for
from thinkpane.tokens.vocabulary import Vocabulary

Jobs: TypeAlias = Mapping[str, Callable[[JsonObject], JsonObject]]

PART: Final = 2_000_000
"""Numbers of one reply; as base64 they take 11 of the 16 MiB that a worker's reply may have (engine/frames.py)."""

_NAMES: Final = ("describe", "encode", "apart", "offsets", "rest")


def tokenizer_jobs(path: str) -> Jobs:
    """The jobs of the tokenizer at `path`: "describe", "encode", "apart", "offsets", "rest".

    Where it cannot be loaded each says why.
    """
    try:
        vocabulary = _load(Path(path))
    except ThinkpaneError as fault:
        problem = fault.problem

        def refuse(_payload: JsonObject) -> JsonObject:
            raise ThinkpaneError(problem)

        return dict.fromkeys(_NAMES, refuse)
    work = _Work(vocabulary)
    return {name: getattr(work, name) for name in _NAMES}


def _load(path: Path) -> Vocabulary:
    found = kind_for(path)
    if found is None:
        raise ThinkpaneError(Problem("tokenizer", f"No tokenizer was found at “{path}”."))
    kind, file = found
    return kind.load(file)


class _Work:
    """Gives lists of numbers in parts: {numbers, total} is the first of them, "rest" {from} the next."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._given: Ids = array("I")

    def describe(self, _payload: JsonObject) -> JsonObject:
        """{title, size, cuts, added: [[id, text, special], …], pieces, lengths}: the bytes of all ids and how many."""
        vocabulary = self._vocabulary
        pieces = vocabulary.pieces()
        return {
            "title": vocabulary.title,
            "size": len(pieces),
            "cuts": list(vocabulary.cuts),
            "added": [[each.id, each.text, each.special] for each in vocabulary.added],
            "pieces": b64encode(b"".join(pieces)).decode("ascii"),
            "lengths": packed(array("I", map(len, pieces))),
        }

    def encode(self, payload: JsonObject) -> JsonObject:
        """{texts} in, each in parts; how many ids each text has, then the ids of all texts one after another."""
        texts = ["".join(parts) for parts in cast("list[list[str]]", payload["texts"])]
        encoded = self._vocabulary.encode(texts)
        return self._first([array("I", map(len, encoded)), *encoded])

    def apart(self, payload: JsonObject) -> JsonObject:
        """{texts, plain} in, `plain` saying of each whether it is plain text; as "encode", by encode_apart."""
        texts, plain = cast("list[str]", payload["texts"]), cast("list[bool]", payload["plain"])
        encoded = encode_apart(self._vocabulary, [*zip(texts, plain, strict=True)])
        return self._first([array("I", map(len, encoded)), *encoded])

    def offsets(self, payload: JsonObject) -> JsonObject:
        """{text} in; its ids, then where each begins and where each ends, in code points."""
        ids, places = self._vocabulary.offsets(cast("str", payload["text"]))
        return self._first([ids, array("I", (start for start, _ in places)), array("I", (end for _, end in places))])

    def rest(self, payload: JsonObject) -> JsonObject:
        """{from} in; {numbers}: of what was given last, from that one on."""
        start = cast("int", payload["from"])
        return {"numbers": packed(self._given[start : start + PART])}

    def _first(self, lists: Iterable[Ids]) -> JsonObject:
        joined: Ids = array("I")
        for each in lists:
            joined.extend(each)
        self._given = joined if len(joined) > PART else array("I")
        return {"numbers": packed(joined[:PART]), "total": len(joined)}
