"""Says on each card how many tokens its message, tool or document has in the prompt."""

from collections.abc import Mapping

from PySide6.QtCore import QObject

from thinkpane.prompt.budget import Budget
from thinkpane.prompt.parts import PartKind
from thinkpane.prompt.places import PlaceKind
from thinkpane.ui.budget_feed import BudgetFeed
from thinkpane.ui.widgets.card_list import CardList
from thinkpane.ui.widgets.card_list_card import Card

_PARTS: Mapping[PlaceKind, tuple[PartKind, ...]] = {
    "message": ("message", "thinking"),
    "tool": ("tool",),
    "document": ("document",),
}


class CardCounts(QObject):
    """Keeps the counts of one list of cards; it belongs to the list. kind: what its items are among places.

    While a new prompt is still to be counted, the counts before stay, greyed.
    """

    def __init__(self, cards: CardList, kind: PlaceKind, budgets: BudgetFeed) -> None:
        super().__init__(cards)
        self._cards = cards
        self._kind = kind
        self._words: dict[int, str] = {}
        self._stale = False
        budgets.changed.connect(self._on_budgets_changed)
        budgets.outdated.connect(self._on_budgets_outdated)
        cards.card_made.connect(self._show)

    def _show(self, card: Card) -> None:
        card.set_count(self._words.get(card.key, ""), stale=self._stale)

    def _show_all(self) -> None:
        for card in self._cards.cards():
            self._show(card)

    def _on_budgets_changed(self, budget: Budget | None) -> None:
        self._words = count_words(budget, self._kind) if budget is not None else {}
        self._stale = budget is not None and budget.prompt.stale
        self._show_all()

    def _on_budgets_outdated(self) -> None:
        self._stale = True
        self._show_all()


def count_words(budget: Budget, kind: PlaceKind) -> dict[int, str]:
    """How many tokens each item that was given to the template has, in words, by the item's key."""
    origins = budget.prompt.origins
    talk = origins.conversation
    lists = {
        "message": (origins.messages, [each.key for each in talk.messages]),
        "tool": (origins.tools, [each.key for each in talk.tools]),
        "document": (origins.documents, [each.key for each in talk.documents]),
    }
    indexes, keys = lists[kind]
    about = "" if budget.measure == "exact" else "≈ "
    found: dict[int, str] = {}
    for number, index in enumerate(indexes if budget.parts.length else ()):
        if index is not None and index < len(keys):
            count = budget.of(*_PARTS[kind], index=number)
            found[keys[index]] = f"{about}{count:,} token{'' if count == 1 else 's'}"
    return found
