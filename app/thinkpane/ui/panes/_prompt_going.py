"""Going about in the prompt pane: what there is to go to, kept for one prompt, and the row in which it is typed."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from thinkpane.prompt.destinations import Ground, Landmarks
from thinkpane.prompt.prompt import Prompt
from thinkpane.ui.widgets.go_bar import GoBar
from thinkpane.ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from thinkpane.ui.token_feed import TokenFeed


class PromptGoing(QObject):
    """Joins the prompt's view and its tokens with the row. `show_prompt` is called after the view has its text."""

    def __init__(self, view: TextView, scope: QWidget, tokens: "TokenFeed") -> None:
        super().__init__(view)
        self._view = view
        self._tokens = tokens
        self.landmarks = Landmarks(Prompt())
        self.bar = GoBar(view, scope, self.ground)
        view.selection_changed.connect(self.bar.refresh)
        tokens.encoded.connect(self.bar.refresh)
        tokens.placed.connect(self.bar.refresh)

    def ground(self) -> Ground:
        """What there is to go to now."""
        return Ground(self.landmarks, self._view.selection.start, self._tokens.current, self._tokens.ask)

    def show_prompt(self, prompt: Prompt) -> None:
        """Takes a prompt."""
        self.landmarks = Landmarks(prompt)
        self.bar.refresh()
