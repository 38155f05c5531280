"""Sampling that a body brings, beside what is set."""

from dataclasses import replace

from thinkpane.conversation.conversation import Conversation
from thinkpane.formats.json_values import JsonObject
from thinkpane.workspace.body_sampling import (
    SAMPLING_NAMES,
    brought_params,
    given_params,
    set_param,
    with_talk,
    with_typed_talk,
)
from thinkpane.workspace.document_file import document_from_json, document_to_json
from thinkpane.workspace.state import DocumentState

BODY: JsonObject = {
    "model": "m",
    "messages": [{"role": "user", "content": "q"}],
    "temperature": 0.3,
    "top_k": 40,
    "stop": ["</s>"],
    "max_completion_tokens": 9,
    "seed": None,
    "response_format": {"type": "json_object"},
    "odd": 1,
}


def brought() -> DocumentState:
    return document_from_json(BODY)


def test_a_body_brings_its_sampling_and_keeps_all_of_its_keys() -> None:
    state = brought()
    expected = {"temperature": 0.3, "top_k": 40, "stop": ["</s>"], "max_completion_tokens": 9}
    assert given_params(state) == brought_params(state) == expected
    assert state.conversation.extra.keys() == BODY.keys() - {"messages", "model"}
    assert document_from_json(document_to_json(state)) == state


def test_what_is_set_holds_over_what_a_body_brings() -> None:
    state = DocumentState(conversation=brought().conversation, params={"temperature": 1})
    assert given_params(state)["temperature"] == 1
    assert "temperature" not in brought_params(state)


def test_a_brought_value_is_changed_where_it_stands() -> None:
    state = set_param(brought(), "temperature", 0.9)
    assert state.params == {}
    assert state.conversation.extra["temperature"] == 0.9
    assert list(state.conversation.extra) == list(brought().conversation.extra)


def test_a_parameter_that_is_not_sent_is_nowhere() -> None:
    state = set_param(DocumentState(), "temperature", 0)
    assert dict(state.params) == {"temperature": 0}
    assert dict(set_param(state, "temperature", None).params) == {}
    both = DocumentState(conversation=brought().conversation, params={"temperature": 1})
    assert "temperature" not in given_params(set_param(both, "temperature", None))


def test_a_key_that_is_no_sampling_is_not_touched() -> None:
    assert "odd" not in SAMPLING_NAMES
    state = set_param(brought(), "odd", None)
    assert state.conversation.extra["odd"] == 1


def test_what_is_typed_into_the_body_holds_over_what_was_set() -> None:
    state = DocumentState(params={"temperature": 1, "top_k": 9, "seed": 4}, conversation=brought().conversation)
    typed = replace(state.conversation, extra={**state.conversation.extra, "temperature": 0.5})
    found = with_typed_talk(state, typed)
    assert found.params == {"top_k": 9, "seed": 4}
    assert given_params(found)["temperature"] == 0.5
    assert with_typed_talk(state, state.conversation).params is state.params


def test_a_whole_request_says_all_that_was_sent() -> None:
    state = DocumentState(params={"temperature": 1, "seed": 4}, model="mine")
    assert given_params(with_talk(state, brought().conversation, "m", is_request=True)).keys() == {
        "temperature",
        "top_k",
        "stop",
        "max_completion_tokens",
    }
    kept = with_talk(state, Conversation(), "", is_request=False)
    assert (kept.params, kept.model) == (state.params, "mine")
