"""A budget with all that panes tell of it, worked out beside the window: a prompt may have ten thousand messages."""

from collections.abc import Mapping
from dataclasses import dataclass

from thinkpane.prompt.budget import Budget
from thinkpane.prompt.parts import PartKind
from thinkpane.prompt.places import PlaceKind
from thinkpane.ui.models.owner_shares import Share, legend, shares_of

_PLACES: Mapping[PartKind, PlaceKind] = {
    "message": "message",
    "thinking": "message",
    "tool": "tool",
    "document": "document",
}


@dataclass(frozen=True, slots=True)
class ToldBudget:
    """shares: the parts of the owner bar; legend: them in one line. counts: how many tokens each message, tool and
    document has that is sent, in words, by its key in the open document."""

    budget: Budget
    shares: tuple[Share, ...]
    legend: str
    counts: Mapping[PlaceKind, Mapping[int, str]]


def told(budget: Budget) -> ToldBudget:
    """The budget with its words."""
    shares = tuple(shares_of(budget))
    return ToldBudget(budget, shares, legend(shares, budget.measure), _counts(budget))


def _counts(budget: Budget) -> dict[PlaceKind, dict[int, str]]:
    sums: dict[tuple[PlaceKind, int], int] = {}
    for part, count in budget.tokens.items():
        if part.kind in _PLACES and part.index is not None:
            place = _PLACES[part.kind], part.index
            sums[place] = sums.get(place, 0) + count
    origins = budget.prompt.origins
    talk = origins.conversation
    lists: dict[PlaceKind, tuple[tuple[int | None, ...], list[int]]] = {
        "message": (origins.messages, [each.key for each in talk.messages]),
        "tool": (origins.tools, [each.key for each in talk.tools]),
        "document": (origins.documents, [each.key for each in talk.documents]),
    }
    about = "" if budget.measure == "exact" else "≈ "
    found: dict[PlaceKind, dict[int, str]] = {kind: {} for kind in lists}
    for kind, (indexes, keys) in lists.items():
        for number, index in enumerate(indexes if budget.parts.length else ()):
            if index is not None and index < len(keys):
                count = sums.get((kind, number), 0)
                found[kind][keys[index]] = f"{about}{count:,} token{'' if count == 1 else 's'}"
    return found
