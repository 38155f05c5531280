"""Thinking keywords: priority, whole words, parts, history."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.conversation.messages import Message, message
from thinkpane.reasoning.keywords import THINKING_KEYWORDS, find_thinking_keyword


@pytest.mark.parametrize(
    ("text", "keyword", "effort"),
    [
        ("think about the microservices architecture", "think", "low"),
        ("please think hard about it", "think hard", "medium"),
        ("THINK  Harder!", "think harder", "high"),
        ("ultrathink this complex algorithm optimization", "ultrathink", "max"),
        ("think hard, no: ultrathink", "ultrathink", "max"),
        ("think\nharder", "think harder", "high"),
    ],
)
def test_the_highest_keyword_counts(text: str, keyword: str, effort: str) -> None:
    found = find_thinking_keyword([message("user", text)])
    assert found is not None
    assert (found.keyword, found.effort) == (keyword, effort)


@pytest.mark.parametrize("text", ["rethink it", "I was thinking", "unthinkable", "", "think_hard"])
def test_only_whole_words_count(text: str) -> None:
    assert find_thinking_keyword([message("user", text)]) is None


def test_words_of_two_parts_do_not_grow_together() -> None:
    parts = message("user", [{"type": "text", "text": "ultra"}, {"type": "text", "text": "think"}])
    found = find_thinking_keyword([parts])
    assert found is not None
    assert found.keyword == "think"


def test_words_of_two_messages_stay_apart() -> None:
    found = find_thinking_keyword([message("user", "think"), message("user", "hard")])
    assert found is not None
    assert (found.keyword, found.index) == ("think", 0)


def test_only_user_messages_that_are_sent_count() -> None:
    messages = [
        message("system", "ultrathink"),
        message("assistant", "ultrathink"),
        Message({"role": "user", "content": "ultrathink"}, excluded=True),
        message("user", "hello"),
    ]
    assert find_thinking_keyword(messages) is None


def test_the_whole_history_counts_unless_only_the_last_is_asked() -> None:
    messages = [message("user", "ultrathink"), message("user", "think")]
    whole, last = find_thinking_keyword(messages), find_thinking_keyword(messages, latest_only=True)
    assert whole is not None
    assert last is not None
    assert (whole.keyword, last.keyword) == ("ultrathink", "think")


def test_the_list_can_be_edited() -> None:
    found = find_thinking_keyword([message("user", "denk nach (c++)")], {"c++": "max", "denk nach": "low"})
    assert found is not None
    assert found.keyword == "c++"


@given(st.text(), st.sampled_from(sorted(THINKING_KEYWORDS)), st.text())
def test_a_keyword_between_spaces_is_always_found_at_least_so_high(before: str, keyword: str, after: str) -> None:
    found = find_thinking_keyword([message("user", f"{before} {keyword} {after}")])
    order = list(THINKING_KEYWORDS)
    assert found is not None
    assert order.index(found.keyword) <= order.index(keyword)
