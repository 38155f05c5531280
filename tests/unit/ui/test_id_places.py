"""Where the ids below a row stand: apart, whole where there is room, each token's once."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from thinkpane.ui.models.token_layer import Token
from thinkpane.ui.widgets.text_ids import PlacedId, placed_ids
from thinkpane.ui.widgets.text_shades import TokenBox

DIGIT = 6.0
BOXES = st.lists(st.tuples(st.integers(0, 80), st.integers(0, 199_999)), max_size=12)


def boxes(wanted: list[tuple[int, int]]) -> list[TokenBox]:
    """Side by side. wanted: (pixels, id)."""
    found: list[TokenBox] = []
    left = 0.0
    for index, (width, id) in enumerate(wanted):
        found.append(TokenBox(Token(index, id, index, index + 1), left, left + width, begins=True))
        left += width
    return found


def right(placed: PlacedId) -> float:
    return placed.left + len(placed.words) * DIGIT


def words(found: list[PlacedId]) -> list[str]:
    return [each.words for each in found]


@given(BOXES)
def test_ids_stand_apart_and_in_the_row(wanted: list[tuple[int, int]]) -> None:
    row = 1_000.0
    found = placed_ids(boxes(wanted), DIGIT, row)
    assert [int(each.words) for each in found] == [id for _, id in wanted]
    assert all(right(one) < other.left for one, other in pairwise(found))
    assert all(each.left >= 0 and right(each) <= row for each in found)


def test_an_id_with_room_stands_where_its_token_begins() -> None:
    found = placed_ids(boxes([(40, 12), (60, 345), (20, 6)]), DIGIT, 500)
    assert [each.left for each in found] == [1, 41, 101]


def test_an_id_wider_than_the_part_at_a_rows_start_is_not_cut() -> None:
    (found,) = placed_ids([TokenBox(Token(0, 64_000, 0, 2), 0, 20, begins=False, before=9)], DIGIT, 200)
    assert (found.words, found.left) == ("64000", 1)


def test_ids_at_the_end_of_a_row_move_back_into_it() -> None:
    found = placed_ids(boxes([(80, 1), (4, 22_222), (4, 33_333)]), DIGIT, 88)
    assert words(found) == ["1", "22222", "33333"]
    assert right(found[-1]) <= 88
    assert right(found[0]) < found[1].left


def test_ids_of_a_row_without_room_are_cut() -> None:
    assert words(placed_ids(boxes([(40, 12_345), (13, 67_890), (3, 111)]), DIGIT, 56)) == ["12345", "6…", "·"]


def test_a_token_on_two_rows_has_its_id_where_there_is_room() -> None:
    token = Token(0, 12_345, 0, 8)
    narrow = TokenBox(token, 180, 190, begins=True, goes_on=True)
    assert placed_ids([narrow], DIGIT, 200) == []
    assert words(placed_ids([TokenBox(token, 0, 30, begins=False, before=10)], DIGIT, 200)) == ["12345"]
    assert words(placed_ids([TokenBox(token, 0, 30, begins=False, before=0)], DIGIT, 200)) == ["12345"]
    wide = TokenBox(token, 100, 190, begins=True, goes_on=True)
    assert words(placed_ids([wide], DIGIT, 200)) == ["12345"]
    assert placed_ids([TokenBox(token, 0, 30, begins=False, before=90)], DIGIT, 200) == []
