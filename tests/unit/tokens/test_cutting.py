"""Added tokens are found where the `tokenizers` library finds them."""

from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, models

from thinkpane.tokens.cutting import Cutter

LETTERS = "<|ab>"


def spans_of_the_library(tokens: list[str], text: str) -> list[tuple[int, int]]:
    made = Tokenizer(models.BPE({}, []))
    made.add_tokens([AddedToken(each, normalized=False) for each in tokens])
    return list(made.encode(text, add_special_tokens=False).offsets)


@given(st.lists(st.text(alphabet=LETTERS, min_size=1, max_size=5), min_size=1, max_size=8), st.text(alphabet=LETTERS))
def test_the_first_that_begins_and_of_those_the_longest(tokens: list[str], text: str) -> None:
    found = Cutter(tokens).spans(text, 0, len(text))
    assert found == spans_of_the_library(tokens, text)


def test_a_token_that_begins_before_the_end_is_seen_whole() -> None:
    cutter = Cutter(["<|im_end|>", "<|im", "."])
    assert cutter.longest == 10
    assert cutter.spans("a.<|im_end|>.", 0, 3) == [(1, 2), (2, 12)]
    assert cutter.spans("a.<|im_end|>.", 0, 2) == [(1, 2)]


def test_thousands_of_tokens_are_found_as_fast_as_one() -> None:
    tokens = [f"<unused{each}>" for each in range(6000)]
    assert Cutter(tokens).spans("<unused5999><unused60000><unused0>", 0, 40) == [(0, 12), (25, 34)]
    assert Cutter([]).spans("<unused1>", 0, 9) == []
