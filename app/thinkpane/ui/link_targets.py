"""Brings the pane to the front that shows what was chosen in another one."""

from PySide6.QtCore import QObject

from thinkpane.prompt.places import Place, PlaceKind
from thinkpane.ui.card_lights import CardLights, RawTextLights
from thinkpane.ui.json_lights import JsonLights
from thinkpane.ui.links import Links
from thinkpane.ui.panes.json_body import JsonPane
from thinkpane.ui.panes.messages import MessagesPane
from thinkpane.ui.widgets.items_pane import ItemsPane
from thinkpane.ui.window_layout import WindowLayout
from thinkpane.workspace.document import Document

LISTS: tuple[tuple[PlaceKind, str], ...] = (("message", "messages"), ("tool", "tools"), ("document", "documents"))
_PANES: dict[PlaceKind, str] = {**dict(LISTS), "raw_text": "messages", "variable": "controls"}


class LinkTargets(QObject):
    """Answers the links of one window: shows panes, and gives each list of cards its lights."""

    def __init__(self, layout: WindowLayout, links: Links, document: Document) -> None:
        super().__init__(layout)
        self._layout = layout
        # Connected first, so that a card is scrolled to in a pane that is shown already.
        links.place_chosen.connect(self._on_links_place_chosen)
        links.message_chosen.connect(self._on_links_message_chosen)
        for kind, id in LISTS:
            pane = layout.panes[id]
            if isinstance(pane, MessagesPane | ItemsPane):
                CardLights(pane.list, kind, links)
            if isinstance(pane, MessagesPane):
                RawTextLights(pane.raw.editor, links)

        whole = layout.panes["json"]
        if isinstance(whole, JsonPane):
            JsonLights(whole, document, links)

    def _on_links_place_chosen(self, place: Place | None) -> None:
        if place is not None and place.kind in dict(LISTS) and self._layout.panes["json"].isVisible():
            return  # the JSON shows it as well, and was chosen to be in front
        if place is not None and place.kind in _PANES:
            self._layout.show_pane(_PANES[place.kind])

    def _on_links_message_chosen(self, _index: int) -> None:
        self._layout.show_pane("messages")
