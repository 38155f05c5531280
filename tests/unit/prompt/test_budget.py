"""The budget: exact with a tokenizer, an estimate that adds up without one."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from support.owned import TEXTS_OWNERS, owned
from support.patient import PATIENT
from support.small_vocabularies import byte_pairs
from support.traced import PLAIN, TRACED
from thinkpane.prompt.budget import budget_of
from thinkpane.prompt.parts import Part
from thinkpane.prompt.prompt import Prompt
from thinkpane.prompt.token_estimate import estimate, estimated_before
from thinkpane.tokens.incremental import IncrementalEncoder
from thinkpane.tokens.pieces import pieces_of
from thinkpane.tokens.segments import Segment, cut

VOCABULARY = byte_pairs(("<s>", "</s>"))


def test_the_tokens_of_each_part() -> None:
    encoder = IncrementalEncoder(VOCABULARY.cuts, pieces_of(VOCABULARY.pieces()), VOCABULARY.encode)
    encoding = encoder.update(TRACED.text)
    found = budget_of(TRACED, encoding)
    assert (found.measure, found.total) == ("exact", len(encoding.ids))
    assert found.of("message", index=0) == len(VOCABULARY.encode(["Hello you"])[0])
    assert found.of("message", index=1) == 0
    assert found.of("scaffolding", "variables") == found.total - found.of("message")


def test_an_untraced_prompt_is_counted_as_a_whole() -> None:
    encoder = IncrementalEncoder(VOCABULARY.cuts, pieces_of(VOCABULARY.pieces()), VOCABULARY.encode)
    found = budget_of(PLAIN, encoder.update(PLAIN.text))
    assert (found.tokens, found.total) == ({}, len(VOCABULARY.encode([PLAIN.text])[0]))
    assert (budget_of(PLAIN, None).tokens, budget_of(PLAIN, None).total) == ({}, estimate(PLAIN))


def test_without_a_tokenizer_each_special_token_and_the_rest_by_bytes() -> None:
    prompt = Prompt("<|user|>eight by", (Segment(0, 8, True), Segment(8, 16, False)))
    assert estimate(prompt) == 3
    assert estimate(Prompt("\ud800")) == 1
    assert estimate(Prompt()) == 0
    found = budget_of(replace(TRACED, segments=cut(TRACED.text, ["<s>", "</s>"], {})), None)
    assert found.measure == "estimate"
    assert found.tokens[Part("message", 0)] == 2
    assert found.total == estimate(found.prompt) == 6


@PATIENT
@given(TEXTS_OWNERS)
def test_estimates_of_parts_add_up(pieces: list[tuple[str, str | None]]) -> None:
    text = "".join(each for each, _ in pieces)
    prompt = Prompt(text, cut(text, ["<|im_start|>", "<|im_end|>"], {}), owners=owned(pieces))
    found = budget_of(prompt, None)
    assert found.total == sum(found.tokens.values()) == max(estimate(prompt), len(found.tokens))
    assert all(count >= 1 for count in found.tokens.values()), "each has characters"


def test_short_messages_have_an_estimate_each() -> None:
    pieces: list[tuple[str, str | None]] = []
    for number, said in enumerate(("Hi", "ok", "Hi", "no", "so")):
        pieces += [("<|im_start|>user\n", None), (said, f"messages[{number}].content"), ("<|im_end|>\n", None)]
    text = "".join(each for each, _ in pieces)
    found = budget_of(Prompt(text, cut(text, ["<|im_start|>", "<|im_end|>"], {}), owners=owned(pieces)), None)
    assert [found.tokens[Part("message", number)] for number in range(5)] == [1] * 5
    assert sum(found.tokens.values()) == found.total == estimate(found.prompt)


@PATIENT
@given(st.text("aé漢<|>", max_size=30), st.lists(st.integers(0, 30), max_size=6))
def test_an_estimate_grows_with_the_text(text: str, places: list[int]) -> None:
    prompt = Prompt(text, cut(text, ["<|", "|>"], {}))
    positions = sorted({min(each, len(text)) for each in places})
    found = estimated_before(prompt, positions)
    assert found == sorted(found)
    assert estimated_before(prompt, [0, len(text)]) == [0, estimate(prompt)]
