"""The way between the pixels of a ruler beside a text and the text's positions, by the rows that the text takes."""

from bisect import bisect_right
from collections.abc import Sequence


class Scale:
    """Knots of the way: at `positions` (code points, growing) as many `rows` lie above; straight in between."""

    def __init__(self, positions: Sequence[int], rows: Sequence[int], height: float) -> None:
        """The last knot is the text's end. height: pixels that all rows take."""
        self._positions = positions
        self._rows = rows
        self.height = height

    @property
    def rows(self) -> int:
        """All rows."""
        return self._rows[-1]

    def y_of(self, position: int) -> float:
        """The pixel at which a position stands."""
        at = min(max(bisect_right(self._positions, position) - 1, 0), len(self._positions) - 2)
        share = _share(self._positions, at, position)
        row = self._rows[at] + share * (self._rows[at + 1] - self._rows[at])
        return self.height * row / max(self.rows, 1)

    def position_at(self, y: float) -> int:
        """The position that stands at a pixel, at most the text's end."""
        row = min(max(y / max(self.height, 1.0), 0.0), 1.0) * self.rows
        at = min(max(bisect_right(self._rows, row) - 1, 0), len(self._rows) - 2)
        share = _share(self._rows, at, row)
        return round(self._positions[at] + share * (self._positions[at + 1] - self._positions[at]))

    def edges(self) -> list[int]:
        """The position at the top of each whole pixel, and at the last one's bottom."""
        count = max(int(self.height), 1)
        return [self.position_at(y * self.height / count) for y in range(count + 1)]


def _share(values: Sequence[int], at: int, value: float) -> float:
    width = values[at + 1] - values[at]
    return min(max((value - values[at]) / width, 0.0), 1.0) if width else 0.0
