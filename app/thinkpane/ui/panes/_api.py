"""What a pane is: one file in this folder with one public constant `PANE`."""

from typing import Literal, Protocol, TypeAlias

from PySide6.QtWidgets import QWidget

from thinkpane.ui.context import Context

Area: TypeAlias = Literal["compose", "output", "inspect", "side"]
"""compose: messages, tools, documents, JSON; output: thinking, answer, calls, wire; inspect: prompt; side: controls."""


class Pane(Protocol):
    """One pane. order: place among the panes of its area, small first."""

    @property
    def id(self) -> str:
        """Its name on the command line and in saved layouts."""

    @property
    def title(self) -> str:
        """The tab's text."""

    @property
    def area(self) -> Area:
        """Where it stands by default."""

    @property
    def order(self) -> int:
        """Its place in the area."""

    def build(self, context: Context) -> QWidget:
        """A new widget showing `context`."""
