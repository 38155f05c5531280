"""A text view on show, and a vocabulary small enough for hypothesis."""

from functools import cache

from pytestqt.qtbot import QtBot

from support.small_vocabularies import byte_pairs
from thinkpane.tokens.vocabulary import Vocabulary
from thinkpane.ui.widgets.text_view import TextView


@cache
def small() -> Vocabulary:
    """The byte pairs, made once."""
    return byte_pairs()


def exposed_view(qtbot: QtBot) -> TextView:
    """An empty view of 320 x 240."""
    found = TextView("Text")
    found.resize(320, 240)
    qtbot.addWidget(found)
    with qtbot.waitExposed(found):
        found.show()
    return found
