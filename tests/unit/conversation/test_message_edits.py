"""Edits of one message keep unknown keys, the order of keys, and the form that calls and parts have."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from support.conversations import MESSAGES, PARTS, TEXTS
from thinkpane.conversation import message_edits, part_edits
from thinkpane.conversation.messages import Message, message
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.formats.strict_json import same


@given(MESSAGES, TEXTS)
def test_reasoning_stays_under_its_own_name(found: Message, text: str) -> None:
    assume(text)
    name = found.reasoning_field
    new = message_edits.set_reasoning(found, text)
    assert new.reasoning == text
    assert new.reasoning_field == (name or "reasoning_content")
    rest = [key for key in found.data if key != new.reasoning_field]
    assert [key for key in new.data if key != new.reasoning_field] == rest


def test_empty_reasoning_removes_the_field() -> None:
    found = Message({"role": "assistant", "reasoning": "hm", "content": "x"})
    assert dict(message_edits.set_reasoning(found, "").data) == {"role": "assistant", "content": "x"}


def test_first_call_gets_openais_form_and_a_free_id() -> None:
    found = message_edits.add_tool_call(message_edits.add_tool_call(message("assistant"), "f"), "g")
    assert found.tool_calls == [
        {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": {}}},
        {"id": "call_2", "type": "function", "function": {"name": "g", "arguments": {}}},
    ]
    assert message_edits.unused_call_id(message_edits.remove_tool_call(found, 0)) == "call_1"


@pytest.mark.parametrize(
    "call",
    [
        {"id": "a", "index": 0, "function": {"name": "f", "arguments": "{}", "strict": True}},
        {"id": "a", "index": 0, "name": "f", "arguments": "{}", "strict": True},
    ],
)
def test_call_is_edited_in_the_form_it_has(call: JsonObject) -> None:
    found = Message({"tool_calls": ["no object", call, None]})
    found = message_edits.set_tool_call_name(found, 0, "g")
    found = message_edits.set_tool_call_arguments(found, 0, {"a": 1})
    found = message_edits.set_tool_call_id(found, 0, "b")
    changed = {"name": "g", "arguments": {"a": 1}, "strict": True}
    nested = "function" in call
    expected = {"id": "b", "index": 0, **({"function": changed} if nested else changed)}
    calls = found.data["tool_calls"]
    assert isinstance(calls, list)
    assert calls == ["no object", expected, None]
    assert message_edits.remove_tool_call(found, 0).data["tool_calls"] == ["no object", None]


def test_last_call_takes_the_key_along() -> None:
    found = message_edits.add_tool_call(message("assistant", "x"), "f")
    assert dict(message_edits.remove_tool_call(found, 0).data) == {"role": "assistant", "content": "x"}


@given(TEXTS)
def test_text_to_parts_and_back_is_the_text(text: str) -> None:
    found = part_edits.to_parts(message("user", text))
    assert found.parts is not None
    assert part_edits.to_text(found).content == text


@given(st.lists(PARTS, max_size=4))
def test_parts_become_text_only_where_nothing_is_lost(parts: list[JsonValue]) -> None:
    found = message("user", parts)
    if part_edits.can_be_text(found):
        assert part_edits.to_text(found).content == found.text
    else:
        with pytest.raises(ThinkpaneError, match="more than text"):
            part_edits.to_text(found)


@given(st.lists(PARTS, min_size=1, max_size=4), st.integers(0, 3), st.integers(-1, 5))
def test_parts_move_and_come_back(parts: list[JsonValue], index: int, to: int) -> None:
    assume(index < len(parts))
    found = part_edits.move_part(message("user", parts), index, to)
    place = max(0, min(to, len(parts) - 1))
    assert found.parts is not None
    assert same(found.parts[place], parts[index])
    assert same(part_edits.move_part(found, place, index).content, parts)


@pytest.mark.parametrize(
    ("part", "kind", "address"),
    [
        ("loose text", "text", ""),
        ({"type": "text", "text": "x"}, "text", ""),
        ({"type": "text"}, "other", ""),
        ({"type": "image_url", "image_url": {"url": "u", "detail": "low"}}, "image", "u"),
        ({"type": "image_url", "image_url": "u"}, "image", "u"),
        ({"type": "image", "path": "p.png"}, "image", "p.png"),
        ({"type": "image"}, "other", ""),
        ({"type": "file", "file": {"filename": "a.pdf", "file_data": "u"}}, "file", "u"),
        ({"type": "file", "file": {"file_id": "f-1"}}, "file", "f-1"),
        ({"type": "tool_reference", "name": "f"}, "other", ""),
        (7, "other", ""),
    ],
)
def test_part_is_read_and_pointed_elsewhere_in_its_form(part: JsonValue, kind: str, address: str) -> None:
    assert part_edits.part_kind(part) == kind
    if kind in ("image", "file"):
        assert isinstance(part, dict)
        assert part_edits.part_address(part) == address
        assert part_edits.part_address(part_edits.with_address(part, "new")) == "new"
        assert same(part_edits.with_address(part_edits.with_address(part, "new"), address), part)


def test_new_parts_are_openais() -> None:
    found = part_edits.add_part(message("user", "look"), part_edits.image_part("http://x/a.png"))
    found = part_edits.add_part(found, part_edits.file_part("/home/me/b c.pdf"))
    assert found.content == [
        {"type": "text", "text": "look"},
        {"type": "image_url", "image_url": {"url": "http://x/a.png"}},
        {"type": "file", "file": {"filename": "b c.pdf", "file_data": "/home/me/b c.pdf"}},
    ]
    found = part_edits.set_part(found, 0, part_edits.with_text(found.content[0], "see"))
    assert found.text == "see"
    assert part_edits.remove_part(found, 0).parts == found.content[1:]  # type: ignore[index]


def test_content_of_another_kind_is_not_turned_into_parts() -> None:
    with pytest.raises(ThinkpaneError, match="neither text nor parts"):
        part_edits.to_parts(message("user", {"a": 1}))
