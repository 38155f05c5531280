"""Lines of a template over several conversations: dead ones, those that only some ran, who ran what."""

import pytest

from thinkpane.analysis.coverage_over import CoverageOver, Ran, coverage_over, named_apart

ONE, OTHER = Ran("one", (1, 2, 5)), Ran("other", (1, 3, 5), "It refuses.")
LOST = Ran("lost", None, "There is no file.")


def over(*ran: Ran) -> CoverageOver:
    return coverage_over([5, 1, 2, 3, 4, 7, 7, 8], ran)


def test_lines_by_how_many_ran_them() -> None:
    found = over(ONE, OTHER, LOST)
    assert found.executable == (1, 2, 3, 4, 5, 7, 8)
    assert [sorted(each) for each in (found.always, found.some, found.never)] == [[1, 5], [2, 3], [4, 7, 8]]
    assert found.dead == ((4, 4), (7, 8))
    assert [each.name for each in found.counted] == ["one", "other"], "what could not be read counts for nothing"


def test_the_count_in_words() -> None:
    assert over(ONE, OTHER, LOST).words == "3 of 7 lines never ran, over 2 conversations"
    assert over(ONE).words == "4 of 7 lines never ran, over 1 conversation"
    assert coverage_over([1, 2], [Ran("all", (1, 2))]).words == "all 2 lines ran, over 1 conversation"
    assert coverage_over([1], [Ran("all", (1,))]).words == "the one line ran, over 1 conversation"
    assert over(LOST).words == "", "nothing ran, but nothing was rendered either"


def test_who_ran_a_line() -> None:
    found = over(ONE, OTHER, LOST)
    assert found.words_for(4) == "Line 4 never ran in any of the 2 open conversations."
    assert found.words_for(2) == "Line 2 ran in 1 of 2 open conversations: “one”."
    assert found.words_for(5) == "Line 5 ran in all 2 open conversations."
    assert found.words_for(6) == "", "a comment's line"
    assert over(ONE).words_for(2) == "Line 2 ran for “one”."
    assert over(ONE).words_for(3) == "Line 3 did not run for “one”."
    assert over(LOST).words_for(2) == ""


def test_many_names_are_counted() -> None:
    ran = [Ran(str(number), (1,)) for number in range(8)]
    found = coverage_over([1, 2], [*ran, Ran("none", ())])
    assert found.words_for(1) == "Line 1 ran in 8 of 9 open conversations: “0”, “1”, “2”, “3”, “4”, “5” and 2 more."


def test_what_one_conversation_alone_ran() -> None:
    found = over(ONE, OTHER, LOST)
    assert (found.only("one"), found.only("other"), found.only("lost")) == (1, 1, 0)
    assert over(ONE).only("one") == 0


def test_dead_branches_go_round() -> None:
    found = over(ONE, OTHER)
    assert [found.dead_after(line) for line in (1, 4, 7)] == [(4, 4), (7, 8), (4, 4)]
    assert [found.dead_before(line) for line in (8, 7, 4)] == [(7, 8), (4, 4), (7, 8)]
    whole = coverage_over([1], [ONE])
    assert (whole.dead_after(1), whole.dead_before(1), over(LOST).dead) == (None, None, ())


def test_conversations_of_the_same_name_are_told_apart() -> None:
    same = Ran("one", (1, 3, 5))
    found = over(ONE, same)
    assert [each.name for each in found.ran] == ["one", "one (2)"]
    assert found.runners[2] == ("one",)
    assert (found.only("one"), found.only("one (2)")) == (1, 1)


@pytest.mark.parametrize(
    ("titles", "names"),
    [
        ([("a", "x"), ("b", "x")], ["a", "b"]),
        ([("a", "x"), ("a", "y")], ["a (x)", "a (y)"]),
        ([("a", "x"), ("a", "x"), ("a", "")], ["a (x)", "a (x) (2)", "a"]),
        ([("a", ""), ("a", ""), ("a (2)", "")], ["a", "a (2)", "a (2) (2)"]),
        ([], []),
    ],
)
def test_names_are_given_by_folder_then_by_number(titles: list[tuple[str, str]], names: list[str]) -> None:
    assert named_apart(titles) == names
