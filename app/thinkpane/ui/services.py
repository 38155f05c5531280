"""What the window needs from below; compose.py builds it, each service when it is first asked for."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from thinkpane.engine.host import Engine
    from thinkpane.workspace.folders import Folders
    from thinkpane.workspace.recent import Recent
    from thinkpane.workspace.settings import Settings


class Services(Protocol):
    """The services of one process."""

    @property
    def engine(self) -> "Engine":
        """The engine that renders."""

    @property
    def folders(self) -> "Folders":
        """Where settings, state and cache lie."""

    @property
    def settings(self) -> "Settings":
        """The settings in force."""

    @property
    def recent(self) -> "Recent":
        """The documents that were open last."""
