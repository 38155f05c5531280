"""Owners as arrays: found by offset, line, path and group; they cover exactly the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.owners import Group, OwnedSpan, Owner, Owners, group_of, lies_in, owners_of


def owner(
    line: int, path: str | None = None, at: tuple[int, int] | None = None, via: tuple[int, ...] = ()
) -> dict[str, JsonValue]:
    """One owner as the engine tells it."""
    return {"line": line, "column": 3, "via": list(via), "path": path, "at": list(at) if at else None}


SPANS: list[JsonValue] = [
    [0, 8, owner(1)],
    [8, 12, owner(2, "messages[0].content", (10, 14))],
    [12, 14, owner(5, via=(2, 9))],
    [14, 20, owner(2, "messages[0].content", (14, 15))],
    [20, 25, owner(7, "tools[0].function.name", (0, 5))],
    [25, 30, owner(7, "bos_token", (0, 5))],
    [30, 31, owner(0)],
]


@pytest.fixture
def owners() -> Owners:
    return owners_of(SPANS, 31)


def test_the_owner_of_a_character(owners: Owners) -> None:
    assert owners.at(9) == OwnedSpan(8, 12, Owner(2, 3, (), "messages[0].content", (10, 14)))
    assert owners.at(12) == OwnedSpan(12, 14, Owner(5, 3, (2, 9)))
    assert owners.line_at(24) == 7
    assert (owners.at(-1), owners.at(31), owners.line_at(31)) == (None, None, 0)


def test_all_that_a_line_wrote_also_through_macros(owners: Owners) -> None:
    assert owners.spans_of_line(2) == [(8, 20)]
    assert owners.spans_of_line(9) == [(12, 14)]
    assert owners.spans_of_line(3) == []


def test_all_that_came_from_an_input(owners: Owners) -> None:
    assert owners.spans_of_path("messages[0]") == [(8, 12), (14, 20)]
    assert owners.spans_of_path("tools") == [(20, 25)]
    assert owners.spans_of_path("messages[0].con") == []


def test_what_some_characters_of_a_value_became(owners: Owners) -> None:
    assert owners.spans_of_value("messages[0].content", 11, 13) == [(9, 11)]
    assert owners.spans_of_value("messages[0].content", 13, 15) == [(11, 12), (14, 20)]
    assert owners.spans_of_value("messages[0].content", 0, 10) == []
    assert owners.spans_of_value("messages[9].content", 0, 10) == []


def test_characters_are_counted_by_group(owners: Owners) -> None:
    assert owners.counts == {
        Group("template"): 10,
        Group("message", 0): 10,
        Group("tools"): 5,
        Group("variables"): 5,
        Group("unknown"): 1,
    }
    assert owners.spans_of_group(Group("template")) == [(0, 8), (12, 14)]
    assert owners.spans_of_group(Group("unknown")) == [(30, 31)]
    assert owners.spans_of_group(Group("variables")) == [(25, 30)]


def test_only_touched_spans_are_walked(owners: Owners) -> None:
    assert [(each.start, each.end) for each in owners.between(11, 15)] == [(8, 12), (12, 14), (14, 20)]
    assert [*owners.between(31, 40)] == []


@pytest.mark.parametrize(
    ("spans", "length"),
    [
        ([[0, 2, owner(1)], [3, 4, owner(1)]], 4),
        ([[0, 2, owner(1)], [1, 4, owner(1)]], 4),
        ([[0, 2, owner(1)]], 4),
        ([[0, 0, owner(1)], [0, 4, owner(1)]], 4),
    ],
)
def test_spans_that_do_not_cover_the_text_are_refused(spans: list[JsonValue], length: int) -> None:
    with pytest.raises(ThinkpaneError) as caught:
        owners_of(spans, length)
    assert caught.value.problem.kind == "owners"


def test_groups_and_places_inside_paths() -> None:
    assert group_of("messages") == Group("messages")
    assert group_of("messages[12].content[0].text") == Group("message", 12)
    assert group_of('tools[0]["odd key"]') == Group("tools")
    assert group_of("messages_of_mine.x") == Group("variables")
    assert lies_in('documents[0]["a"]', "documents[0]")
    assert not lies_in("messages[10].content", "messages[1]")


@given(
    st.lists(
        st.tuples(
            st.integers(1, 9),
            st.integers(0, 4),
            st.sampled_from([None, "messages[0].content", "messages[1].role", "tools[0].name", "bos_token"]),
            st.lists(st.integers(1, 4), max_size=2),
        ),
        max_size=40,
    )
)
def test_every_character_is_in_one_span_and_every_group_holds_its_characters(
    drawn: list[tuple[int, int, str | None, list[int]]],
) -> None:
    spans: list[JsonValue] = []
    expected: list[Owner] = []
    for length, line, path, via in drawn:
        start = len(expected)
        at = (start, start + length) if path else None
        spans.append([start, start + length, owner(line, path, at, tuple(via))])
        expected.extend([Owner(line, 3, tuple(via), path, at)] * length)
    found = owners_of(spans, len(expected))
    assert [span.owner for offset in range(found.length) if (span := found.at(offset))] == expected
    assert sum(found.counts.values()) == len(expected)
    for group, count in found.counts.items():
        stretches = found.spans_of_group(group)
        assert sum(end - start for start, end in stretches) == count
        assert all(expected[each].group == group for start, end in stretches for each in range(start, end))
    for line in range(1, 5):
        wrote = {each for start, end in found.spans_of_line(line) for each in range(start, end)}
        assert wrote == {at for at, each in enumerate(expected) if line == each.line or line in each.via}
