"""What every pane is given: the document, the feeds of prompts, tokens, runs, effects and problems, settings, links."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from thinkpane.ui.links import Links

if TYPE_CHECKING:
    from thinkpane.ui.bridge import PromptFeed, RunFeed
    from thinkpane.ui.effects import EffectFeed
    from thinkpane.ui.problems import ProblemFeed
    from thinkpane.ui.token_feed import TokenFeed
    from thinkpane.workspace.document import Document
    from thinkpane.workspace.settings import Settings


@dataclass(frozen=True, slots=True)
class Context:
    """Handed to each pane's `build`."""

    document: "Document"
    prompts: "PromptFeed"
    tokens: "TokenFeed"
    runs: "RunFeed"
    effects: "EffectFeed"
    problems: "ProblemFeed"
    settings: "Settings"
    links: Links = field(default_factory=Links)
