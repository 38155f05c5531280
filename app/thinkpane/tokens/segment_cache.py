"""The ids of texts that were encoded before, so that a repeated one is encoded once."""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from thinkpane.tokens.ids import Ids

Encode: TypeAlias = Callable[[Sequence[str]], Sequence[Ids]]
"""Gives the ids of each text by itself."""

MOST_CHARACTERS: Final = 8_000_000
"""Characters of all kept texts; two prompts of a million tokens."""


class SegmentCache:
    """Encodes texts; those asked for last are kept."""

    def __init__(self, encode: Encode, most: int = MOST_CHARACTERS) -> None:
        self._encode = encode
        self._most = most
        self._kept: dict[str, Ids] = {}
        self._characters = 0

    def encoded(self, texts: Sequence[str]) -> list[Ids]:
        """The ids of each text; all that are not kept are encoded in one call."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._kept]
        fresh = dict(zip(missing, self._encode(missing), strict=True)) if missing else {}
        found = [fresh[text] if text in fresh else self._again(text) for text in texts]
        for text, ids in fresh.items():
            self._keep(text, ids)
        return found

    def _again(self, text: str) -> Ids:
        ids = self._kept.pop(text)
        self._kept[text] = ids
        return ids

    def _keep(self, text: str, ids: Ids) -> None:
        self._kept[text] = ids
        self._characters += len(text)
        while self._characters > self._most:
            oldest = next(iter(self._kept))
            self._characters -= len(oldest)
            del self._kept[oldest]
