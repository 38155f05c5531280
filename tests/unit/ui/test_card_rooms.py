"""Where the cards of a long list stand, made or not."""

from hypothesis import given
from hypothesis import strategies as some

from thinkpane.ui.widgets.card_rooms import UNKNOWN, CardRooms

SPACING = 8
Heights = some.lists(some.integers(1, 400), min_size=1, max_size=60)


def rooms_of(heights: list[int]) -> CardRooms:
    rooms = CardRooms(SPACING)
    rooms.show(tuple(range(100, 100 + len(heights))), lambda key: heights[key - 100])
    return rooms


@given(Heights, some.data())
def test_cards_and_rooms_take_as_much_as_all_cards_would(heights: list[int], data: some.DataObject) -> None:
    made = data.draw(some.sets(some.sampled_from(range(100, 100 + len(heights)))))
    places = rooms_of(heights).places(made)
    assert [key for key, _ in places if key >= 0] == sorted(made)
    taken = sum(room if key < 0 else heights[key - 100] for key, room in places) + SPACING * (len(places) - 1)
    assert taken == sum(heights) + SPACING * (len(heights) - 1)
    assert all(places[at][0] >= 0 or places[at + 1][0] >= 0 for at in range(len(places) - 1)), "rooms are one"


@given(Heights, some.integers(0, 20_000), some.integers(1, 900))
def test_around_gives_what_stands_there(heights: list[int], top: int, height: int) -> None:
    found = rooms_of(heights).around(top, top + height)
    at = 0
    for index, each in enumerate(heights):
        if at < top + height and at + each > top:
            assert 100 + index in found
        at += each + SPACING
    assert len(found) <= sum(1 for _ in heights)


def test_what_is_learnt_is_kept_and_asked_once() -> None:
    asked: list[int] = []

    def guess(key: int) -> int:
        asked.append(key)
        return 10

    rooms = CardRooms(SPACING)
    rooms.show((1, 2, 3), guess)
    rooms.learn(2, 50)
    rooms.show((2, 3, 4), guess)
    assert asked == [1, 2, 3, 4]
    assert rooms.places(()) == [(-1, 50 + 10 + 10 + 2 * SPACING)]
    rooms.learn(9, 70)  # a card that is gone meanwhile
    rooms.show((9,), None)
    assert rooms.places(()) == [(-1, UNKNOWN)]


def test_the_farthest_go_first_and_those_that_are_wished_for_never() -> None:
    rooms = rooms_of([10] * 20)
    assert rooms.farthest({100, 101, 110, 119}, [119, 110], 2) == [100, 101]
    assert rooms.farthest({110}, [110], 5) == []
