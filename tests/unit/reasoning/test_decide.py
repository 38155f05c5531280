"""Precedence: explicit > tags > keywords > default, for on/off and the effort apart, told in one sentence."""

from itertools import product

import pytest

from thinkpane.conversation.messages import message
from thinkpane.reasoning.classifier import classify_task
from thinkpane.reasoning.control_tags import read_control_tags
from thinkpane.reasoning.decide import Explicit, Outcome, decide
from thinkpane.reasoning.keywords import find_thinking_keyword


def outcome(text: str, explicit: Explicit | None = None) -> Outcome:
    said = [message("user", text)]
    return decide(explicit or Explicit(), read_control_tags(said), find_thinking_keyword(said), classify_task(said))


@pytest.mark.parametrize(
    ("text", "thinking", "effort", "sentence"),
    [
        ("fix it", False, None, "Thinking off: the classifier (execution) decides."),
        (
            "<Thinking:On> fix it",
            True,
            None,
            "Thinking on: “<Thinking:On>” in message 1 decides, over the classifier (execution) (off).",
        ),
        ("ultrathink and fix it", True, "max", "Thinking on with effort max: “ultrathink” in message 1 decides."),
        (
            "<Thinking:Off> ultrathink",
            False,
            None,
            "Thinking off: “<Thinking:Off>” in message 1 decides, over “ultrathink” in message 1 (on, effort max)"
            " and the classifier (reasoning) (on).",
        ),
        (
            "<Effort:High> fix it",
            None,
            "high",
            "Thinking as by default with effort high: “<Effort:High>” in message 1 decides,"
            " over the classifier (execution) (off).",
        ),
    ],
)
def test_tags_beat_words(text: str, thinking: bool | None, effort: str | None, sentence: str) -> None:
    found = outcome(text)
    assert (found.thinking, found.effort, found.sentence) == (thinking, effort, sentence)


def test_an_explicit_switch_leaves_the_effort_to_the_tag() -> None:
    found = outcome("<Thinking:Off> <Effort:Low> go", Explicit(thinking=True))
    assert (found.thinking, found.effort) == (True, "low")
    assert found.winners == {"explicit", "thinking_tags"}


def test_off_takes_the_effort_with_it_unless_it_was_chosen() -> None:
    assert outcome("<Effort:Low> go", Explicit(thinking=False)).effort is None
    assert outcome("<Effort:Low> go", Explicit(thinking=False, effort="max")).effort == "max"


def test_nobody_speaks() -> None:
    assert decide(Explicit()) == Outcome()


@pytest.mark.parametrize(
    ("text", "thinking"), list(product(["fix", "<Thinking:On>", "<Thinking:Off>", "think"], [True, False]))
)
def test_the_explicit_choice_always_wins(text: str, thinking: bool) -> None:
    found = outcome(text, Explicit(thinking=thinking))
    assert found.thinking is thinking
    assert "explicit" in found.winners
