"""The bytes of tokens of a server that only makes ids text again: taken for known only where they must be these.

Each id is decoded behind another one, because decoders take a space from the start of a text. A text with U+FFFD stands
for bytes that are no UTF-8 by themselves; ids in a row that have some are decoded together, and their bytes are parted
so that each part is shown as its id was. Where that can be done in two ways the ids have no known bytes.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, TypeAlias

Decode: TypeAlias = Callable[[Sequence[Sequence[int]]], list[str]]
"""The texts of lists of ids, each decoded by itself, in order; fewer where that cannot be told."""

BROKEN: Final = "\ufffd"
_TRIED: Final = 32
"""Ids of which one is looked for that others can stand behind."""
_MOST_IDS: Final = 8
"""Ids that share a character at most, so that it is looked for in so many: four have one byte each, and others more."""
_LONGEST: Final = 1_024
"""Characters of one token that has some; a server that tells more would have us try millions of ways."""
_MOST: Final = 4096
"""Lists that are asked for at a time."""


def decoded_pieces(ids: Sequence[int], text: str, decode: Decode, known: Mapping[int, bytes]) -> dict[int, bytes]:
    """The bytes of each id of `text`; {} where these are not known, or do not spell it: something was normalised.

    known: the bytes of ids that were asked for before.
    """
    decoder = _Behind(ids, decode)
    shown = {id: known[id].decode("utf-8", "replace") for id in ids if id in known}
    shown |= {
        id: piece for (id,), piece in decoder.texts([(id,) for id in dict.fromkeys(ids) if id not in known]).items()
    }
    if not all(id in shown for id in ids):
        return {}
    found = {id: known.get(id, piece.encode("utf-8", "surrogatepass")) for id, piece in shown.items()}
    broken = {id for id, piece in shown.items() if BROKEN in piece}
    runs = [tuple(run) for is_one, run in groupby(ids, key=broken.__contains__) if is_one]
    asked = [run for run in dict.fromkeys(runs) if not all(id in known for id in run)]
    parts: dict[int, bytes] = {}
    for run, whole in _whole_characters(asked, decoder):
        its = parted(whole.encode("utf-8", "surrogatepass"), [shown[id] for id in run])
        if any(parts.setdefault(id, part) != part for id, part in zip(run, its, strict=False)):
            return {}
    found |= parts
    spelled = b"".join(map(found.__getitem__, ids))
    return found if spelled == text.encode("utf-8", "surrogatepass") else {}


def _whole_characters(runs: Sequence[tuple[int, ...]], decoder: "_Behind") -> Iterator[tuple[tuple[int, ...], str]]:
    """The runs cut where a character ends, and the text of each part: the fewer ids, the fewer ways to part them."""
    windows = [run[at:end] for run in runs for at in range(len(run)) for end in range(at + 1, _ends(run, at))]
    texts = decoder.texts([*dict.fromkeys(windows)])
    for run in runs:
        at = 0
        while at < len(run):
            ends = (end for end in range(at + 1, _ends(run, at)) if BROKEN not in texts.get(run[at:end], BROKEN))
            end = next(ends, len(run))
            whole = texts.get(run[at:end]) or decoder.texts([run[at:end]]).get(run[at:end], "")
            yield run[at:end], whole
            at = end


def _ends(run: tuple[int, ...], at: int) -> int:
    return min(len(run), at + _MOST_IDS) + 1


def parted(data: bytes, shown: Sequence[str]) -> list[bytes]:
    """`data` in parts that are shown so, each by itself; [] where there is no way to do that, or another one, or where
    one is too long for a token."""
    if any(len(each) > _LONGEST for each in shown):
        return []
    ways: list[dict[int, int]] = [{} for _ in shown] + [{len(data): 1}]
    for at in range(len(shown) - 1, -1, -1):
        for end, rest in ways[at + 1].items():
            # A character that is cut off has three bytes at most, and is shown as one.
            for start in range(max(0, end - 4 * max(1, len(shown[at]))), end):
                if data[start:end].decode("utf-8", "replace") == shown[at]:
                    ways[at][start] = min(2, ways[at].get(start, 0) + rest)
    if ways[0].get(0) != 1:
        return []
    found, start = [], 0
    for at, each in enumerate(shown):
        end = next(end for end in ways[at + 1] if end > start and data[start:end].decode("utf-8", "replace") == each)
        found.append(data[start:end])
        start = end
    return found


class _Behind:
    """Decodes ids behind another one, if there is one that is plain letters."""

    def __init__(self, ids: Sequence[int], decode: Decode) -> None:
        self._decode = decode
        tried = [*dict.fromkeys(ids)][:_TRIED]
        plain = zip(tried, self._decode([[id] for id in tried]), strict=False)
        self._before, self._skipped = next(
            (([id], text) for id, text in plain if text.isascii() and text.isalpha()), ([], "")
        )

    def texts(self, lists: Sequence[tuple[int, ...]]) -> dict[tuple[int, ...], str]:
        """The text of each; those are left out that cannot be told."""
        found = {}
        for at in range(0, len(lists), _MOST):
            part = lists[at : at + _MOST]
            texts = self._decode([[*self._before, *each] for each in part])
            for each, text in zip(part, texts, strict=False):
                if text.startswith(self._skipped):
                    found[each] = text[len(self._skipped) :]
        return found
