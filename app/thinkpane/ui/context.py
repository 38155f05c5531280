"""What every pane is given: the open document, the feeds of prompts, runs, effects and problems, settings, links."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from thinkpane.ui.links import Links

if TYPE_CHECKING:
    from thinkpane.ui.bridge import PromptFeed, RunFeed
    from thinkpane.ui.effects import EffectFeed
    from thinkpane.ui.problems import ProblemFeed
    from thinkpane.workspace.document import Document
    from thinkpane.workspace.settings import Settings


@dataclass(frozen=True, slots=True)
class Context:
    """Handed to each pane's `build`."""

    document: "Document"
    prompts: "PromptFeed"
    runs: "RunFeed"
    effects: "EffectFeed"
    problems: "ProblemFeed"
    settings: "Settings"
    links: Links = field(default_factory=Links)
