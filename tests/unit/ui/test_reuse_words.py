"""Cache reuse in words."""

from thinkpane.analysis.prefix import Reuse, Turn
from thinkpane.errors import Problem
from thinkpane.ui.models.reuse_words import reuse_words, turn_hint, turn_words

WHOLE = Turn(1, "ab", 1, "abcd", 20, 40, 20, 2, "all")
REWRITTEN = Turn(
    3, "ab", 1, "acd", 1_200, 1_100, 10, 1, "history", "thinking of message 2 left out", "cd", 46, assumed=True
)


def test_words() -> None:
    assert turn_words(WHOLE, 1, "token") == "Turn 1 → 2 reuses 20 of 20 tokens, 20 new"
    assert turn_words(REWRITTEN, 2, "token") == (
        "Turn 2 → a next one reuses 10 of 1,200 tokens · history rewritten: thinking of message 2 left out, line 46"
    )
    assert "First different token: “cd”." in turn_hint(REWRITTEN, 2, "token")
    assert turn_hint(WHOLE, 1, "token") == turn_words(WHOLE, 1, "token")


def test_what_was_left_out_is_said() -> None:
    assert reuse_words(Reuse((WHOLE,), skipped=106), "token").endswith("20 new · 106 earlier turns not looked at")
    assert reuse_words(Reuse((WHOLE,), skipped=106), "token").startswith("Turn 107 → 108 reuses ")
    assert reuse_words(Reuse(), "token") == ""
    assert "a date stands at character 6: " in reuse_words(Reuse((WHOLE,), dated=5), "token")
    assert reuse_words(Reuse(problem=Problem("x", "Broken.")), "token") == "Cache reuse is not known: Broken."
