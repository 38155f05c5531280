"""Says on each card how many tokens its message, tool or document has in the prompt."""

from collections.abc import Mapping

from PySide6.QtCore import QObject, QTimer

from thinkpane.prompt.places import PlaceKind
from thinkpane.ui.budget_feed import BudgetFeed
from thinkpane.ui.models.told_budget import ToldBudget
from thinkpane.ui.widgets.card_list import CardList
from thinkpane.ui.widgets.card_list_card import Card

GREY_AFTER = 300
"""Milliseconds that counts may be those of the text before: new ones mostly come sooner, and then nothing flickers."""


class CardCounts(QObject):
    """Keeps the counts of one list of cards; it belongs to the list. kind: what its items are among places.

    While a new prompt is still to be counted, the counts before stay, greyed after a moment.
    """

    def __init__(self, cards: CardList, kind: PlaceKind, budgets: BudgetFeed) -> None:
        super().__init__(cards)
        self._cards = cards
        self._kind = kind
        self._words: Mapping[int, str] = {}
        self._stale = False
        self._grey = QTimer(self, singleShot=True, interval=GREY_AFTER)
        self._grey.timeout.connect(self._on_grey_timeout)
        budgets.changed.connect(self._on_budgets_changed)
        budgets.outdated.connect(self._on_budgets_outdated)
        cards.card_made.connect(self._show)

    def _show(self, card: Card) -> None:
        card.set_count(self._words.get(card.key, ""), stale=self._stale)

    def _show_all(self) -> None:
        for card in self._cards.cards():
            self._show(card)

    def _on_budgets_changed(self, told: ToldBudget | None) -> None:
        self._grey.stop()
        self._words = told.counts.get(self._kind, {}) if told is not None else {}
        self._stale = told is not None and told.budget.prompt.stale
        self._show_all()

    def _on_budgets_outdated(self) -> None:
        # At each key of a burst: cards that are grey already stay so.
        if not self._stale and not self._grey.isActive():
            self._grey.start()

    def _on_grey_timeout(self) -> None:
        self._stale = True
        self._show_all()
