"""What may be typed to go somewhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.errors import ThinkpaneError
from thinkpane.prompt.going import Target, target


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("120", Target("token", 120)),
        ("#1,204", Target("token", 1204)),
        (" Token 7 ", Target("token", 7)),
        ("t7", Target("token", 7)),
        ("-1", Target("token", -1)),
        ("m2", Target("message", 2)),
        ("message last", Target("message", -1)),
        ("line 40", Target("line", 40)),
        ("l40:7", Target("line", 40, 7)),
        ("line 40 : 7", Target("line", 40, 7)),
        ("c 900", Target("character", 900)),
        ("offset 900", Target("character", 900)),
        ("next", Target("special")),
        (">", Target("special")),
        ("<", Target("special", step=-1)),
        ("prev", Target("special", step=-1)),
        ("previous <|im_end|>", Target("special", words="<|im_end|>", step=-1)),
        ("> im_end", Target("special", words="im_end")),
        ("<|im_end|>", Target("special", words="<|im_end|>")),
        ("<|im_end|> 3", Target("special", 3, words="<|im_end|>", whole="<|im_end|> 3")),
        ("[INST] last", Target("special", -1, words="[INST]", whole="[INST] last")),
        ("im_end", Target("special", words="im_end")),
    ],
)
def test_the_forms(typed: str, expected: Target) -> None:
    assert target(typed) == expected


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "Type where to go: token 120 · message 2 · line 40 · character 900 · next · previous · <|im_end|>."),
        ("message", "Which message? Type its number, as in “message 2”."),
        ("line 0", "The first line is number 1."),
        ("0", "The first token is number 1."),
        ("line 4:0", "The first column is number 1."),
        ("message 2:3", "Only a line has a column, as in “line 4:7”, and a message has none."),
    ],
)
def test_what_is_no_place_is_told_in_one_sentence(typed: str, sentence: str) -> None:
    with pytest.raises(ThinkpaneError) as raised:
        target(typed)
    assert raised.value.problem.message == sentence


@given(st.one_of(st.text(max_size=40), st.from_regex(r"[a-z#<>]{0,5} ?-?[0-9,_:]{1,30}", fullmatch=True)))
def test_anything_typed_is_a_target_or_one_sentence(typed: str) -> None:
    try:
        found = target(typed)
    except ThinkpaneError as error:
        problem = error.problem
        found = Target("special")
        assert (problem.kind, problem.message.count("\n")) == ("place", 0)
    assert found.number or found.kind == "special"
    assert abs(found.number) <= 10**12
    assert found.column >= 1


@given(st.sampled_from(["token", "message", "line", "character"]), st.integers(1, 10**11))
def test_every_number_is_read_as_written(kind: str, number: int) -> None:
    for typed in (f"{kind} {number}", f"{kind[0]}{number:,}", f"{kind} {number:_}"):
        found = target(typed)
        assert (found.kind, found.number) == (kind, number)


def test_a_number_of_thousands_of_digits_is_only_a_large_one() -> None:
    assert target("9" * 10_000).number == 10**12
    assert target("-" + "9" * 10_000).number == -(10**12)
