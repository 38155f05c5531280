"""What every pane is given: the open document, the feeds of prompts and runs, and the services below."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thinkpane.ui.bridge import PromptFeed, RunFeed
    from thinkpane.workspace.document import Document


@dataclass(frozen=True, slots=True)
class Context:
    """Handed to each pane's `build`."""

    document: "Document"
    prompts: "PromptFeed"
    runs: "RunFeed"
