"""Where the cards of a long list stand: those that are not made by what they are thought to be high."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Sequence
from itertools import accumulate
from typing import Final

UNKNOWN: Final = 120
"""Pixels of a card of which nothing is known."""


class CardRooms:
    """The heights of a list's cards, in pixels, by key. spacing: pixels between two cards."""

    def __init__(self, spacing: int) -> None:
        self._spacing = spacing
        self._keys: tuple[int, ...] = ()
        self._index: dict[int, int] = {}
        self._heights: dict[int, int] = {}
        self._tops: list[int] | None = None

    def show(self, keys: tuple[int, ...], guess: Callable[[int], int] | None) -> None:
        """The list holds these now. guess: what a card is thought to be high; asked once for each key."""
        known = self._heights
        self._heights = {
            key: known[key] if key in known else guess(key) if guess is not None else UNKNOWN for key in keys
        }
        self._keys = keys
        self._index = {key: index for index, key in enumerate(keys)}
        self._tops = None

    def learn(self, key: int, height: int) -> None:
        """The card is that high."""
        if self._heights.get(key, height) != height:
            self._heights[key] = height
            self._tops = None

    def around(self, top: int, end: int) -> list[int]:
        """The keys whose cards stand between two heights of the list, the middle ones first."""
        tops = self._all_tops()
        first = max(0, bisect_right(tops, top) - 1)
        last = bisect_left(tops, end)
        middle = (top + end) / 2
        return sorted(self._keys[first:last], key=lambda key: abs(tops[self._index[key]] - middle))

    def farthest(self, made: Collection[int], wished: Sequence[int], count: int) -> list[int]:
        """As many of the made cards that nobody wishes for, farthest from those that are wished for first."""
        kept = set(wished)
        middle = self._index[wished[-1]] if wished else 0
        others = sorted((key for key in made if key not in kept), key=lambda key: -abs(self._index[key] - middle))
        return others[:count]

    def places(self, made: Collection[int]) -> list[tuple[int, int]]:
        """What stands under another: (key, 0) for a card that is made, and (-1, pixels) for the room of those that are
        not, as long as there are any beside a made one. Without any made card there is nothing."""
        found: list[tuple[int, int]] = []
        tops = self._all_tops()
        begin = 0
        for index in [*sorted(self._index[key] for key in made), len(self._keys)]:
            if index > begin:
                found.append((-1, tops[index] - tops[begin] - self._spacing))
            if index < len(self._keys):
                found.append((self._keys[index], 0))
            begin = index + 1
        return found

    def _all_tops(self) -> list[int]:
        """Where each card begins, and where one more would."""
        if self._tops is None:
            self._tops = [*accumulate((self._heights[key] + self._spacing for key in self._keys), initial=0)]
        return self._tops
