"""A combining mark never stands on an escape: it would be drawn into it, and take the escape's room for its own."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.ui.widgets.text_shown import shown

ON_DEMAND = "\u00a0\u1680\u2003\u202f\u3000\u200c\u200d\ufe00\ufe0f"
ALWAYS = "\x00\u00ad\u200b\u2028\ufeff\U000e0041"
MARKS = "\u0301\u0483\u05b8\u0651\u0e31\u20dd\U00011300"
PIECES = st.text(st.sampled_from(f"a ב\t😀{ON_DEMAND}{ALWAYS}{MARKS}"), max_size=12)


def drawn_on_an_escape(piece: str, *, invisible: bool) -> list[int]:
    """The units right behind an escape that a mark takes which is no escape itself."""
    found = shown(piece, invisible=invisible)
    text = found.text.encode("utf-16-le", "surrogatepass")
    inside = {unit for start, end in found.escapes for unit in range(start, end)}
    behind = [end for _, end in found.escapes if end not in inside]
    letters = {end: text[2 * end : 2 * end + 4].decode("utf-16-le", "ignore")[:1] for end in behind}
    return [end for end, letter in letters.items() if letter and unicodedata.category(letter) in ("Mn", "Me")]


@pytest.mark.parametrize("invisible", [False, True])
@given(PIECES)
def test_no_mark_is_drawn_on_an_escape(invisible: bool, piece: str) -> None:
    assert drawn_on_an_escape(piece, invisible=invisible) == []


@pytest.mark.parametrize("space", ON_DEMAND)
def test_a_mark_behind_what_is_escaped_on_demand_is_escaped_with_it(space: str) -> None:
    found = shown(f"a{space}\u0301b", invisible=True)
    assert found.text.endswith("\\u0301b")
    assert [found.offset(start) for start, _ in found.escapes] == [1, 2]
    assert found.unit(3) == len(found.text) - 1


@given(PIECES)
def test_places_and_units_go_there_and_back(piece: str) -> None:
    found = shown(piece, invisible=True)
    units = [found.unit(offset) for offset in range(len(piece) + 1)]
    assert units == sorted(units)
    assert [found.offset(unit) for unit in units] == list(range(len(piece) + 1))
