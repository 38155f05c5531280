"""Lights the cards that the prompt's characters came from, and tells the prompt where the caret is in them."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from thinkpane.formats.json_places import range_of, steps_at
from thinkpane.prompt.owners import Stretch, lies_in
from thinkpane.prompt.places import Place, PlaceKind, steps_of, way_of
from thinkpane.ui.links import Links
from thinkpane.ui.widgets.card_list import CardList
from thinkpane.ui.widgets.card_list_card import Card
from thinkpane.ui.widgets.exact_text import ExactTextEdit, TextField

_MARGIN = 60
"""Pixels of the list that stay in sight around the characters."""


class CardLights(QObject):
    """Joins one list of cards with the links; it belongs to the list. kind: what its items are among places."""

    def __init__(self, cards: CardList, kind: PlaceKind, links: Links) -> None:
        super().__init__(cards)
        self._cards = cards
        self._kind = kind
        self._links = links
        self._lit_card: Card | None = None
        self._lit_field: ExactTextEdit | None = None
        self._heard: Place | None = None
        links.place_pointed.connect(self._on_links_place_pointed)
        links.place_chosen.connect(self._on_links_place_chosen)
        if kind == "message":
            links.message_chosen.connect(self._on_links_message_chosen)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_application_focus_changed)

    def _show(self, index: int) -> Card | None:
        """The card of an item, made where it is not yet, lit and in sight."""
        self._cards.set_current(index)
        return self._cards.card(index)

    def _focused(self) -> tuple[Place | None, TextField | None]:
        """Where the keyboard is: a field of a card, or the card as a whole."""
        card = self._cards.focused_card()
        if card is None:
            return None, None
        index = self._cards.index_of(card)
        for name, field in card.text_fields().items():
            if field.hasFocus():
                selected = field.selected if isinstance(field, ExactTextEdit) else (0, 0)
                return Place(self._kind, index, name, selected if selected[0] < selected[1] else None), field
        for way, editor in card.json_fields().items():
            found = steps_at(editor.text, *editor.selected) if editor.hasFocus() else None
            if found is not None:
                steps, at = found
                return Place(self._kind, index, way_of((*steps_of(way), *steps)), at), editor
        return Place(self._kind, index), None

    def _tell(self) -> None:
        place, field = self._focused()
        if isinstance(field, ExactTextEdit) and field.property("linked") is None:
            field.setProperty("linked", True)
            field.selectionChanged.connect(self._tell)
            field.cursorPositionChanged.connect(self._tell)
        if place is None or place == self._heard:
            return
        self._heard = place
        self._links.field_entered.emit(place)

    def _on_application_focus_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        del old
        if new is not None and self._cards.isAncestorOf(new):
            self._tell()
        elif new is not None:
            self._heard = None

    def _on_links_place_pointed(self, place: Place | None) -> None:
        if self._lit_card is not None and isValid(self._lit_card):
            self._lit_card.set_pointed(False)
        if self._lit_field is not None and isValid(self._lit_field):
            self._lit_field.set_lit(None)
        self._lit_card = self._lit_field = None
        if place is None or place.kind != self._kind or place.index is None:
            return
        self._lit_card = card = self._cards.card(place.index)
        if card is not None:
            card.set_pointed(True)
        field, at = place_in(card, place) if card is not None else (None, (0, 0))
        if isinstance(field, ExactTextEdit):
            self._lit_field = field
            field.set_lit(at)

    def _on_links_place_chosen(self, place: Place | None) -> None:
        if place is None or place.kind != self._kind or place.index is None:
            return
        card = self._show(place.index)
        field, (start, end) = place_in(card, place) if card is not None else (None, (0, 0))
        if field is None:
            return
        if isinstance(field, ExactTextEdit):
            field.select(start, end)
            at = field.viewport().mapToGlobal(field.cursorRect().center())
        else:
            field.setSelection(start, end - start)
            at = field.mapToGlobal(field.rect().center())
        inside = self._cards.viewport().mapFromGlobal(at).y() + self._cards.verticalScrollBar().value()
        self._cards.ensureVisible(0, inside, 0, _MARGIN)

    def _on_links_message_chosen(self, index: int) -> None:
        self._show(index)


def place_in(card: Card, place: Place) -> tuple[TextField | None, Stretch]:
    """The field of a card that shows a place, and the place's characters in it; None where it is not shown."""
    field = card.text_fields().get(place.field)
    if field is not None:
        length = len(field.text if isinstance(field, ExactTextEdit) else field.text())
        return field, place.at or (0, length)
    for way, editor in card.json_fields().items():
        if not way or lies_in(place.field, way):
            found = range_of(editor.text, steps_of(place.field)[len(steps_of(way)) :], place.at)
            if found is not None:
                return editor, found
    return None, (0, 0)


class RawTextLights(QObject):
    """Does the same for the one text that stands in place of the messages; it belongs to its editor."""

    def __init__(self, editor: ExactTextEdit, links: Links) -> None:
        super().__init__(editor)
        self._editor = editor
        self._links = links
        links.place_pointed.connect(self._on_links_place_pointed)
        links.place_chosen.connect(self._on_links_place_chosen)
        editor.focused.connect(self._tell)
        editor.selectionChanged.connect(self._tell)

    def _tell(self) -> None:
        if self._editor.hasFocus():
            start, end = self._editor.selected
            self._links.field_entered.emit(Place("raw_text", at=(start, end) if start < end else None))

    def _on_links_place_pointed(self, place: Place | None) -> None:
        is_here = place is not None and place.kind == "raw_text"
        self._editor.set_lit((place.at or (0, len(self._editor.text))) if place is not None and is_here else None)

    def _on_links_place_chosen(self, place: Place | None) -> None:
        if place is not None and place.kind == "raw_text":
            self._editor.select(*(place.at or (0, len(self._editor.text))))
