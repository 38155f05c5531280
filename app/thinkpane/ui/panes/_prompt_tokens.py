"""Tokens in the prompt pane: which the view shades and numbers, and what is told of those at pointer and caret."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QToolButton

from thinkpane.errors import ThinkpaneError
from thinkpane.prompt.prompt import Prompt
from thinkpane.prompt.token_service import Encoded
from thinkpane.ui.actions import keys_of
from thinkpane.ui.models.token_layer import TokenLayer
from thinkpane.ui.panes._token_words import selected_words, token_words
from thinkpane.ui.token_feed import TokenFeed
from thinkpane.ui.widgets.flat_button import flat_button
from thinkpane.ui.widgets.text_view import TextView
from thinkpane.workspace.settings import Settings

_NO_TOKENIZER = "choose a tokenizer beside the count, below the prompt."


class PromptTokens(QObject):
    """Joins the prompt's view with its tokens and the settings of how they are shown.

    Signals:
        layer_changed(object): the TokenLayer of the text in the view, or None: not known, or still to come.
        missing_told(str): why no tokens can be shown, where they are asked for; "" = nothing is missing.
        told(str): what is known of the tokens at the pointer, else at the caret or selected; "" = nothing.
        failed(object): a Problem: a setting could not be kept.
    """

    layer_changed = Signal(object)
    missing_told = Signal(str)
    told = Signal(str)
    failed = Signal(object)

    def __init__(self, view: TextView, feed: TokenFeed, settings: Settings) -> None:
        super().__init__(view)
        self._view = view
        self._settings = settings
        self._prompt = Prompt()
        self._layer: TokenLayer | None = None
        self._under = -1
        self._missing = ""
        self.shade = _toggle("Tokens", "Shade every token", "shade_tokens")
        self.number = _toggle("Ids", "Show the ids of the tokens below each line", "token_ids")
        self.invisible = _toggle("¶", "Show spaces, tabs, newlines and other invisible characters", "invisible")
        self._buttons = {
            "prompt.shaded": self.shade,
            "prompt.ids": self.number,
            "prompt.invisible": self.invisible,
        }
        for name, button in self._buttons.items():
            button.toggled.connect(lambda on, name=name: self._on_button_toggled(name, on))
            self._on_settings_changed(name)
        end = settings.listen(self._on_settings_changed)
        self.destroyed.connect(end)
        self._feed = feed
        feed.encoded.connect(self._on_feed_encoded)
        feed.placed.connect(self._on_feed_placed)
        view.pointed.connect(self._on_view_pointed)
        view.selection_changed.connect(self._tell)
        if feed.current is not None:
            self._on_feed_encoded(feed.current)

    @property
    def layer(self) -> TokenLayer | None:
        """The tokens of the text in the view; None while they are still to come, and where they are not known."""
        return self._layer

    def show_prompt(self, prompt: Prompt) -> None:
        """Takes a prompt, after the view has its text. Until its tokens come the view shows those before, moved."""
        self._prompt = prompt
        if self._layer is not None and self._layer.encoding.text != prompt.text:
            self._take(None)
        self._tell()

    def words_at(self, position: int) -> list[str]:
        """What is known of the tokens of a character, a line for each part of it."""
        if self._layer is None or not 0 <= position < len(self._prompt.text):
            return []
        return token_words(self._layer, self._layer.at(position), self._prompt.owners)

    def _take(self, layer: TokenLayer | None) -> None:
        self._layer = layer
        self.layer_changed.emit(layer)

    def _tell(self) -> None:
        at = self._view.selection
        is_asked = self.shade.isChecked() or self.number.isChecked()
        self.missing_told.emit(f"Tokens and ids cannot be shown: {self._missing}" if self._missing and is_asked else "")
        if self._under < 0 and at.start != at.end:
            self.told.emit(selected_words(self._layer, at.start, at.end) if self._layer is not None else "")
        else:
            position = self._under if self._under >= 0 else min(at.caret, len(self._prompt.text) - 1)
            self.told.emit(" — ".join(self.words_at(position)))

    def _on_feed_encoded(self, found: Encoded) -> None:
        if found.encoding is not None or not self._prompt.text:
            self._missing = ""
        else:
            self._missing = _NO_TOKENIZER if found.problem is None else found.problem.message
        self._show_ids()
        if found.encoding is None or found.known is None:
            self._view.set_tokens(None)
            self._take(None)
        elif found.encoding.text == self._view.text:
            layer = TokenLayer(found.encoding, found.known, self._feed.ask)
            self._view.set_tokens(layer)
            self._take(layer)
        self._tell()

    def _on_feed_placed(self) -> None:
        if self._layer is not None:
            layer = TokenLayer(self._layer.encoding, self._layer.known, self._feed.ask)
            self._view.set_tokens(layer)
            self._take(layer)
            self._tell()

    def _on_view_pointed(self, position: int) -> None:
        self._under = position
        self._tell()

    def _on_button_toggled(self, name: str, on: bool) -> None:
        if bool(self._settings.get(name)) != on:
            try:
                self._settings.set(name, on)
            except ThinkpaneError as error:
                self.failed.emit(error.problem)

    def _on_settings_changed(self, name: str) -> None:
        button = self._buttons.get(name)
        if button is None:
            return
        on = bool(self._settings.get(name))
        button.setChecked(on)
        act = {
            self.shade: self._view.set_shaded,
            self.number: lambda _on: self._show_ids(),
            self.invisible: self._view.set_invisible,
        }[button]
        act(on)
        self._tell()

    def _show_ids(self) -> None:
        """Room for ids below each row, where there are some to come."""
        wanted = not self._missing and self.number.isChecked()
        if self._view.ids != wanted:
            self._view.set_ids(wanted)


def _toggle(text: str, words: str, action: str) -> QToolButton:
    found = flat_button(text, f"{words} ({keys_of(action)})")
    found.setCheckable(True)
    return found
