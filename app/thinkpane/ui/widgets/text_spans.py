"""Spans of pixels along a row."""

from collections.abc import Iterable

_NEAR = 0.5


def joined(edges: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """The spans [left, right) in order, those that meet as one."""
    found: list[tuple[float, float]] = []
    for left, right in sorted(edges):
        if found and left <= found[-1][1] + _NEAR:
            found[-1] = (found[-1][0], max(found[-1][1], right))
        else:
            found.append((left, right))
    return found
