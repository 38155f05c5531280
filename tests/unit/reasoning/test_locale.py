"""The locale enforcer: where the instruction goes, in every shape of content, and that nothing given is changed."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.conversation.messages import Message, message
from thinkpane.formats.json_values import JsonValue
from thinkpane.reasoning.locale import INSTRUCTION, enforce_locale


def test_the_instruction_has_the_documented_wording() -> None:
    assert INSTRUCTION.startswith("CRITICAL: You MUST respond in English only")


def test_text_of_the_system_message_gets_it_before_an_empty_line() -> None:
    result = enforce_locale([message("user", "hi"), message("system", "Be terse.")])
    assert result.index == 1
    assert result.messages[1].content == f"{INSTRUCTION}\n\nBe terse."
    assert result.messages[0].content == "hi"
    assert result.reason == "The instruction to answer in English stands first in message 2 (system)."


def test_without_a_system_message_the_first_user_message_gets_it() -> None:
    result = enforce_locale([message("assistant", "yes?"), message("user", "你好"), message("user", "hi")])
    assert result.index == 1
    assert result.messages[1].content == f"{INSTRUCTION}\n\n你好"


def test_a_list_of_parts_gets_a_new_first_part() -> None:
    parts: list[JsonValue] = [{"type": "image_url", "image_url": {"url": "x"}}, {"type": "text", "text": "what?"}]
    result = enforce_locale([message("user", parts)])
    assert result.messages[0].content == [{"type": "text", "text": INSTRUCTION}, *parts]


@pytest.mark.parametrize(("content", "expected"), [(None, INSTRUCTION), ("", f"{INSTRUCTION}\n\n")])
def test_empty_contents(content: JsonValue, expected: str) -> None:
    assert enforce_locale([message("system", content)]).messages[0].content == expected


def test_a_content_of_another_kind_is_left_alone_and_said() -> None:
    result = enforce_locale([message("system", {"a": 1})])
    assert result.index is None
    assert "neither text nor parts" in result.reason


def test_excluded_messages_are_passed_over() -> None:
    result = enforce_locale([Message({"role": "system", "content": "x"}, excluded=True), message("user", "hi")])
    assert result.index == 1


def test_nothing_to_put_it_into() -> None:
    result = enforce_locale([message("assistant", "hello")])
    assert result.index is None
    assert result.messages[0].content == "hello"


CONTENTS = st.one_of(
    st.text(), st.none(), st.integers(), st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": st.text()}))
)
MESSAGES = st.lists(st.builds(message, st.sampled_from(["system", "user", "assistant", "tool"]), CONTENTS))


@given(MESSAGES)
def test_it_never_changes_what_it_was_given_and_changes_one_message_at_most(messages: list[Message]) -> None:
    before = copy.deepcopy([dict(each.data) for each in messages])
    result = enforce_locale(messages)
    assert [dict(each.data) for each in messages] == before
    changed = [
        index for index, (old, new) in enumerate(zip(messages, result.messages, strict=True)) if old.data != new.data
    ]
    assert changed == ([] if result.index is None else [result.index])
    assert [each.key for each in result.messages] == [each.key for each in messages]
