"""What the window needs from below; compose.py builds it, each service when it is first asked for."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from thinkpane.analysis.analyst import Analyst
    from thinkpane.endpoints.client import Client
    from thinkpane.endpoints.recorded import Demo
    from thinkpane.engine.host import Engine
    from thinkpane.folders import Folders
    from thinkpane.runs.runner import Runner
    from thinkpane.templates.reach import Reach
    from thinkpane.workspace.endpoint_store import EndpointStore
    from thinkpane.workspace.keys import Keys
    from thinkpane.workspace.recent import Recent, RecentTemplates
    from thinkpane.workspace.settings import Settings


class Services(Protocol):
    """The services of one process."""

    @property
    def engine(self) -> "Engine":
        """The engine that renders."""

    @property
    def analyst(self) -> "Analyst":
        """What analyses large prompts."""

    @property
    def folders(self) -> "Folders":
        """Where settings, state and cache lie."""

    @property
    def settings(self) -> "Settings":
        """The settings in force."""

    @property
    def recent(self) -> "Recent":
        """The documents that were open last."""

    @property
    def recent_templates(self) -> "RecentTemplates":
        """The templates that were open last."""

    @property
    def endpoints(self) -> "EndpointStore":
        """The endpoints that a person set up."""

    @property
    def keys(self) -> "Keys":
        """Where keys are found."""

    @property
    def client(self) -> "Client":
        """What talks HTTP."""

    @property
    def reach(self) -> "Reach":
        """How template sources ask the network; it waits, so never on the window's thread."""

    @property
    def demo(self) -> "Demo":
        """What replays recorded replies."""

    @property
    def runner(self) -> "Runner":
        """What starts runs."""
