"""Edits of a conversation: nothing but the named thing changes, and the old value stays what it was."""

from dataclasses import dataclass

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from support.conversations import CONVERSATIONS, MESSAGES
from thinkpane.conversation import edits
from thinkpane.conversation.conversation import Conversation, conversation_from_body
from thinkpane.conversation.message_edits import set_content, set_role
from thinkpane.conversation.messages import Message, message
from thinkpane.conversation.tools import Tool
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.formats.strict_json import dump

TALK = Conversation(messages=(message("system", "be brief"), message("user", "hi"), message("assistant", "ho")))

FEW = settings(max_examples=40, deadline=None)


@dataclass(frozen=True)
class Call:
    id: str
    name: str
    arguments: str


def contents(conversation: Conversation) -> list[JsonValue]:
    return [each.content for each in conversation.messages]


def test_add_and_insert_put_the_message_where_it_belongs() -> None:
    assert contents(edits.add(TALK, message("user", "more"))) == ["be brief", "hi", "ho", "more"]
    assert contents(edits.insert(TALK, 1, message("user", "more"))) == ["be brief", "more", "hi", "ho"]
    assert contents(TALK) == ["be brief", "hi", "ho"]


def test_duplicate_is_a_thing_of_its_own() -> None:
    found = edits.duplicate(edits.set_excluded(TALK, 1, True), 1)
    assert contents(found) == ["be brief", "hi", "hi", "ho"]
    assert found.messages[2].excluded
    assert len({each.key for each in found.messages}) == 4


@FEW
@given(CONVERSATIONS, MESSAGES, st.integers(0, 5))
def test_insert_then_delete_gives_the_old_one(conversation: Conversation, new: Message, index: int) -> None:
    place = min(index, len(conversation.messages))
    assert edits.delete(edits.insert(conversation, place, new), place) == conversation


@FEW
@given(CONVERSATIONS, st.integers(0, 4), st.integers(-2, 8))
def test_move_keeps_everything_and_moves_back(conversation: Conversation, index: int, to: int) -> None:
    assume(index < len(conversation.messages))
    found = edits.move(conversation, index, to)
    assert sorted(each.key for each in found.messages) == sorted(each.key for each in conversation.messages)
    place = max(0, min(to, len(conversation.messages) - 1))
    assert found.messages[place].key == conversation.messages[index].key
    assert edits.move(found, place, index) == conversation


@FEW
@given(CONVERSATIONS, st.integers(0, 4), st.text())
def test_edit_touches_one_message_and_one_key(conversation: Conversation, index: int, role: str) -> None:
    assume(index < len(conversation.messages))
    found = edits.edit(conversation, index, set_role, role)
    old, new = conversation.messages[index], found.messages[index]
    assert new.role == role
    assert new.key == old.key
    assert new.excluded == old.excluded
    assert [key for key in new.data if key != "role"] == [key for key in old.data if key != "role"]
    assert all(new.data[key] is old.data[key] for key in old.data if key != "role")
    others = [place for place in range(len(found.messages)) if place != index]
    assert all(found.messages[place] is conversation.messages[place] for place in others)


def test_excluded_message_stays_but_is_not_sent() -> None:
    found = edits.set_excluded(TALK, 1, True)
    assert [each.text for each in found.sent_messages] == ["be brief", "ho"]
    assert edits.set_excluded(found, 1, False) == TALK


def test_raw_text_keeps_messages_and_its_own_text() -> None:
    on = edits.raw_text_on(TALK)
    assert on.raw_text == "hi\n\nho"
    assert on.messages == TALK.messages
    typed = edits.set_raw_text(on, "a document")
    off = edits.raw_text_off(typed)
    assert off.raw_text is None
    assert off.messages == TALK.messages
    assert edits.raw_text_on(off).raw_text == "a document"


@FEW
@given(CONVERSATIONS)
def test_raw_text_mode_loses_nothing(conversation: Conversation) -> None:
    there = edits.raw_text_on(conversation)
    back = edits.raw_text_on(edits.raw_text_off(there))
    assert back.messages == conversation.messages
    if there.raw_text:
        assert back.raw_text == there.raw_text


def test_reply_becomes_an_assistant_message() -> None:
    found = edits.append_reply(TALK, "let me see", "It rains.", [Call("", "get_weather", '{"city": "Graz"}')])
    assert dict(found.messages[-1].data) == {
        "role": "assistant",
        "content": "It rains.",
        "reasoning_content": "let me see",
        "tool_calls": [
            {"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": {"city": "Graz"}}}
        ],
    }
    assert dict(edits.append_reply(TALK, "", "x").messages[-1].data) == {"role": "assistant", "content": "x"}


@pytest.mark.parametrize("arguments", ['{"city": ', "[1]", "no json"])
def test_arguments_that_are_no_object_stay_as_the_model_wrote_them(arguments: str) -> None:
    found = edits.append_reply(TALK, "", "", [Call("c9", "f", arguments)])
    call = found.messages[-1].tool_calls[0]
    assert call["id"] == "c9"
    assert call["function"] == {"name": "f", "arguments": arguments}


def test_tool_result_names_its_call() -> None:
    found = edits.append_tool_result(TALK, "call_1", "get_weather", "21 °C")
    assert dict(found.messages[-1].data) == {
        "role": "tool",
        "tool_call_id": "call_1",
        "name": "get_weather",
        "content": "21 °C",
    }
    assert dict(edits.append_tool_result(TALK, "", "", "x").messages[-1].data) == {"role": "tool", "content": "x"}


@FEW
@given(CONVERSATIONS)
def test_own_body_changes_nothing(conversation: Conversation) -> None:
    found = edits.with_body(conversation, conversation.body())
    assert dump(found.body()) == dump(conversation.body())
    assert [each.key for each in found.messages] == [each.key for each in conversation.messages]
    assert (found.messages, found.tools, found.documents) == (
        conversation.messages,
        conversation.tools,
        conversation.documents,
    )


def test_edited_body_keeps_excluded_messages_in_their_places() -> None:
    start = edits.set_excluded(TALK, 1, True)
    body: JsonValue = {"messages": [{"role": "system", "content": "new"}, {"role": "user", "content": "last"}], "x": 1}
    found = edits.with_body(start, body)
    assert contents(found) == ["new", "hi", "last"]
    assert [each.excluded for each in found.messages] == [False, True, False]
    assert [each.key for each in found.messages] == [each.key for each in start.messages]
    assert found.extra == {"x": 1}
    shorter = edits.with_body(start, {"messages": []})
    assert contents(shorter) == ["hi"]


def test_edited_body_keeps_disabled_tools_and_the_messages_under_a_raw_text() -> None:
    start = edits.set_tools(TALK, [Tool({"name": "a"}, enabled=False), Tool({"name": "b"})])
    found = edits.with_body(start, {"messages": "one text", "tools": [{"name": "c"}]})
    assert found.raw_text == "one text"
    assert found.messages == TALK.messages
    assert [(each.name, each.enabled) for each in found.tools] == [("a", False), ("c", True)]
    back = edits.with_body(found, {"messages": [{"role": "user", "content": "again"}]})
    assert back.raw_text is None
    assert back.parked_text == "one text"


def test_bad_body_is_one_sentence() -> None:
    with pytest.raises(ThinkpaneError, match="Message 2 is not an object"):
        edits.with_body(TALK, {"messages": [{}, 3]})


def test_an_edit_leaves_the_old_value_alone() -> None:
    before = dump(TALK.body())
    edits.edit(TALK, 0, set_content, [{"type": "text", "text": "x"}])
    edits.append_reply(TALK, "a", "b")
    assert dump(TALK.body()) == before
    assert conversation_from_body(TALK.body()).body() == TALK.body()
