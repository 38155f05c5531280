"""Fixes are done to the document as a whole step, or refused where it is another one by now."""

from dataclasses import replace
from typing import Any

import pytest

from thinkpane.analysis.lint.findings import Fix, MessageEdit, TextEdit
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import Message, message
from thinkpane.engine.request import RenderRequest
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject
from thinkpane.prompt.places import origins_of
from thinkpane.prompt.prompt import Prompt
from thinkpane.templates.edited import EditedTemplate
from thinkpane.templates.template import Template
from thinkpane.workspace.fixes import parts_of, with_fix
from thinkpane.workspace.state import DocumentState

TEMPLATE = Template("t", "{{ x.items() }} and {{ y.items() }}")
TEXT_FIX = Fix("", template=(TextEdit(4, 12, "|items"), TextEdit(24, 32, "|items")))


def state_of(*messages: Message, **rest: Any) -> DocumentState:
    return DocumentState(conversation=Conversation(messages=messages), **rest)


def prompt_of(state: DocumentState, sent: Conversation | None = None) -> Prompt:
    """The prompt of a state; sent: what the steps made of its conversation."""
    stepped = sent or state.conversation
    given = stepped.messages_value()
    request = RenderRequest(TEMPLATE.source, given)
    return Prompt("text", request=request, request_origins=origins_of(state.conversation, stepped, given))


def test_parts_are_those_that_change() -> None:
    assert parts_of(TEXT_FIX) == {"template"}
    assert parts_of(Fix("", messages=(MessageEdit(0),), unset=("x",))) == {"messages", "variables"}


def test_text_becomes_an_edited_template() -> None:
    state = state_of(message("user", "a"))
    fixed = with_fix(state, TEXT_FIX, prompt_of(state), TEMPLATE)
    assert fixed.edited is not None
    assert fixed.edited.source == "{{ x|items }} and {{ y|items }}"
    assert fixed.conversation is state.conversation


def test_text_without_an_original_is_mended_too() -> None:
    state = state_of(message("user", "a"), edited=EditedTemplate(TEMPLATE.source, {"bos_token": "<s>"}))
    fixed = with_fix(state, TEXT_FIX, prompt_of(state), None)
    assert fixed.edited == EditedTemplate("{{ x|items }} and {{ y|items }}", {"bos_token": "<s>"})


def test_a_named_text_is_mended() -> None:
    state = state_of(message("user", "a"))
    several = Template("t", "the default", named={"default": "the default", "tool_use": TEMPLATE.source})
    fixed = with_fix(state, TEXT_FIX, prompt_of(state), several)
    assert fixed.edited is not None
    assert fixed.edited.source == "{{ x|items }} and {{ y|items }}"


def test_text_that_was_edited_meanwhile_is_left_alone() -> None:
    state = state_of(message("user", "a"))
    prompt = prompt_of(state)
    another = Template("u", "another one")
    edited = replace(state, edited=EditedTemplate("other"))
    for changed, template in ((edited, TEMPLATE), (state, None), (state, another)):
        with pytest.raises(ThinkpaneError) as caught:
            with_fix(changed, TEXT_FIX, prompt, template)
        assert caught.value.problem.kind == "fix"


def test_variables_are_set_and_taken_away() -> None:
    state = state_of(message("user", "a"), variables={"foo": 1, "kept": True})
    fixed = with_fix(state, Fix("", variables={"bos_token": ""}, unset=("foo",)), prompt_of(state), TEMPLATE)
    assert fixed.variables == {"kept": True, "bos_token": ""}


def test_messages_are_edited_in_place_and_those_left_out_stay() -> None:
    excluded = Message({"role": "user", "content": "left out"}, excluded=True)
    state = state_of(excluded, message("user", "a"), message("user", "b"), message("assistant", None))
    fix = Fix("", messages=(MessageEdit(0, ("content",), "a b"), MessageEdit(1, delete=True)))
    fixed = with_fix(state, fix, prompt_of(state), TEMPLATE).conversation
    assert [each.content for each in fixed.messages] == ["left out", "a b", None]
    assert fixed.messages[1].key == state.conversation.messages[1].key


def test_what_is_deep_in_a_message_is_changed_there() -> None:
    call: JsonObject = {"id": "c", "function": {"name": "f", "arguments": '{"a": 1}'}}
    state = state_of(message("assistant", "", tool_calls=[call]))
    edit = MessageEdit(0, ("tool_calls", 0, "function", "arguments"), {"a": 1})
    fixed = with_fix(state, Fix("", messages=(edit,)), prompt_of(state), TEMPLATE)
    assert fixed.conversation.messages[0].tool_calls == [{"id": "c", "function": {"name": "f", "arguments": {"a": 1}}}]
    assert call["function"] == {"name": "f", "arguments": '{"a": 1}'}


def test_a_message_that_changed_meanwhile_is_left_alone() -> None:
    state = state_of(message("user", "a"))
    prompt = prompt_of(state)
    later = replace(state, conversation=Conversation((state.conversation.messages[0].with_data({"content": "z"}),)))
    with pytest.raises(ThinkpaneError, match="Message 1 is another one by now"):
        with_fix(later, Fix("", messages=(MessageEdit(0, ("content",), "b"),)), prompt, TEMPLATE)


def test_what_a_step_put_in_cannot_be_fixed_in_the_document() -> None:
    state = state_of(message("user", "a"))
    own = state.conversation.messages[0]
    sent = Conversation((message("system", "by a step"), own.with_data({"role": "user", "content": "told. a"})))
    prompt = prompt_of(state, sent)
    for index in (0, 1, 5):
        with pytest.raises(ThinkpaneError):
            with_fix(state, Fix("", messages=(MessageEdit(index, ("content",), "b"),)), prompt, TEMPLATE)
