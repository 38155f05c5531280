"""Where the window joins the diff pane with the others: it comes to the front, and the prompt pane pins."""

from typing import cast

from PySide6.QtCore import QObject

from thinkpane.prompt.comparison import Side
from thinkpane.prompt.prompt import Prompt
from thinkpane.ui.context import Context
from thinkpane.ui.panes.diff import PANE, DiffPane
from thinkpane.ui.panes.prompt import PromptPane
from thinkpane.ui.parity import ParityCheck
from thinkpane.ui.turn_reuse import TurnReuse
from thinkpane.ui.window_layout import WindowLayout


class Comparing(QObject):
    """Answers the diff pane of one window. pane: that pane. turns: the strip of turns below the prompt."""

    def __init__(self, layout: WindowLayout, context: Context, parity: ParityCheck) -> None:
        super().__init__(layout)
        self._layout = layout
        self.pane = cast("DiffPane", layout.panes[PANE.id])
        self.pane.wanted.connect(self._on_pane_wanted)
        self.pane.offer_server(lambda: _of_server(parity))
        parity.compare_wanted.connect(lambda: self._on_parity_compare_wanted(parity))
        self.turns = TurnReuse(self, context)
        self.turns.chosen.connect(self.pane.compare)
        prompt = layout.panes["prompt"]
        if isinstance(prompt, PromptPane):
            prompt.put_below(self.turns.panel)
            self._pin = prompt.pin
            self._pin.clicked.connect(self._on_pin_clicked)
            self.pane.pinned.connect(self._pin.setChecked)

    def close(self) -> None:
        """Ends the threads."""
        self.turns.close()
        self.pane.close_down()

    def _on_parity_compare_wanted(self, parity: ParityCheck) -> None:
        side = _of_server(parity)
        if side is not None:
            self.pane.compare(None, side)

    def _on_pane_wanted(self) -> None:
        self._layout.show_pane(PANE.id)

    def _on_pin_clicked(self, on: bool) -> None:
        if on:
            self.pane.pin_a()
        else:
            self.pane.unpin()
        self._pin.setChecked(self.pane.has_pinned)


def _of_server(parity: ParityCheck) -> Side | None:
    """The server's prompt, where it told; None where it was not asked, or does not tell."""
    found = parity.parity
    if found is None or found.theirs is None:
        return None
    return Side(f"The prompt of {found.server or 'the server'}", Prompt(text=found.theirs))
