"""Of a long conversation only what is new crosses the pipe, and nobody can tell."""

import json
from copy import deepcopy
from functools import partial
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.patience import PATIENCE
from thinkpane.engine import frames, kept, process
from thinkpane.engine.host import Engine
from thinkpane.engine.kept import CHUNKS, LEAST, LEAST_TEXT, SINCE, Heard, Kept, Said, Sent
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.tokens.changes import change_between

VALUES = st.sampled_from([1, True, 1.0, 0, None, "", "a", "b" * 5, [], ["a"], {"x": 1}, {"x": True}])
MESSAGES = st.dictionaries(st.sampled_from(["role", "content", "tool_calls"]), VALUES, max_size=3)
LISTS = st.lists(st.one_of(MESSAGES, st.just("no object")), min_size=LEAST - 2, max_size=LEAST + 6)


def crossed(payload: JsonObject) -> JsonObject:
    return cast("JsonObject", json.loads(json.dumps(payload)))


@given(st.lists(LISTS, min_size=1, max_size=4), st.data())
def test_the_worker_gets_what_was_asked(conversations: list[list[JsonValue]], data: st.DataObject) -> None:
    sent, worker = Sent(), Kept()
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
            found = worker.whole(crossed(sent.shortened(cast("JsonObject", payload))))
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
    engine = Engine(spare=0, deadline=PATIENCE)
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
    engine = Engine(spare=0, deadline=PATIENCE)
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


PIECES = st.lists(st.sampled_from(["a" * LEAST_TEXT, "b", "é" * 70_000, "\U0001f9ea", "", "c" * 300_000]), max_size=6)


@given(st.lists(PIECES.map("".join), min_size=1, max_size=5), st.data())
def test_the_window_gets_the_text_that_was_answered(texts: list[str], data: st.DataObject) -> None:
    said, heard = Said(), Heard()
    for text in texts:
        many: JsonObject = {"results": [{"text": text + "!"}, {"problem": {}}, {"text": text}]}
        for result in ({"text": text, "milliseconds": 1.0}, many, {"columns": [1]}):
            reply: JsonObject = {"result": cast("JsonObject", result), "spent": False}
            if data.draw(st.integers(0, 9)) == 0:
                said.forget()
            found = heard.whole(crossed(said.shortened(with_chunks(reply))))
            for each in results_of(found):
                assert_told(each.pop(SINCE, None), each.get("text"))
            assert found == reply


def with_chunks(reply: JsonObject) -> JsonObject:
    """As a render answers: about every second text with what it is joined of."""
    for each in results_of(copy := deepcopy(reply)):
        text = each.get("text")
        if isinstance(text, str) and text[-1:] != "b":
            each[CHUNKS] = [text[at : at + 50_000] for at in range(0, len(text), 50_000)] or [""]
    return copy


def results_of(reply: JsonObject) -> list[JsonObject]:
    result = cast("JsonObject", reply["result"])
    return cast("list[JsonObject]", result.get("results", [result]))


def assert_told(since: JsonValue, text: JsonValue) -> None:
    """What is told of the text before makes the text of it."""
    if since is not None:
        earlier, before, after = cast("tuple[str, int, int]", since)
        assert isinstance(text, str)
        assert earlier[:before] == text[:before]
        assert earlier[len(earlier) - after :] == text[len(text) - after :]
        assert before + after <= min(len(earlier), len(text))


def test_a_prompt_says_what_the_one_before_it_had_in_common() -> None:
    source = "{% for each in messages %}{{ '<|a|>' + each.content + '\\n' }}{% endfor %}"
    engine = Engine(spare=0, deadline=30)
    try:
        talk = said(*("a message " * 700 + str(number) for number in range(40)))
        first = engine.render(RenderRequest(source, talk))
        edited = [*talk[:20], *said("a message " * 700 + "20 and more"), *talk[21:]]
        second = engine.render(RenderRequest(source, edited))
        assert (first.change, second.earlier) == (None, first.text)
        assert second.text == "".join(f"<|a|>{each['content']}\n" for each in cast("list[dict[str, str]]", edited))
        assert second.change == change_between(first.text or "", second.text)
    finally:
        engine.close()


def test_an_edit_in_a_long_text_answers_what_is_new() -> None:
    said = Said()
    text = "".join(map(str, range(100_000)))
    assert said.shortened({"result": {"text": text}}) == {"result": {"text": text}}
    edited = f"{text[:5_000]}new{text[5_001:]}"
    assert said.shortened({"result": {"text": edited}}) == {
        "result": {"text": "new", "same": [5_000, len(text) - 5_001]}
    }


@pytest.mark.parametrize(
    "same", [[1], [-1, 2], [0, LEAST_TEXT + 1], [LEAST_TEXT, 1], ["a", 0], [0.5, 1], {}, 7, [0, 10**12]]
)
def test_a_reply_about_a_text_that_is_not_there_is_none(same: JsonValue) -> None:
    heard = Heard()
    heard.whole({"result": {"text": "a" * LEAST_TEXT}})
    with pytest.raises(ValueError, match=r"no such text|two numbers"):
        heard.whole({"result": {"text": "b", "same": same}})


def test_texts_that_are_put_together_hold_no_more_than_a_reply_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST_PUT_BACK", 3 * LEAST_TEXT)
    heard = Heard()
    heard.whole({"result": {"text": "a" * LEAST_TEXT}})
    many: list[JsonValue] = [{"text": "", "same": [LEAST_TEXT, 0]} for _ in range(3)]
    found = results_of(heard.whole({"result": {"results": list(many)}}))
    assert [each["text"] for each in found] == ["a" * LEAST_TEXT] * 3
    again: list[JsonValue] = [{"text": "", "same": [LEAST_TEXT - 1, 0]} for _ in range(4)]
    with pytest.raises(ValueError, match="no such text"):
        heard.whole({"result": {"results": again}})


def test_what_cannot_be_encoded_is_not_taken_for_sent() -> None:
    source = "{% for each in messages %}{{ each.content }}{% endfor %}"
    deep: JsonValue = []
    for _ in range(100_000):
        deep = [deep]
    engine = Engine(spare=0, deadline=PATIENCE)
    try:
        assert engine.render(RenderRequest(source, said(*["a"] * 100))).text == "a" * 100
        other = said(*["b"] * 100)
        with pytest.raises(RecursionError):
            engine.render(RenderRequest(source, other, variables={"deep": deep}))
        assert engine.render(RenderRequest(source, other)).text == "b" * 100
    finally:
        engine.close()


def test_texts_of_a_worker_that_answers_shortened_are_whole() -> None:
    engine = Engine(spare=0, deadline=PATIENCE)
    source = "{% for each in messages %}{{ each.content }};{% endfor %}"
    try:
        words = ["a" * 3_000 + str(number) for number in range(100)]
        for number in range(4):
            words[number * 20] += "edited"
            found = engine.render(RenderRequest(source, said(*words)))
            assert found.text == ";".join(words) + ";"
            traced = engine.owners(RenderRequest(source, said(*words)))
            assert traced["text"] == found.text
    finally:
        engine.close()
