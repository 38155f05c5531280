"""Cache reuse in words."""

from dataclasses import replace

import pytest

from thinkpane.analysis.generated import Basis
from thinkpane.analysis.prefix import Reuse, Turn
from thinkpane.errors import Problem
from thinkpane.ui.models.reuse_words import reuse_words, turn_hint, turn_words

WHOLE = Turn(1, "ab", 1, "abcd", 20, 40, 20, 2, "all")
REWRITTEN = Turn(
    3, "ab", 1, "acd", 1_200, 1_100, 10, 1, "history", "thinking of message 2 left out", "cd", 46, assumed=True
)


def test_words() -> None:
    assert turn_words(WHOLE, 1, "token") == "Turn 1 → 2 reuses 20 of 20 tokens (answer rebuilt), 20 new"
    assert turn_words(REWRITTEN, 2, "token") == (
        "Turn 2 → a next one reuses 10 of 1,200 tokens (answer rebuilt) · history rewritten: "
        "thinking of message 2 left out, line 46"
    )
    assert "First different token: “cd”." in turn_hint(REWRITTEN, 2, "token")
    assert turn_hint(WHOLE, 1, "token").startswith(turn_words(WHOLE, 1, "token"))


@pytest.mark.parametrize(
    ("basis", "words", "hint"),
    [
        ("completion", "answer as generated", "what the model wrote behind the prompt"),
        ("reply", "answer as it came", "as they came"),
        ("template", "answer rebuilt", "did not come in this window"),
    ],
)
def test_where_the_answer_is_known_from_is_said(basis: Basis, words: str, hint: str) -> None:
    for turn in (replace(WHOLE, basis=basis), replace(REWRITTEN, basis=basis)):
        assert f" tokens ({words})" in turn_words(turn, 1, "token")
        assert hint in turn_hint(turn, 1, "token")


def test_what_was_left_out_is_said() -> None:
    assert reuse_words(Reuse((WHOLE,), skipped=106), "token").endswith("20 new · 106 earlier turns not looked at")
    assert reuse_words(Reuse((WHOLE,), skipped=106), "token").startswith("Turn 107 → 108 reuses ")
    assert reuse_words(Reuse(), "token") == ""
    assert "a date stands at character 6: " in reuse_words(Reuse((WHOLE,), dated=5), "token")
    assert reuse_words(Reuse(problem=Problem("x", "Broken.")), "token") == "Cache reuse is not known: Broken."
