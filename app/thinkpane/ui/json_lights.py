"""Lights in the JSON pane what the prompt's characters came from, and tells the prompt where the caret is in it."""

from PySide6.QtCore import QObject, Qt, Signal, Slot

from thinkpane.conversation.conversation import Conversation
from thinkpane.formats.json_places import Step, json_places, range_of, steps_at
from thinkpane.prompt.owners import Stretch
from thinkpane.prompt.places import Place, PlaceKind, steps_of, way_of
from thinkpane.ui.links import Links
from thinkpane.ui.newest import Newest, let_it_end
from thinkpane.ui.panes.json_body import JsonPane
from thinkpane.workspace.document import Document

PAUSE = 0.15
"""Seconds that typing rests before a long text is read."""
_AT_ONCE = 20_000
"""Characters of a text that is read in a few milliseconds."""
_LISTS: dict[PlaceKind, str] = {"message": "messages", "tool": "tools", "document": "documents"}
_KINDS: dict[Step, PlaceKind] = {name: kind for kind, name in _LISTS.items()}


class JsonLights(QObject):
    """Joins the pane with the links; it belongs to the pane. What the body leaves out has no place in it.

    A long text is read beside the window, once typing rests; until then nothing of it is lit or told.
    """

    _read = Signal(object)

    def __init__(self, pane: JsonPane, document: Document, links: Links) -> None:
        super().__init__(pane)
        self._pane = pane
        self._editor = pane.editor.editor
        self._document = document
        self._links = links
        self._heard: Place | None = None
        self._known = ""
        self._pointed: Place | None = None
        self._chosen: Place | None = None
        self._read.connect(self._on_newest_read, Qt.ConnectionType.QueuedConnection)
        self._newest = Newest("json", _places_of, self._read.emit, let_it_end, PAUSE)
        pane.destroyed.connect(self._newest.close)
        links.place_pointed.connect(self._on_links_place_pointed)
        links.place_chosen.connect(self._on_links_place_chosen)
        self._editor.focused.connect(self._tell)
        self._editor.cursorPositionChanged.connect(self._tell)
        self._editor.selectionChanged.connect(self._tell)

    def _knows(self, text: str) -> bool:
        """Whether it can be said at once where each value stands; else that is asked for."""
        if len(text) <= _AT_ONCE or text == self._known:
            return True
        self._newest.ask(text)
        return False

    def _range(self, place: Place | None) -> Stretch | None:
        if place is None or not self._pane.isVisible() or not self._knows(self._editor.text):
            return None
        steps = body_steps(self._document.state.conversation, place)
        return range_of(self._editor.text, steps, place.at) if steps is not None else None

    def _tell(self) -> None:
        if not self._editor.hasFocus():
            self._heard = None
            return
        self._chosen = None
        if not self._knows(self._editor.text):
            return
        found = steps_at(self._editor.text, *self._editor.selected)
        place = body_place(self._document.state.conversation, *found) if found is not None else None
        if place is not None and place != self._heard:
            self._heard = place
            self._links.field_entered.emit(place)

    @Slot(object)
    def _on_newest_read(self, text: str) -> None:
        if not self._newest.is_newest(text) or text != self._editor.text:
            return
        self._known = text
        self._editor.set_lit(self._range(self._pointed))
        if self._chosen is not None:
            self._on_links_place_chosen(self._chosen)
        self._tell()

    def _on_links_place_pointed(self, place: Place | None) -> None:
        self._pointed = place
        self._editor.set_lit(self._range(place))

    def _on_links_place_chosen(self, place: Place | None) -> None:
        found = self._range(place)
        self._chosen = place if found is None else None
        if found is not None:
            self._editor.select(*found)


def _places_of(text: str, _ticket: object) -> str:
    """The text, once it is known where its values stand: `json_places` keeps that."""
    json_places(text)
    return text


def body_steps(talk: Conversation, place: Place) -> tuple[Step, ...] | None:
    """The way to a place in the conversation's body, which holds only what is sent; None where it is not there."""
    if place.kind not in _LISTS:
        return None
    sent = _sent(talk, place.kind)
    if place.index not in sent:
        return None
    return (_LISTS[place.kind], sent.index(place.index), *steps_of(place.field))


def body_place(talk: Conversation, steps: tuple[Step, ...], at: Stretch | None) -> Place | None:
    """The place that a way in the body leads to; None where it is none of a message, tool or document."""
    if len(steps) < 2 or steps[0] not in _KINDS or not isinstance(steps[1], int):
        return None
    kind = _KINDS[steps[0]]
    sent = _sent(talk, kind)
    return Place(kind, sent[steps[1]], way_of(steps[2:]), at) if steps[1] < len(sent) else None


def _sent(talk: Conversation, kind: PlaceKind) -> list[int]:
    """Which messages, tools or documents are sent, by their index in the document."""
    if kind == "message":
        return [index for index, each in enumerate(talk.messages) if not each.excluded]
    if kind == "tool":
        return [index for index, each in enumerate(talk.tools) if each.enabled]
    return [index for index, each in enumerate(talk.documents) if each.enabled]
