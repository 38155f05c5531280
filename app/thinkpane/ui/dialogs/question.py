"""A question with named answers."""

from collections.abc import Sequence

from PySide6.QtGui import Qt
from PySide6.QtWidgets import QMessageBox, QWidget


def ask(parent: QWidget, title: str, text: str, answers: Sequence[str]) -> str:
    """Asks with a button for each of `answers`, the first being the default, and Cancel; "" for Cancel."""
    box = QMessageBox(QMessageBox.Icon.Question, title, text, QMessageBox.StandardButton.Cancel, parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    buttons = {answer: box.addButton(answer, QMessageBox.ButtonRole.AcceptRole) for answer in answers}
    box.setDefaultButton(buttons[answers[0]])
    box.exec()
    clicked = box.clickedButton()
    return next((answer for answer, button in buttons.items() if button is clicked), "")


def plain_words(text: str) -> str:
    """Words with a foreign name in them for a question of Qt's own, which takes for markup what looks like it."""
    if not Qt.mightBeRichText(text):
        return text
    return Qt.convertFromPlainText(text, Qt.WhiteSpaceMode.WhiteSpaceNormal)
