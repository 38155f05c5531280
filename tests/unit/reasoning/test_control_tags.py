"""The GLMT control tags: spelling, order, roles, parts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.conversation.messages import message
from thinkpane.reasoning.control_tags import read_control_tags


@pytest.mark.parametrize(
    ("text", "value"), [("<Thinking:On>", "on"), ("x <thinking:OFF> y", "off"), ("<THINKING:on>", "on")]
)
def test_thinking_tags_in_any_case(text: str, value: str) -> None:
    found = read_control_tags([message("user", text)])
    assert found.thinking is not None
    assert found.thinking.value == value
    assert found.effort is None


@pytest.mark.parametrize(
    "text", ["<Thınking:On>", "<Thinking>", "<Thinking: On>", "<Effort:Max>", "Thinking:On", "<Effort:>"]
)
def test_what_is_no_tag(text: str) -> None:
    assert not read_control_tags([message("user", text)]).any


def test_first_of_a_message_and_last_message_win() -> None:
    messages = [
        message("user", "<Thinking:On>"),
        message("user", "<Thinking:Off> and <Thinking:On>"),
        message("user", "no tag"),
    ]
    found = read_control_tags(messages)
    assert found.thinking is not None
    assert (found.thinking.tag, found.thinking.index) == ("<Thinking:Off>", 1)
    assert [(tag.tag, tag.index) for tag in found.overridden] == [("<Thinking:On>", 0), ("<Thinking:On>", 1)]


def test_both_kinds_count_apart() -> None:
    found = read_control_tags([message("user", "<Effort:High>"), message("user", "<Thinking:On>")])
    assert found.effort is not None
    assert found.thinking is not None
    assert (found.effort.value, found.effort.index, found.thinking.index) == ("high", 0, 1)


def test_only_user_messages_count_and_text_parts_do() -> None:
    assert not read_control_tags([message("system", "<Thinking:Off>"), message("assistant", "<Thinking:Off>")]).any
    parts = message("user", [{"type": "text", "text": "<Thinking:Off>"}])
    assert read_control_tags([parts]).any


@given(st.lists(st.sampled_from(["<Thinking:On>", "<thinking:off>", "x", "<Effort:Low>", "\n"])))
def test_the_winner_stands_in_the_last_message_that_has_a_tag(pieces: list[str]) -> None:
    found = read_control_tags([message("user", piece) for piece in pieces])
    at = [index for index, piece in enumerate(pieces) if piece.lower().startswith("<thinking")]
    assert (found.thinking.index if found.thinking else None) == (at[-1] if at else None)


@given(st.text(alphabet="<>:ThinkgOfEfortLwoHhM ı", max_size=40))
def test_what_counts_stands_in_the_text_as_it_is_spelled(text: str) -> None:
    found = read_control_tags([message("user", text)])
    assert all(tag.tag in text for tag in (found.thinking, found.effort) if tag is not None)
    assert (found.thinking is not None) == any(tag in text.lower() for tag in ("<thinking:on>", "<thinking:off>"))
