"""Of a long conversation only what is new crosses the pipe, and nobody can tell."""

import json
from functools import partial
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.engine import frames, process
from thinkpane.engine.host import Engine
from thinkpane.engine.kept import LEAST, Kept, Sent
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonObject, JsonValue

VALUES = st.sampled_from([1, True, 1.0, 0, None, "", "a", "b" * 5, [], ["a"], {"x": 1}, {"x": True}])
MESSAGES = st.dictionaries(st.sampled_from(["role", "content", "tool_calls"]), VALUES, max_size=3)
LISTS = st.lists(st.one_of(MESSAGES, st.just("no object")), min_size=LEAST - 2, max_size=LEAST + 6)


def crossed(payload: JsonObject) -> JsonObject:
    return cast("JsonObject", json.loads(json.dumps(payload)))


@given(st.lists(LISTS, min_size=1, max_size=4), st.data())
def test_the_worker_gets_what_was_asked(conversations: list[list[JsonValue]], data: st.DataObject) -> None:
    sent, kept = Sent(), Kept()
    for talk in conversations:
        place = data.draw(st.integers(0, len(talk) - 1))
        edited = [*talk[:place], data.draw(MESSAGES), *talk[place + 1 :]]
        shorter = talk[:-1]
        for payload in (
            {"messages": talk, "source": "x"},
            {"requests": [{"messages": edited}, {"messages": shorter}, {"messages": "one text"}]},
            {"messages": {"first": 1, "last": 1, "new": []}},
        ):
            before = json.dumps(payload)
            found = kept.whole(crossed(sent.shortened(cast("JsonObject", payload))))
            assert json.dumps(found, sort_keys=True) == json.dumps(json.loads(before), sort_keys=True)
            assert [*map(json.dumps, messages_of(found))] == [
                *map(json.dumps, messages_of(cast("JsonObject", payload)))
            ]
            assert json.dumps(payload) == before


def messages_of(payload: JsonObject) -> list[JsonValue]:
    requests = payload.get("requests")
    return [each["messages"] for each in requests] if isinstance(requests, list) else [payload["messages"]]  # type: ignore[index,call-overload]


def said(*contents: str) -> list[JsonValue]:
    return [{"role": "user", "content": each} for each in contents]


def test_one_edit_sends_one_message() -> None:
    sent, talk = Sent(), said(*(f"message {number}" for number in range(2_000)))
    assert sent.shortened({"messages": talk}) == {"messages": talk}
    words = [f"message {number}" for number in range(2_000)]
    words[700] += "!"
    found = sent.shortened({"messages": said(*words)})
    assert found == {"around": {"first": 700, "last": 1_299, "new": said("message 700!")}}


def test_a_worker_renders_an_edited_conversation_from_what_it_has() -> None:
    source = "{% for each in messages %}{{ each.content }};{% endfor %}"
    engine = Engine(spare=0, deadline=30)
    try:
        talk = said(*map(str, range(100)))
        assert engine.render(RenderRequest(source, talk)).text == ";".join(map(str, range(100))) + ";"
        edited = [*talk[:50], *said("edited"), *talk[50:]]
        expected = ";".join([*map(str, range(50)), "edited", *map(str, range(50, 100))]) + ";"
        assert engine.render(RenderRequest(source, edited)).text == expected
        assert engine.render(RenderRequest(source, talk[:60])).text == ";".join(map(str, range(60))) + ";"
        many = engine.render_many([RenderRequest(source, talk), RenderRequest(source, edited)])
        assert [each.text for each in many][1] == expected
    finally:
        engine.close()


def test_what_is_too_long_to_send_is_said_and_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(spare=0, deadline=30)
    source = "{% for each in messages %}{{ each.content }}{% endfor %}"
    talk = said(*["a" * 100] * 100)
    try:
        assert engine.render(RenderRequest(source, talk)).text == "a" * 10_000
        other = said(*["b" * 100] * 100)
        with monkeypatch.context() as patch:
            patch.setattr(process, "encoded", partial(frames.encoded, caps=frames.Caps(json=5_000)))
            failed = engine.render(RenderRequest(source, other))
        assert failed.problem is not None
        assert failed.problem.kind == "request"
        assert "larger than" in failed.problem.message
        assert engine.render(RenderRequest(source, other)).text == "b" * 10_000
    finally:
        engine.close()
