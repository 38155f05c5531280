"""Finds the panes: every file of this folder without a leading underscore holds one as `PANE`."""

from functools import cache

from thinkpane.registry import kinds_in
from thinkpane.ui import panes
from thinkpane.ui.panes._api import Area, Pane

_AREAS: tuple[Area, ...] = ("compose", "output", "inspect", "side")


@cache
def all_panes() -> tuple[Pane, ...]:
    """Every pane, sorted by area, order and id."""
    found: list[Pane] = kinds_in(panes, "PANE")
    return tuple(sorted(found, key=lambda each: (_AREAS.index(each.area), each.order, each.id)))


def panes_of(area: Area) -> tuple[Pane, ...]:
    """The panes that stand in `area` by default, in their order."""
    return tuple(each for each in all_panes() if each.area == area)
