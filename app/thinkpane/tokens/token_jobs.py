"""What a tokenizer's child process does: one vocabulary, loaded before the process is confined."""

from array import array
from base64 import b64encode
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias, cast

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject
from thinkpane.tokens.ids import Ids, packed
from thinkpane.tokens.kinds._registry import kind_for
from thinkpane.tokens.vocabulary import Vocabulary

Jobs: TypeAlias = Mapping[str, Callable[[JsonObject], JsonObject]]


def tokenizer_jobs(path: str) -> Jobs:
    """The jobs of the tokenizer at `path`: "describe", "encode", "offsets". Where it cannot be loaded each says why."""
    try:
        vocabulary = _load(Path(path))
    except ThinkpaneError as fault:
        problem = fault.problem

        def refuse(_payload: JsonObject) -> JsonObject:
            raise ThinkpaneError(problem)

        return dict.fromkeys(("describe", "encode", "offsets"), refuse)
    return {
        "describe": lambda _payload: _describe(vocabulary),
        "encode": lambda payload: _encode(vocabulary, payload),
        "offsets": lambda payload: _offsets(vocabulary, payload),
    }


def _load(path: Path) -> Vocabulary:
    found = kind_for(path)
    if found is None:
        raise ThinkpaneError(Problem("tokenizer", f"No tokenizer was found at “{path}”."))
    kind, file = found
    return kind.load(file)


def _describe(vocabulary: Vocabulary) -> JsonObject:
    """{title, size, cuts, added: [[id, text, special], …], pieces, lengths}: the bytes of all ids and their lengths."""
    pieces = vocabulary.pieces()
    return {
        "title": vocabulary.title,
        "size": len(pieces),
        "cuts": list(vocabulary.cuts),
        "added": [[each.id, each.text, each.special] for each in vocabulary.added],
        "pieces": b64encode(b"".join(pieces)).decode("ascii"),
        "lengths": packed(array("I", map(len, pieces))),
    }


def _encode(vocabulary: Vocabulary, payload: JsonObject) -> JsonObject:
    """{texts} in; {ids, counts} out: the ids of all texts one after another, and how many each has."""
    encoded = vocabulary.encode(cast("list[str]", payload["texts"]))
    joined: Ids = array("I")
    for each in encoded:
        joined.extend(each)
    return {"ids": packed(joined), "counts": packed(array("I", map(len, encoded)))}


def _offsets(vocabulary: Vocabulary, payload: JsonObject) -> JsonObject:
    """{text} in; {ids, starts, ends} out, in code points."""
    ids, places = vocabulary.offsets(cast("str", payload["text"]))
    starts, ends = array("I", (start for start, _ in places)), array("I", (end for _, end in places))
    return {"ids": packed(ids), "starts": packed(starts), "ends": packed(ends)}
