"""Finding from anywhere in the window: in the pane that has the keyboard where it can find, else in the prompt."""

from PySide6.QtWidgets import QApplication

from thinkpane.ui.panes.prompt import PromptPane
from thinkpane.ui.widgets.find_bar import FindBar
from thinkpane.ui.window_layout import WindowLayout


class Finding:
    """What the menu's entries for finding do. The prompt pane comes to the front where it is the one to find in."""

    def __init__(self, layout: WindowLayout) -> None:
        self._layout = layout

    def start(self) -> None:
        """Asks what to find."""
        self._bar().start()

    def go_on(self) -> None:
        """Goes to the next hit, or asks what to find where nothing was."""
        bar = self._bar()
        if bar.isHidden():
            bar.start()
        else:
            bar.go_on()

    def go_back(self) -> None:
        """Goes to the hit before, or asks what to find where nothing was."""
        bar = self._bar()
        if bar.isHidden():
            bar.start()
        else:
            bar.go_back()

    def _bar(self) -> FindBar:
        focused = QApplication.focusWidget()
        bars = self._layout.findChildren(FindBar) if focused is not None else []
        near = next((each for each in bars if focused is not None and each.covers(focused)), None)
        if near is not None:
            return near
        self._layout.show_pane("prompt")
        prompt = self._layout.panes["prompt"]
        assert isinstance(prompt, PromptPane)
        return prompt.find_bar
