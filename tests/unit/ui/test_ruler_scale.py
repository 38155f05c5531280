"""The ruler's scale and its marks, without a window."""

from array import array
from bisect import bisect_left

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.ui.models.ruler_marks import MarkList, RulerMark, Runs, pixels_of
from thinkpane.ui.models.ruler_scale import Scale
from thinkpane.ui.models.text_pages import PAGE
from thinkpane.ui.widgets.text_lines import TextLines


def test_positions_and_pixels_are_two_ways_of_one_road() -> None:
    scale = Scale([0, 100, 300, 400], [0, 10, 15, 40], 80.0)
    assert [scale.y_of(position) for position in (0, 50, 100, 200, 400, 999)] == [0, 10, 20, 25, 80, 80]
    assert [scale.position_at(y) for y in (-5, 0, 10, 20, 25, 80, 99)] == [0, 0, 50, 100, 200, 400, 400]
    assert len(scale.edges()) == 81


def test_an_empty_text_has_a_scale() -> None:
    lines = TextLines("")
    scale = Scale(*lines.knots(), 50.0)
    assert (scale.y_of(0), scale.position_at(25)) == (0, 0)
    assert set(scale.edges()) == {0}


@pytest.mark.parametrize("text", ["one\ntwo\nthree\n", "x" * 50_000, ("y" * 37 + "\n") * 4000])
def test_the_knots_are_those_of_the_rows(text: str) -> None:
    lines = TextLines(text)
    positions, rows = lines.knots()
    assert (positions[0], positions[-1], rows[0]) == (0, len(text), 0)
    assert rows[-1] == lines.row_count()
    assert positions == sorted(positions)
    assert rows == sorted(rows)
    assert len(positions) == len(rows)


def test_a_long_text_has_a_knot_a_page() -> None:
    assert len(TextLines("a" * 40 * PAGE).knots()[0]) == 41


@given(st.lists(st.integers(0, 999), max_size=60), st.integers(1, 40))
def test_each_mark_has_its_pixel_and_each_pixel_once(starts: list[int], height: int) -> None:
    starts.sort()
    scale = Scale([0, 1000], [0, 25], float(height))
    edges = scale.edges()
    expected = sorted({min(max(bisect_left(edges, start + 1) - 1, 0), height - 1) for start in starts})
    assert pixels_of(array("I", starts), edges) == expected


def test_runs_of_one_role_are_one() -> None:
    runs = Runs([(0, ""), (3, "user"), (9, "user"), (20, "assistant")])
    assert list(runs.starts) == [0, 3, 20]
    assert [runs.at(position) for position in (0, 3, 19, 20, 99)] == ["", "user", "user", "assistant", "assistant"]


def test_marks_are_found_by_stretch() -> None:
    wide = RulerMark(0, 500, "warning", "wide")
    marks = MarkList([RulerMark(100, 101, "error", "b"), wide, RulerMark(40, 41, "note", "a")])
    assert [each.words for each in marks.between(90, 110, 9)] == ["wide", "b"]
    assert [each.words for each in marks.between(0, 600, 2)] == ["wide", "a"]
    assert marks.between(501, 600, 9) == []
    assert (marks.count(0, 101), len(marks), list(marks.starts("note"))) == (3, 3, [40])
