"""Steps of a text: exactly back, in little room."""

from hypothesis import given
from hypothesis import strategies as st

from thinkpane.ui.models.text_steps import MOST_CHARACTERS, MOST_STEPS, TextSteps


@given(st.lists(st.text(), min_size=1, max_size=20))
def test_it_goes_back_through_every_text(texts: list[str]) -> None:
    steps = TextSteps(texts[0])
    for text in texts[1:]:
        steps.add(text)
    assert [steps.back() for _ in texts[1:]] == texts[-2::-1]
    assert not steps
    assert steps.size == 0


def test_keys_in_a_long_text_cost_what_they_change() -> None:
    text = "x" * 2**20
    steps = TextSteps(text)
    for count in range(MOST_STEPS * 2):
        steps.add(text + "y" * count)
    assert steps.size == 0, "typing replaces nothing"
    for count in range(20):
        steps.add(str(count) * 2**20)
    assert 0 < steps.size <= MOST_CHARACTERS


def test_the_newest_steps_are_kept() -> None:
    steps = TextSteps()
    for count in range(1, MOST_STEPS + 11):
        steps.add("x" * count)
    assert [len(steps.back()) for _ in range(MOST_STEPS)][-1] == 10
    assert not steps


def test_a_new_start_has_no_way_back() -> None:
    steps = TextSteps("a")
    steps.add("b")
    steps.start("c")
    assert not steps
