"""Tooltips of foreign words: Qt takes a tooltip for markup as soon as something in it looks like a tag, as <s> does."""

from collections.abc import Callable
from html import escape

from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip, QWidget

LONGEST = 1000

_LINE = 90
"""Characters of a line that Qt may leave in one piece: it breaks no lines of a tooltip that is no markup."""


def plain_tip(words: str) -> str:
    """Foreign words as a tooltip shows them: as plain text, whatever they look like, and not without end."""
    short = words if len(words) <= LONGEST else words[:LONGEST] + "…"
    # “&lt;” alone makes Qt read markup, too.
    if not {"<", "&"} & {*short} and all(len(line) <= _LINE for line in short.splitlines()):
        return short
    return f"<p style='white-space:pre-wrap'>{escape(short)}</p>"


def told_in_tip(event: QEvent, words_at: Callable[[QPoint], str], widget: QWidget) -> bool:
    """Shows the tooltip of the place under the pointer, where `event` asks for one; False for every other event.

    words_at: the foreign words for a point of `widget`, "" = none.
    """
    if event.type() != QEvent.Type.ToolTip or not isinstance(event, QHelpEvent):
        return False
    QToolTip.showText(event.globalPos(), plain_tip(words_at(event.pos())), widget)
    return True
