"""Whatever words a tooltip is given, Qt shows them and reads no markup."""

import pytest
from PySide6.QtGui import Qt, QTextDocument

from thinkpane.ui.dialogs.question import plain_words
from thinkpane.ui.widgets.plain_tip import plain_tip

FOREIGN = ["<s>", "&lt;s&gt;", "<img src='x'>.json", "a & b", "<b>x</b>\ny", "plain"]


@pytest.mark.parametrize("words", FOREIGN)
def test_a_tooltip_shows_the_words_as_they_are(words: str) -> None:
    assert shown(plain_tip(words)) == words


@pytest.mark.parametrize("words", FOREIGN)
def test_a_question_shows_the_words_as_they_are(words: str) -> None:
    assert shown(plain_words(words)) == words


def shown(given: str) -> str:
    """What Qt makes of a text for which nobody said whether it is markup."""
    if not Qt.mightBeRichText(given):
        return given
    document = QTextDocument()
    document.setHtml(given)
    return document.toPlainText()
