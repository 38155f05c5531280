"""The map between an exact text and what a text widget can hold, without any widget."""

from typing import Literal

from hypothesis import given, settings
from hypothesis import strategies as st

from thinkpane.ui.models.shown_text import Splice, UnitPlaces, carried, difference, place_of_unit, shown, units

ANY = st.text(st.characters(exclude_categories=()) | st.sampled_from("\r\n\u2028\u2029\u00a0\x00\ufdd0\ud800😀a"))


@given(ANY)
def test_shown_is_as_long_and_holds_nothing_unshowable(text: str) -> None:
    found = shown(text)
    assert len(found) == len(text)
    assert not set(found) & set("\r\x00\u2029\ufdd0\ufdd1")
    found.encode("utf-16-le")


@given(ANY, st.integers(0, 30))
def test_places_and_units_agree(text: str, place: int) -> None:
    found = shown(text)
    place = min(place, len(found))
    assert place_of_unit(found, units(found[:place])) == place
    assert place_of_unit(found, units(found) + 5) == len(found)


@given(ANY, st.lists(st.tuples(st.integers(-3, 60), st.sampled_from(["place", "unit", "edit"]), ANY), max_size=8))
def test_places_are_found_from_where_one_was_asked_last(
    text: str, asked: list[tuple[int, Literal["place", "unit", "edit"], str]]
) -> None:
    text = shown(text)
    places = UnitPlaces(text)
    for number, what, typed in asked:
        if what == "place":
            assert places.place(number) == place_of_unit(text, number)
        elif what == "unit":
            assert places.unit(number) == units(text[: max(number, 0)])
        else:
            start = max(0, min(number, len(text)))
            text = text[:start] + shown(typed) + text[start + 2 :]
            places.edited(text, start)


@settings(deadline=None)
@given(ANY, ANY)
def test_difference_is_a_way_from_old_to_new(old: str, new: str) -> None:
    splice = difference(old, new)
    assert splice.apply(old) == new
    if old == new:
        assert splice.start == splice.end
        assert splice.text == ""


@given(ANY, st.integers(0, 20), st.integers(0, 20), st.text("xyz\n"))
def test_an_edit_touches_only_its_place(text: str, start: int, size: int, typed: str) -> None:
    start = min(start, len(text))
    end = min(start + size, len(text))
    found = carried(text, start, end, typed).apply(text)
    assert shown(found) == shown(text)[:start] + typed + shown(text)[end:]
    assert found.startswith(text[:start])
    assert found.endswith(text[end:])


@given(ANY)
def test_an_edit_reported_too_wide_changes_nothing_else(text: str) -> None:
    wide = carried(text, 0, len(text), shown(text) + "x")
    assert wide.apply(text) == text + "x"


def test_a_paste_is_taken_exactly() -> None:
    assert carried("ab", 1, 1, shown("\r\n"), "\r\n") == Splice(1, 1, "\r\n")
    assert carried("ab", 1, 1, "other", "\r\n") == Splice(1, 1, "other")
