"""Where the window shows problems beside their pane: the tab's title, and the prompt's characters they are about."""

from PySide6.QtCore import QObject

from thinkpane.endpoints.kind import endpoint_kind
from thinkpane.errors import ThinkpaneError
from thinkpane.ui.panes.problems import PANE, ProblemsPane
from thinkpane.ui.services import Services
from thinkpane.ui.window_layout import WindowLayout
from thinkpane.workspace.document import Document


class ProblemView(QObject):
    """Answers the problems pane of one window."""

    def __init__(self, layout: WindowLayout) -> None:
        super().__init__(layout)
        self._layout = layout
        pane = layout.panes[PANE.id]
        if isinstance(pane, ProblemsPane):
            pane.counted.connect(self._on_pane_counted)
            pane.span_chosen.connect(self._on_pane_span_chosen)

    def _on_pane_counted(self, count: int) -> None:
        self._layout.inspect.set_title(PANE.id, f"{PANE.title} {count}" if count else PANE.title)

    def _on_pane_span_chosen(self, start: int, end: int) -> None:
        self._layout.show_pane("prompt")
        self._layout.select_in_prompt(start, end)


def kind_of_endpoint(document: Document, services: Services) -> str:
    """What kind of endpoint the document's prompt goes to; "" where it names none of this machine's."""
    try:
        endpoint = services.endpoints.named(document.state.endpoint)
    except ThinkpaneError:
        return ""
    return endpoint_kind(endpoint, document.state.path)
