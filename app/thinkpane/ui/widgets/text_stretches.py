"""The room that tokens get for their ids: spacing behind a character, only where that parts no joined letters."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtGui import QFont, QFontMetricsF, QTextCharFormat, QTextLayout

from thinkpane.ui.models.joined_letters import Joins
from thinkpane.ui.models.token_layer import Token
from thinkpane.ui.widgets.text_shown import Shown

GAP = 5.0
"""Pixels between two ids at least."""


def id_text(token: Token) -> str:
    """What stands below a token."""
    return str(token.id) if token.count == 1 else f"{token.count} ids"


def stretches(
    layout: QTextLayout, shown: Shown, start: int, tail: int, tokens: Sequence[Token], ids_font: QFont
) -> list[QTextLayout.FormatRange]:
    """Formats that make tokens as wide as their ids need. Tokens that split what is drawn as one, or a word whose
    letters join, share the room of all of it; where a word has none to give, what comes behind it gives it.

    start: the position of the layout's first character. tail: units of the newline's mark behind the text.
    """
    digit = QFontMetricsF(ids_font).horizontalAdvance("0")
    end = shown.unit(shown.length) + tail
    room = _Room(layout, QFontMetricsF(layout.font()), Joins(layout.text()))
    group: list[Token] = []
    begin = 0
    for number, token in enumerate(tokens):
        group.append(token)
        stop = shown.unit(token.end - start) if token.end - start <= shown.length else end
        follower = tokens[number + 1] if number + 1 < len(tokens) else None
        if follower is not None and (follower.start < token.end or (stop < end and not room.may_part(stop))):
            continue
        room.give(begin, stop, sum(len(id_text(each)) * digit + GAP for each in group if each.start >= start))
        group, begin = [], stop
    return room.found


@dataclass(slots=True)
class _Room:
    """owed: pixels that a word could not give, since it is joined from end to end."""

    layout: QTextLayout
    metrics: QFontMetricsF
    joins: Joins
    owed: float = 0.0
    found: list[QTextLayout.FormatRange] = field(default_factory=list)

    def may_part(self, unit: int) -> bool:
        return self.layout.isValidCursorPosition(unit) and not self.joins.at(unit)

    def give(self, begin: int, stop: int, wanted: float) -> None:
        """Makes the units [begin, stop) so wide, as far as it can."""
        extra = wanted + self.owed - self.metrics.horizontalAdvance(_units_of(self.layout.text(), begin, stop))
        self.owed = 0.0
        if extra <= 0 or stop <= begin:
            return
        place = self._free(begin, stop)
        if place is None:
            self.owed = extra
        else:
            self.found.append(_spaced(*place, extra))

    def _free(self, begin: int, stop: int) -> tuple[int, int] | None:
        """The last character in [begin, stop) that is joined to none."""
        after = stop
        while after > begin:
            at = max(self.layout.previousCursorPosition(after), begin)
            if not self.joins.at(at) and not self.joins.at(after):
                return at, after
            after = at
        return None


def _units_of(text: str, begin: int, stop: int) -> str:
    """The UTF-16 units [begin, stop) of a text."""
    if len(text) == stop - begin or text.isascii():
        return text[begin:stop]
    return text.encode("utf-16-le", "replace")[2 * begin : 2 * stop].decode("utf-16-le", "replace")


def _spaced(start: int, end: int, pixels: float) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    found.start, found.length = start, end - start
    look = QTextCharFormat()
    look.setFontLetterSpacingType(QFont.SpacingType.AbsoluteSpacing)
    look.setFontLetterSpacing(pixels)
    found.format = look
    return found
