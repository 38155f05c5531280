"""What every pane is given: the open document, the feeds of prompts, runs and effects, settings, links."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from thinkpane.ui.links import Links

if TYPE_CHECKING:
    from thinkpane.ui.bridge import PromptFeed, RunFeed
    from thinkpane.ui.effects import EffectFeed
    from thinkpane.workspace.document import Document
    from thinkpane.workspace.settings import Settings


@dataclass(frozen=True, slots=True)
class Context:
    """Handed to each pane's `build`."""

    document: "Document"
    prompts: "PromptFeed"
    runs: "RunFeed"
    effects: "EffectFeed"
    settings: "Settings"
    links: Links = field(default_factory=Links)
