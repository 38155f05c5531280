"""Caret and selection of a text, and how keys and clicks move them. Positions are code points."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from thinkpane.ui.widgets.text_change import Change
from thinkpane.ui.widgets.text_geometry import TextGeometry
from thinkpane.ui.widgets.text_lines import LONGEST

_WORD_AHEAD = re.compile(r"(?:\w+|[^\w\s]+)?\s*")
_RUN = re.compile(r"\w+|\s+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Selection:
    """anchor: where the selection began; caret: where it ends now (equal = nothing is selected).

    upstream: the caret, between two rows, stands at the end of the upper one. goal: the x that moving by rows aims at.
    """

    anchor: int = 0
    caret: int = 0
    upstream: bool = False
    goal: float | None = None

    @property
    def start(self) -> int:
        """Where the selected text begins."""
        return min(self.anchor, self.caret)

    @property
    def end(self) -> int:
        """Where the selected text ends."""
        return max(self.anchor, self.caret)

    def within(self, length: int) -> "Selection":
        """The same, moved into a text of that length."""
        return replace(self, anchor=min(self.anchor, length), caret=min(self.caret, length))

    def after(self, change: Change, length: int) -> "Selection":
        """The selection once a text that was `length` long has changed.

        All of it stays all of it. Else what is left of the selected text stays selected, with what was put into its
        middle; where nothing is left, nothing is selected any more.
        """
        if 0 == self.start < self.end == length:
            whole = length + len(change.text) - (change.end - change.start)
            return Selection(0, whole) if self.anchor < self.caret else Selection(whole, 0)
        start, end = _start_after(change, self.start), _end_after(change, self.end)
        if start >= end:
            return caret(change.moved(self.caret))
        return Selection(start, end) if self.anchor < self.caret else Selection(end, start)


def _start_after(change: Change, start: int) -> int:
    inside = change.start <= start < max(change.end, change.start + 1)
    return change.start + len(change.text) if inside else change.moved(start)


def _end_after(change: Change, end: int) -> int:
    return change.start if change.start < end <= change.end else change.moved(end)


def caret(position: int) -> Selection:
    """A caret with nothing selected."""
    return Selection(position, position)


Move = Callable[[TextGeometry, Selection], Selection]
"""Moves the caret; the anchor of what it gives is not looked at."""


def next_character(geometry: TextGeometry, at: Selection) -> Selection:
    """One character on; over a newline at the end of a line."""
    piece = geometry.lines.piece_at(at.caret)
    if at.caret == piece.end:
        return caret(min(piece.following, len(geometry.lines)))
    return caret(geometry.laid(piece).next_position(at.caret))


def previous_character(geometry: TextGeometry, at: Selection) -> Selection:
    """One character back."""
    piece = geometry.lines.piece_at(at.caret)
    if at.caret == piece.start:
        before = geometry.lines.previous_piece(piece)
        if before is None:
            return caret(0)
        return caret(before.end if before.newline else geometry.laid(before).previous_position(before.end))
    return caret(geometry.laid(piece).previous_position(at.caret))


def right(geometry: TextGeometry, at: Selection) -> Selection:
    """One character to the right: on, or back in a line that is written from right to left."""
    return (previous_character if _runs_left(geometry, at) else next_character)(geometry, at)


def left(geometry: TextGeometry, at: Selection) -> Selection:
    """One character to the left."""
    return (next_character if _runs_left(geometry, at) else previous_character)(geometry, at)


def word_right(geometry: TextGeometry, at: Selection) -> Selection:
    """One word to the right."""
    return (previous_word if _runs_left(geometry, at) else next_word)(geometry, at)


def word_left(geometry: TextGeometry, at: Selection) -> Selection:
    """One word to the left."""
    return (next_word if _runs_left(geometry, at) else previous_word)(geometry, at)


def next_word(geometry: TextGeometry, at: Selection) -> Selection:
    """To the start of the next word."""
    text = geometry.lines.text
    match = _WORD_AHEAD.match(text, at.caret, min(at.caret + LONGEST, len(text)))
    return caret(match.end()) if match else at


def previous_word(geometry: TextGeometry, at: Selection) -> Selection:
    """To the start of the word before."""
    before = geometry.lines.text[max(at.caret - LONGEST, 0) : at.caret]
    left = before.rstrip()
    kept = left.rstrip("".join({each for each in left if _same_kind(each, left[-1])}))
    return caret(at.caret - len(before) + len(kept))


def by_rows(rows: int) -> Move:
    """So many rows down, or up where negative."""
    return lambda geometry, at: _by_rows(geometry, at, rows)


def to(position: int) -> Move:
    """To a position, from wherever."""
    return lambda _geometry, _at: caret(position)


def row_start(geometry: TextGeometry, at: Selection) -> Selection:
    """To the start of the row."""
    place = geometry.place_of(at.caret, upstream=at.upstream)
    return caret(geometry.laid(place.piece).row_start(place.row))


def row_end(geometry: TextGeometry, at: Selection) -> Selection:
    """To the end of the row."""
    place = geometry.place_of(at.caret, upstream=at.upstream)
    laid = geometry.laid(place.piece)
    return replace(caret(laid.row_end(place.row)), upstream=laid.goes_on(place.row))


def moved(geometry: TextGeometry, at: Selection, move: Move, *, select: bool) -> Selection:
    """The selection after a move. select: the anchor stays."""
    found = move(geometry, at)
    return replace(found, anchor=at.anchor if select else found.caret)


def word_at(geometry: TextGeometry, position: int) -> Selection:
    """The word, the run of spaces or the special token that holds the character at `position`."""
    mark = geometry.marks.at(position)
    if mark is not None and mark.kind == "token":
        return Selection(mark.start, mark.end)
    text = geometry.lines.text
    start = max(geometry.lines.piece_at(position).line_start, position - LONGEST)
    end = text.find("\n", position, position + LONGEST)
    for match in _RUN.finditer(text, start, end if end >= 0 else position + LONGEST):
        if match.start() <= position < match.end():
            return Selection(match.start(), match.end())
    return Selection(position, position)


def line_at(geometry: TextGeometry, position: int) -> Selection:
    """The whole line that holds `position`, its newline included."""
    text = geometry.lines.text
    end = text.find("\n", position)
    return Selection(text.rfind("\n", 0, position) + 1, len(text) if end < 0 else end + 1)


def joined(first: Selection, second: Selection) -> Selection:
    """From the one to the other, both included: how a drag by words or lines grows."""
    if second.start < first.start:
        return Selection(first.end, second.start)
    return Selection(first.start, max(first.end, second.end))


def _runs_left(geometry: TextGeometry, at: Selection) -> bool:
    return geometry.laid(geometry.lines.piece_at(at.caret)).backwards


def _by_rows(geometry: TextGeometry, at: Selection, rows: int) -> Selection:
    place = geometry.place_of(at.caret, upstream=at.upstream)
    goal = geometry.laid(place.piece).x_of(at.caret, place.row) if at.goal is None else at.goal
    target = geometry.moved(place, rows)
    if target == place:
        edge = 0 if rows < 0 else len(geometry.lines)
        return replace(caret(edge), goal=goal)
    laid = geometry.laid(target.piece)
    position = laid.position_at(goal, target.row)
    upstream = laid.goes_on(target.row) and position == laid.row_end(target.row)
    return replace(caret(position), goal=goal, upstream=upstream)


def _same_kind(one: str, other: str) -> bool:
    if other.isalnum() or other == "_":
        return one.isalnum() or one == "_"
    return not (one.isalnum() or one == "_" or one.isspace())
