"""Encodes a text that changes a little at a time: only what an edit changed is encoded, and the ids stay exact."""

from array import array
from collections.abc import Sequence
from typing import Final

from thinkpane.tokens.changes import Blocks, Change
from thinkpane.tokens.cutting import Cutter
from thinkpane.tokens.encoding import CONTINUED, PROVISIONAL, Encoding
from thinkpane.tokens.ids import Ids
from thinkpane.tokens.joining import joined
from thinkpane.tokens.pieces import Pieces
from thinkpane.tokens.regions import Region, region_of
from thinkpane.tokens.rows import LONG, Rows, empty, spliced
from thinkpane.tokens.segment_cache import Encode, SegmentCache

MOST_OF_IT: Final = 0.5
"""The part of a long segment from which a change is encoded with all of it."""


class IncrementalEncoder:
    """Holds the last text's encoding. What `encode` raises goes through, and leaves that encoding as it was.

    Inside a long segment only a window around an edit is encoded; the result says that it is provisional until
    `confirm` has encoded the whole segment. A tokenizer without cuts encodes the whole text for each edit.
    """

    def __init__(self, cuts: Sequence[str], pieces: Pieces, encode: Encode) -> None:
        """cuts: Vocabulary.cuts. pieces: the bytes of each id. encode: the ids of each text by itself."""
        self._cutter = Cutter(cuts)
        self._cache = SegmentCache(encode)
        self._encode = encode
        self._encoding = empty(pieces)
        self._blocks = Blocks("")

    @property
    def encoding(self) -> Encoding:
        """The last text's encoding."""
        return self._encoding

    def update(self, text: str, earlier: str = "", change: Change | None = None) -> Encoding:
        """The encoding of `text`. change: what differs between `earlier` and it, where somebody knows."""
        if text is not self._encoding.text:
            known = change if earlier is self._encoding.text else None
            self._encoding = self._updated(self._encoding, text, known) if self._cutter.longest else self._whole(text)
        return self._encoding

    def confirm(self) -> Encoding:
        """The last text's encoding with all that was provisional encoded again; as long as encoding these segments."""
        encoding = self._encoding
        segments = [_segment(encoding, row) for row, kind in enumerate(encoding.kinds) if kind & PROVISIONAL]
        texts = [encoding.text[encoding.starts[first] : encoding.starts[last]] for first, last in segments]
        found = self._cache.encoded(texts)
        for (first, last), text, ids in reversed([*zip(segments, texts, found, strict=True)]):
            rows = Rows(encoding.pieces)
            rows.add(encoding.starts[first], text, ids, special=False)
            encoding = spliced(encoding, first, last, rows, encoding.text)
        self._encoding = encoding
        return encoding

    def _updated(self, old: Encoding, text: str, known: Change | None) -> Encoding:
        change = known or self._blocks.change_to(text)
        if change.before == len(old.text) == len(text):
            return old
        found = self._replaced(old, text, region_of(old, text, change, self._cutter))
        self._blocks = self._blocks.changed(change, text)
        return found

    def _replaced(self, old: Encoding, text: str, region: Region) -> Encoding:
        size = region.end - region.start
        if size >= LONG and region.same_from - region.same_before < MOST_OF_IT * size:
            found = joined(old, text, region, self._one)
            if found is not None:
                return found
        return self._segments(old, text, region)

    def _segments(self, old: Encoding, text: str, region: Region) -> Encoding:
        ends = [*(at for at, _ in region.edges), region.end][1:]
        texts = [text[at:end] for (at, _), end in zip(region.edges, ends, strict=True)]
        rows = Rows(old.pieces)
        for (at, special), part, ids in zip(region.edges, texts, self._cache.encoded(texts), strict=True):
            rows.add(at, part, ids, special)
        return spliced(old, region.first, region.last, rows, text)

    def _whole(self, text: str) -> Encoding:
        ids = self._cache.encoded([text])[0] if text else array("I")
        return one_segment(text, ids, self._encoding.pieces)

    def _one(self, text: str) -> Ids:
        (found,) = self._encode([text]) if text else (array("I"),)
        return found


def one_segment(text: str, ids: Ids, pieces: Pieces) -> Encoding:
    """The encoding of a text that was encoded as a whole."""
    rows = Rows(pieces)
    if text:
        rows.add(0, text, ids, special=False)
    return spliced(empty(pieces), 0, 0, rows, text)


def _segment(encoding: Encoding, first: int) -> tuple[int, int]:
    """The rows of the segment that begins with the row `first`."""
    last = first + 1
    while last < len(encoding) and encoding.kinds[last] & CONTINUED:
        last += 1
    return first, last
