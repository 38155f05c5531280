"""What the menus do with the prompt: go to places of it, and copy it or what is selected of it."""

from thinkpane.ui.panes.prompt import PromptPane
from thinkpane.ui.window_layout import WindowLayout


class PromptActions:
    """Acts on the window's prompt pane, which comes to the front where something is to be seen in it."""

    def __init__(self, layout: WindowLayout) -> None:
        self._layout = layout

    def go_to(self) -> None:
        """Asks where to go."""
        self._shown().going.bar.start()

    def next_special(self) -> None:
        """Goes to the next special token."""
        self._shown().going.bar.step(1)

    def previous_special(self) -> None:
        """Goes to the special token before."""
        self._shown().going.bar.step(-1)

    def copy_ids(self) -> None:
        """Copies the ids of what is selected, else of all."""
        self._pane().copies.copy_ids()

    def copy_json(self) -> None:
        """Copies the tokens of what is selected, else of all, as JSON."""
        self._pane().copies.copy_json()

    def export(self) -> None:
        """Exports what is selected, else all, as a picture or pages."""
        self._pane().export()

    def _shown(self) -> PromptPane:
        self._layout.show_pane("prompt")
        return self._pane()

    def _pane(self) -> PromptPane:
        found = self._layout.panes["prompt"]
        assert isinstance(found, PromptPane)
        return found
