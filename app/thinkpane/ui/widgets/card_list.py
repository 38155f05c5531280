"""A scrolling list of cards that can be moved, doubled and deleted by mouse and by keys.

A long list has the cards around what is seen, and room for the others by what they are thought to be high: a
conversation of a million tokens has thousands of messages, and each card costs milliseconds.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QApplication, QFrame, QSizePolicy, QSpacerItem, QVBoxLayout, QWidget

from thinkpane.ui.widgets.calm_scroll_area import CalmScrollArea
from thinkpane.ui.widgets.card_list_card import Card
from thinkpane.ui.widgets.card_rooms import CardRooms
from thinkpane.ui.widgets.caret_sight import CaretSight

AT_ONCE = 10
"""Cards made in one go, about what can be seen."""

A_TIME = 3
"""Cards made between two events after that: a long conversation fills up while the window stays usable."""

SETTLE_MILLISECONDS = 150
"""How long a card that was brought into view is kept there while it and its neighbours find their heights."""

MOST_CARDS = 80
"""Cards that a long list keeps; those farthest from what is seen go first, and are made again when it scrolls there."""

_SPACING = 8
_ROUND = 8  # pixels of ground to be seen around a card that is brought into view


class CardList(CalmScrollArea):
    """Shows one card an item. Items are known by keys; the owner says which there are and makes their cards.

    Signals:
        move_requested(int, int): the item at the first index is to stand at the second afterwards.
        duplicate_requested(int), delete_requested(int): for the item at the index.
        current_changed(int): the keyboard went into that item's card.
        card_made(Card): a card is new in the list.
    """

    move_requested = Signal(int, int)
    duplicate_requested = Signal(int)
    delete_requested = Signal(int)
    current_changed = Signal(int)
    card_made = Signal(Card)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys: tuple[int, ...] = ()
        self._places: dict[int, int] = {}
        self._make: Callable[[int], Card] | None = None
        self._cards: dict[int, Card] = {}
        self._rooms = CardRooms(_SPACING)
        self._shown: list[tuple[int, int]] = []
        self._held: tuple[int, int] | None = None
        self._holds = False
        self._asked: int | None = None
        self._dragged: Card | None = None
        self._current: int | None = None
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(lambda: self._arrange(A_TIME))
        self._wanted: int | None = None
        self._settled = QTimer(self, singleShot=True, interval=SETTLE_MILLISECONDS)
        self._settled.timeout.connect(self._on_settled_timeout)
        self.verticalScrollBar().rangeChanged.connect(self._on_bar_range_changed)
        self.verticalScrollBar().valueChanged.connect(self._on_bar_value_changed)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._ground = QWidget()
        self._ground.setProperty("kind", "pane")
        outer = QVBoxLayout(self._ground)
        outer.setContentsMargins(10, 8, 10, 12)
        outer.setSpacing(8)
        self._row = QVBoxLayout()
        self._row.setSpacing(_SPACING)
        self.footer = QVBoxLayout()
        outer.addLayout(self._row)
        outer.addLayout(self.footer)
        outer.addStretch(1)
        self.setWidget(self._ground)
        CaretSight(self)
        self._mark = QFrame(self._ground)
        self._mark.setProperty("kind", "drop")
        self._mark.hide()
        self._add_shortcuts()
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_application_focus_changed)

    def _add_shortcuts(self) -> None:
        pairs: list[tuple[str, Callable[[int], None]]] = [
            ("Alt+Up", lambda index: self._ask_move(index, index - 1)),
            ("Alt+Down", lambda index: self._ask_move(index, index + 1)),
            ("Ctrl+D", self.duplicate_requested.emit),
            ("Ctrl+Shift+Del", self.delete_requested.emit),
        ]
        for keys, act in pairs:
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda act=act: self._with_focused(act))

    def show_items(
        self, keys: Sequence[int], make: Callable[[int], Card], guess: Callable[[int], int] | None = None
    ) -> None:
        """Makes the list show these items, in this order; cards that are there are kept with their focus.

        guess: about how many pixels a card will be high, by its key; it is asked once for each that is not made.
        """
        if tuple(keys) == self._keys and self._make == make and self.is_complete:
            return
        self._keys, self._make = tuple(keys), make
        self._places = {key: place for place, key in enumerate(self._keys)}
        self._rooms.show(self._keys, guess)
        gone = [key for key in self._cards if key not in self._places]
        if gone:
            self._drop(gone)
        self._arrange()

    def cards(self) -> list[Card]:
        """The cards that are made, in order."""
        return [self._cards[key] for key in sorted(self._cards, key=self._places.__getitem__)]

    def card(self, index: int) -> Card | None:
        """The card of the item at that index, None where there is none yet."""
        return self._cards.get(self._keys[index]) if 0 <= index < len(self._keys) else None

    def index_of(self, card: Card) -> int:
        """The index of a card's item."""
        return self._places[card.key]

    @property
    def is_complete(self) -> bool:
        """True when every item has its card, or in a long list those around what is seen."""
        return not any(key not in self._cards for key in self._wished())

    def complete(self) -> None:
        """Makes all the cards that are still to be made, now."""
        self._arrange(MOST_CARDS)

    def ensure(self, index: int) -> Card | None:
        """The card of the item at that index, made now where it is not yet; None where there is no such item."""
        if 0 <= index < len(self._keys) and self._keys[index] not in self._cards:
            self._asked = self._keys[index]
            self._arrange(MOST_CARDS)
        return self.card(index)

    def focused_card(self) -> Card | None:
        """The card that has the keyboard in it."""
        found = QApplication.focusWidget()
        while found is not None and not isinstance(found, Card):
            found = found.parentWidget()
        return found if found is not None and self._cards.get(found.key) is found else None

    def set_current(self, index: int | None) -> None:
        """Lights that item's card and brings it into view; None lights none."""
        if index is not None:
            self.ensure(index)
        self._light(self._keys[index] if index is not None and 0 <= index < len(self._keys) else None)
        self._wanted = self._current
        self._settled.start()
        self._bring()

    def _bring(self) -> None:
        """Scrolls to the card that is wanted: all of it, or its top where it is taller than the view."""
        card = self._cards.get(self._wanted) if self._wanted is not None else None
        layout = self._ground.layout()
        if card is None or layout is None:
            return
        layout.activate()
        bar, room = self.verticalScrollBar(), self.viewport().height()
        top, end = card.y() - _ROUND, card.y() + card.height() + _ROUND
        if top < bar.value() or end - top > room:
            bar.setValue(top)
        elif end > bar.value() + room:
            bar.setValue(end - room)

    def _on_settled_timeout(self) -> None:
        self._wanted = None

    def _light(self, key: int | None) -> None:
        for each, on in ((self._current, False), (key, True)):
            card = self._cards.get(each) if each is not None else None
            if card:
                card.set_current(on)
        self._current = key

    def _wished(self) -> list[int]:
        """The keys whose cards there should be, nearest to what is seen first."""
        if len(self._keys) <= MOST_CARDS:
            return [*self._keys]
        top, height = self.verticalScrollBar().value(), self.viewport().height()
        return [*self._pinned(), *self._rooms.around(top - height, top + 2 * height)]

    def _pinned(self) -> list[int]:
        """The cards that stay wherever the list is scrolled to."""
        focused = self.focused_card()
        cards = (self._dragged, focused)
        keys = {card.key for card in cards if card is not None} | {self._current, self._wanted, self._asked}
        return sorted((key for key in keys if key in self._places), key=self._places.__getitem__)

    def _arrange(self, most: int = AT_ONCE) -> None:
        """Puts the cards into order, making `most` of those that are missing."""
        wished = self._wished()
        made: list[Card] = []
        for key in wished:
            if key not in self._cards and len(made) < most and self._make:
                card = self._cards[key] = self._make(key)
                self._connect(card)
                made.append(card)
        if len(self._cards) > MOST_CARDS:
            self._drop(self._rooms.farthest(self._cards, wished, len(self._cards) - MOST_CARDS))
        self._place()
        for card in made:
            card.show()
            self.card_made.emit(card)
        self._hold()
        if self.is_complete:
            self._order_focus()
        else:
            self._later.start()

    def _place(self) -> None:
        """Makes the layout hold the cards in order, with room for those that are not made between them."""
        wanted = self._rooms.places(self._cards)
        if wanted == self._shown:
            return
        self._shown = wanted
        for at, (key, room) in enumerate(wanted):
            item = self._row.itemAt(at)
            if key in self._cards:
                if item is None or item.widget() is not self._cards[key]:
                    self._row.removeWidget(self._cards[key])
                    self._row.insertWidget(at, self._cards[key])
            else:
                spacer = item.spacerItem() if item is not None else None
                if spacer is None:
                    spacer = QSpacerItem(0, 0)
                    self._row.insertItem(at, spacer)
                spacer.changeSize(0, room, QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        while self._row.count() > len(wanted):
            self._row.takeAt(len(wanted))
        self._row.invalidate()

    def _hold(self) -> None:
        """Keeps what is seen in its place while cards above it turn out higher or lower than thought."""
        layout = self._ground.layout()
        if len(self._keys) <= MOST_CARDS or layout is None:
            self._held = None
            return
        layout.activate()
        for card in self._cards.values():
            if card.isVisible():
                self._rooms.learn(card.key, card.height())
        if self._wanted is not None:
            return
        held = self._cards.get(self._held[0]) if self._held is not None else None
        bar = self.verticalScrollBar()
        if held is not None and self._held is not None and held.y() - self._held[1] != bar.value():
            self._holds = True
            bar.setValue(held.y() - self._held[1])
            self._holds = False

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another height shows more cards, or fewer."""
        super().resizeEvent(event)
        if not self.is_complete:
            self._later.start()

    def _on_bar_range_changed(self) -> None:
        self._hold()
        self._bring()
        if not self.is_complete:
            self._later.start()

    def _on_bar_value_changed(self, value: int) -> None:
        if len(self._keys) <= MOST_CARDS or self._holds:
            return
        seen = [card for card in self.cards() if card.y() + card.height() > value]
        self._held = (seen[0].key, seen[0].y() - value) if seen else None
        self._later.start()

    def _order_focus(self) -> None:
        """Tab goes through the cards as they stand, not as they were made."""
        last: QWidget | None = None
        for card in self.cards():
            if last is not None:
                QWidget.setTabOrder(last, card)
            fields = [each for each in card.findChildren(QWidget) if each.focusPolicy() & Qt.FocusPolicy.TabFocus]
            last = card
            for each in fields:
                # A menu and the list of a box are children too, but windows of their own.
                if each.focusProxy() is None and each.window() is card.window():
                    QWidget.setTabOrder(last, each)
                    last = each
        for place in range(self.footer.count()):
            item = self.footer.itemAt(place)
            widget = item.widget() if item else None
            if last is not None and widget is not None:
                QWidget.setTabOrder(last, widget)
                last = widget

    def _connect(self, card: Card) -> None:
        card.setParent(self._ground)
        card.handle.dragged.connect(lambda at: self._on_handle_dragged(card, at))
        card.handle.dropped.connect(lambda at: self._on_handle_dropped(card, at))
        card.handle.cancelled.connect(self._on_handle_cancelled)
        card.delete_requested.connect(lambda: self.delete_requested.emit(self.index_of(card)))
        card.set_current(card.key == self._current)

    def _drop(self, gone: Sequence[int]) -> None:
        focused = self.focused_card()
        heir: Card | None = None
        # All are gone before the first is hidden: the keyboard goes on to the next card then, and may find another one.
        for card in [self._cards.pop(key) for key in gone]:
            if card is focused:
                place = self._row.indexOf(card)
                near = (self._row.itemAt(place + 1), self._row.itemAt(place - 1) if place else None)
                heirs = [item.widget() for item in near if item is not None]
                heir = next((each for each in heirs if isinstance(each, Card) and each.key not in gone), None)
            self._row.removeWidget(card)
            card.hide()
            card.deleteLater()
        if heir:
            heir.setFocus(Qt.FocusReason.OtherFocusReason)

    def _with_focused(self, act: Callable[[int], None]) -> None:
        card = self.focused_card()
        if card:
            act(self.index_of(card))

    def _ask_move(self, index: int, to: int) -> None:
        if to != index and 0 <= to < len(self._keys):
            self.move_requested.emit(index, to)

    def _gap(self, at: QPoint) -> int:
        """Before which item (its index) something dropped there would go."""
        y = self._ground.mapFromGlobal(at).y()
        cards = self.cards()
        above = [card for card in cards if card.geometry().center().y() < y]
        return self.index_of(above[-1]) + 1 if above else self.index_of(cards[0])

    def _on_handle_dragged(self, dragged: Card, at: QPoint) -> None:
        self._dragged = dragged
        cards = self.cards()
        below = self.card(self._gap(at))
        y = below.y() - 5 if below is not None else cards[-1].geometry().bottom() + 4
        self._mark.setGeometry(cards[0].x(), y, cards[0].width(), 2)
        self._mark.show()
        self._mark.raise_()
        inside = self._ground.mapFromGlobal(at)
        self.ensureVisible(0, inside.y(), 0, 40)

    def _on_handle_dropped(self, card: Card, at: QPoint) -> None:
        was_dragged = self._mark.isVisible()
        self._on_handle_cancelled()
        index, gap = self.index_of(card), self._gap(at)
        if was_dragged:
            self._ask_move(index, gap - 1 if gap > index else gap)

    def _on_handle_cancelled(self) -> None:
        self._mark.hide()
        self._dragged = None

    def _on_application_focus_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        del old
        card = self.focused_card() if new is not None else None
        if card and card.key != self._current:
            self._light(card.key)
            self.current_changed.emit(self.index_of(card))
