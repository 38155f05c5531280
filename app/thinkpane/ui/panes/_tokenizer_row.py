"""How many tokens the prompt has, and by which tokenizer: found with the template, or chosen by hand."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QInputDialog, QMenu, QToolButton, QVBoxLayout, QWidget

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.prompt.tokenizer_refs import NONE
from thinkpane.templates.files import local_path
from thinkpane.ui.token_feed import TokenFeed
from thinkpane.ui.widgets.flat_button import flat_button
from thinkpane.ui.widgets.output_card import plain_label
from thinkpane.ui.widgets.plain_tip import plain_tip

_FILTER: Final = "Tokenizers (tokenizer.json *.gguf *.model *.tiktoken);;All files (*)"
_PUBLISHED: Final = ("o200k_base", "cl100k_base", "o200k_harmony")
_LONGEST: Final = 240
"""Characters of why a tokenizer gives no tokens that are shown; the tooltip and screen readers have more."""
_ASKED: Final = "hf:owner/name, ollama:name, or the address of a llama.cpp, vLLM or SGLang server:"


class TokenizerRow(QWidget):
    """The count with a button beside it, whose menu chooses the tokenizer for the template at hand.

    fault: below them, why that tokenizer gives no tokens; the keyboard comes to it behind the button.
    """

    def __init__(self, feed: TokenFeed, failed: Callable[[Problem], None]) -> None:
        """failed: is told why a choice could not be kept."""
        super().__init__()
        self._feed = feed
        self._failed = failed
        self.dialog: QInputDialog | None = None
        self.label = plain_label("", "dim")
        self.label.setWordWrap(True)
        self.button = flat_button("Tokenizer", "Choose the tokenizer that counts for this template")
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self.button)
        self.menu.aboutToShow.connect(self.fill)
        self.button.setMenu(self.menu)
        self.fault = plain_label("", "remark")
        self.fault.setWordWrap(True)
        self.fault.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.fault.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.fault.hide()
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.label, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignRight)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(row)
        column.addWidget(self.fault)
        self.hide()

    def tell(self, words: str, hint: str) -> None:
        """How many tokens the prompt has; "" = nothing is known of it, or it is still being counted."""
        self.label.setText(words or "Counting tokens …")
        for each in (self.label, self.fault):
            each.setToolTip(plain_tip(hint))
        self._tell_fault(self._why() if words else "")
        self.setVisible(bool(words) or self._feed.busy)

    def show_count(self, on: bool) -> None:
        """Shows the count, or the button alone where there is no height for more; the status line has the count too."""
        self.label.setVisible(on)

    def choose(self, ref: str) -> None:
        """Takes the tokenizer of a REF for the template at hand; "" = the one that is found with it."""
        try:
            self._feed.choose(ref)
        except ThinkpaneError as fault:
            self._failed(fault.problem)

    def fill(self) -> None:
        """Makes the menu anew: what may be chosen, and what is."""
        self.menu.clear()
        group = QActionGroup(self.menu)
        found = self._feed.found
        self._offer(
            group, f"Found with the template: {_short(found)}" if found else "Found with the template: none", ""
        )
        for ref in self._feed.chosen_before:
            if ref not in (*_PUBLISHED, NONE):
                self._offer(group, _short(ref), ref)
        self.menu.addSeparator()
        for name in _PUBLISHED:
            self._offer(group, f"{name} (OpenAI, fetched once)", name)
        self._offer(group, "None, an estimate by length", NONE)
        self.menu.addSeparator()
        self.menu.addAction("File…", self.ask_file)
        self.menu.addAction("Model folder…", self.ask_folder)
        self.menu.addAction("Hub, server or Ollama…", self.ask_address)

    def ask_file(self) -> None:
        """Asks for a tokenizer's file."""
        chosen, _ = QFileDialog.getOpenFileName(self, "Choose tokenizer", self._folder(), _FILTER)
        if chosen:
            self.choose(chosen)

    def ask_folder(self) -> None:
        """Asks for a folder with a tokenizer in it."""
        chosen = QFileDialog.getExistingDirectory(self, "Choose model folder", self._folder())
        if chosen:
            self.choose(chosen)

    def ask_address(self) -> None:
        """Asks for a tokenizer that is no file."""
        dialog = self.dialog = QInputDialog(self)
        dialog.setWindowTitle("Choose tokenizer")
        dialog.setLabelText(_ASKED)
        dialog.setOkButtonText("Use")
        dialog.textValueSelected.connect(self._on_dialog_answered)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _why(self) -> str:
        """Why the tokenizer at hand gives no tokens, "" where it does or where there is none."""
        problem = self._feed.current.problem if self._feed.current is not None else None
        if problem is None:
            return ""
        ref = self._feed.chosen or self._feed.found
        if ref in problem.message:
            return f"No exact count: {problem.message.replace(ref, _short(ref))}"
        return f"No exact count by “{_short(ref)}”: {problem.message}"

    def _tell_fault(self, sentence: str) -> None:
        self.fault.setText(sentence if len(sentence) <= _LONGEST else sentence[:_LONGEST] + "…")
        self.fault.setAccessibleName(sentence)
        self.button.setAccessibleDescription(sentence)
        self.fault.setVisible(bool(sentence))

    def _on_dialog_answered(self, text: str) -> None:
        if text.strip():
            self.choose(text.strip())

    def _offer(self, group: QActionGroup, words: str, ref: str) -> None:
        # An ampersand in a name would underline a letter.
        action = self.menu.addAction(words.replace("&", "&&"))
        action.setCheckable(True)
        action.setChecked(self._feed.chosen == ref)
        action.setData(ref)
        action.triggered.connect(lambda _on, ref=ref: self.choose(ref))
        group.addAction(action)

    def _folder(self) -> str:
        file = self._feed.file
        return str(file.parent if file is not None else Path.home())


def _short(ref: str) -> str:
    """A REF for a menu: of a path the last two names."""
    path = local_path(ref)
    return "/".join(path.parts[-2:]) if path is not None else ref
