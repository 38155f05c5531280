"""Lights in the JSON pane what the prompt's characters came from, and tells the prompt where the caret is in it."""

from PySide6.QtCore import QObject

from thinkpane.conversation.conversation import Conversation
from thinkpane.formats.json_places import Step, range_of, steps_at
from thinkpane.prompt.owners import Stretch
from thinkpane.prompt.places import Place, PlaceKind, steps_of, way_of
from thinkpane.ui.links import Links
from thinkpane.ui.panes.json_body import JsonPane
from thinkpane.workspace.document import Document

_LISTS: dict[PlaceKind, str] = {"message": "messages", "tool": "tools", "document": "documents"}
_KINDS: dict[Step, PlaceKind] = {name: kind for kind, name in _LISTS.items()}


class JsonLights(QObject):
    """Joins the pane with the links; it belongs to the pane. What the body leaves out has no place in it."""

    def __init__(self, pane: JsonPane, document: Document, links: Links) -> None:
        super().__init__(pane)
        self._pane = pane
        self._editor = pane.editor.editor
        self._document = document
        self._links = links
        self._heard: Place | None = None
        links.place_pointed.connect(self._on_links_place_pointed)
        links.place_chosen.connect(self._on_links_place_chosen)
        self._editor.focused.connect(self._tell)
        self._editor.cursorPositionChanged.connect(self._tell)
        self._editor.selectionChanged.connect(self._tell)

    def _range(self, place: Place | None) -> Stretch | None:
        if place is None or not self._pane.isVisible():
            return None
        steps = body_steps(self._document.state.conversation, place)
        return range_of(self._editor.text, steps, place.at) if steps is not None else None

    def _tell(self) -> None:
        if not self._editor.hasFocus():
            self._heard = None
            return
        found = steps_at(self._editor.text, *self._editor.selected)
        place = body_place(self._document.state.conversation, *found) if found is not None else None
        if place is not None and place != self._heard:
            self._heard = place
            self._links.field_entered.emit(place)

    def _on_links_place_pointed(self, place: Place | None) -> None:
        self._editor.set_lit(self._range(place))

    def _on_links_place_chosen(self, place: Place | None) -> None:
        found = self._range(place)
        if found is not None:
            self._editor.select(*found)


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
