"""A comparison in words."""

from thinkpane.prompt.comparison import Comparison, Side
from thinkpane.prompt.diff import Change, PromptDiff
from thinkpane.prompt.owner_changes import OwnerChange
from thinkpane.prompt.prompt import Prompt
from thinkpane.ui.models.diff_words import count_words, owner_words, place_words

ONE, OTHER = Side("One", Prompt()), Side("Other", Prompt())


def found(*changes: Change, exact: bool = False) -> PromptDiff:
    return PromptDiff("a", "b", changes, exact)


def test_counts() -> None:
    change = Change((0, 1), (0, 1), 1, 2_000)
    assert count_words(Comparison(ONE, OTHER, None)) == ""
    assert count_words(Comparison(ONE, OTHER, found())) == "The prompts are the same."
    assert count_words(Comparison(ONE, OTHER, found(change))) == "1 character only in A, 2,000 only in B"
    exact = Comparison(ONE, OTHER, found(change, exact=True), tokenizer="q.gguf")
    assert count_words(exact) == "1 token only in A, 2,000 only in B (q.gguf)"
    coarse = Comparison(ONE, OTHER, found(Change((0, 1), (0, 1), 1, 1, coarse=True)), untold="It broke.")
    assert count_words(coarse).endswith("compared by words: It broke. · parts were too much to be compared closely")


def test_owners_and_places() -> None:
    assert owner_words(Comparison(ONE, OTHER, found())) == ""
    owners = (OwnerChange("scaffolding", 3, 0), OwnerChange("message 2 (user)", 0, 1_000))
    assert owner_words(Comparison(ONE, OTHER, found(), owners)) == (
        "By owner: scaffolding −3 · message 2 (user) +1,000"
    )
    assert (place_words(-1, 0), place_words(-1, 1), place_words(1, 3)) == ("", "1 difference", "2 of 3")
