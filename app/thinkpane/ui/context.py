"""What every pane is given: the open document, the feeds of prompts, runs and effects, and the settings."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

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
