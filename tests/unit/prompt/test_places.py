"""From the paths of a request to places in the document and back, also where a step changed the messages."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from support.patient import PATIENT
from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import Message, message
from thinkpane.conversation.tools import Tool
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.owners import OwnedSpan, Owner
from thinkpane.prompt.places import Origins, Place, origins_of, steps_of, value_at, way_of
from thinkpane.reasoning.locale import enforce_locale

TALK = Conversation(
    messages=(
        message("system", "Be brief."),
        replace(message("user", "left out"), excluded=True),
        message("user", "Hello"),
    ),
    tools=(Tool({"name": "off"}, enabled=False), Tool({"name": "on"})),
)


def span(path: str | None, at: tuple[int, int] | None = None) -> OwnedSpan:
    """Some characters that came from `path`."""
    return OwnedSpan(0, 5, Owner(3, 1, (), path, at))


def origins(talk: Conversation = TALK, stepped: Conversation | None = None, given: JsonValue = None) -> Origins:
    """The origins of a request that the profile left as the steps made it."""
    made = stepped or talk
    return origins_of(talk, made, given if given is not None else made.messages_value())


def test_left_out_messages_and_tools_count_in_the_window() -> None:
    found = origins()
    place = found.place(span("messages[1].content", (1, 3)))
    assert place == Place("message", 2, "content", (1, 3))
    assert str(place) == "message 3 · content, characters 2–3"
    assert found.value(place) == ("messages[1].content", (1, 3))
    assert found.place(span("tools[0].name", (0, 2))) == Place("tool", 1, "name", (0, 2))
    assert found.value(Place("message", 1, "content", (0, 1))) is None


def test_the_template_s_own_text_and_variables() -> None:
    assert origins().place(span(None)) is None
    found = origins().place(span("bos_token", (0, 5)))
    assert found == Place("variable", None, "bos_token", (0, 5))
    assert str(found) == "variable bos_token, characters 1–5"
    assert origins().place(span("tools")) == Place("request", None, "tools")


def test_a_raw_text_is_a_place_of_its_own() -> None:
    talk = replace(TALK, raw_text="all of it")
    place = origins(talk).place(span("messages", (4, 6)))
    assert place == Place("raw_text", None, "", (4, 6))
    assert origins(talk).value(place) == ("messages", (4, 6))
    assert str(place) == "raw text, characters 5–6"


def test_text_that_a_step_put_before_is_no_part_of_the_document() -> None:
    stepped = replace(TALK, messages=enforce_locale(TALK.messages, "English!").messages)
    found = origins(TALK, stepped)
    assert found.place(span("messages[0].content", (10, 19))) == Place("message", 0, "content", (0, 9))
    assert found.place(span("messages[0].content", (0, 13))) == Place("message", 0, "content", (0, 3))
    added = found.place(span("messages[0].content", (0, 8)))
    assert added == Place("request", None, "messages[0].content", (0, 8))
    assert str(added) == "added before rendering: messages[1].content, characters 1–8"
    assert found.value(Place("message", 0, "content", (0, 9))) == ("messages[0].content", (10, 19))


def test_a_span_is_parted_where_the_document_s_own_text_begins() -> None:
    stepped = replace(TALK, messages=enforce_locale(TALK.messages, "English!").messages)
    found = origins(TALK, stepped)
    whole = OwnedSpan(100, 119, Owner(3, 1, (), "messages[0].content", (0, 19)))
    assert found.part(whole, 103) == OwnedSpan(100, 110, Owner(3, 1, (), "messages[0].content", (0, 10)))
    assert found.part(whole, 110) == OwnedSpan(110, 119, Owner(3, 1, (), "messages[0].content", (10, 19)))
    for other in (OwnedSpan(0, 4, Owner(1)), OwnedSpan(0, 5, Owner(1, path="bos_token", at=(0, 5)))):
        assert found.part(other, 1) == other


def test_a_part_that_a_step_put_before() -> None:
    talk = Conversation((message("user", [{"type": "text", "text": "one"}]),))
    found = origins(talk, replace(talk, messages=enforce_locale(talk.messages, "English!").messages))
    own = Place("message", 0, "content[0].text", (0, 3))
    assert found.place(span("messages[0].content[1].text", (0, 3))) == own
    assert found.value(own) == ("messages[0].content[1].text", (0, 3))
    added = found.place(span("messages[0].content[0].text", (0, 8)))
    assert added is not None
    assert added.kind == "request"


def test_a_profile_that_adds_a_message_leaves_the_others_known() -> None:
    given: list[JsonValue] = [{"role": "system", "content": "New."}, {"role": "user", "content": "Hello"}]
    talk = Conversation((message("user", "Hello"),))
    found = origins(talk, None, given)
    assert found.place(span("messages[1].content", (0, 5))) == Place("message", 0, "content", (0, 5))
    new = found.place(span("messages[0].content", (0, 4)))
    assert found.value(Place("message", 0, "content")) == ("messages[1].content", None)
    assert new is not None
    assert new.kind == "request"


def test_a_profile_that_changes_a_text_leaves_the_field_known() -> None:
    talk = Conversation((message("user", "Hello"),))
    found = origins(talk, None, [{"role": "user", "content": "HELLO"}])
    assert found.place(span("messages[0].content", (0, 5))) == Place("message", 0, "content", None)
    assert str(Place("message", 0, "content")) == "message 1 · content"


def test_a_text_that_a_profile_made_a_part_of() -> None:
    talk = Conversation((message("user", "Hello"),))
    found = origins(talk, None, [{"role": "user", "content": [{"type": "text", "text": "Hello"}]}])
    own = Place("message", 0, "content", (1, 3))
    assert found.place(span("messages[0].content[0].text", (1, 3))) == own
    assert found.value(own) == ("messages[0].content[0].text", (1, 3))


def test_parts_that_a_profile_made_one_text_of() -> None:
    parts: list[JsonValue] = [
        {"type": "text", "text": "one"},
        {"type": "image", "url": "x"},
        "two",
        {"type": "text", "text": "one"},
    ]
    talk = Conversation((message("user", parts), message("user", "more")))
    given: list[JsonValue] = [{"role": "system", "content": "New."}, {"role": "user", "content": "one\ntwo\none"}]
    found = origins(talk, None, [given[1], {"role": "user", "content": "more"}])
    assert found.place(span("messages[0].content", (0, 3))) == Place("message", 0, "content[0].text", (0, 3))
    assert found.place(span("messages[0].content", (4, 6))) == Place("message", 0, "content[2]", (0, 2))
    assert found.place(span("messages[0].content", (8, 11))) == Place("message", 0, "content[3].text", (0, 3))
    assert found.value(Place("message", 0, "content[3].text")) == ("messages[0].content", (8, 11))
    between = found.place(span("messages[0].content", (3, 4)))
    assert between is not None
    assert between.kind == "request"


def test_a_part_that_is_no_text_keeps_its_place() -> None:
    talk = Conversation((message("user", [{"type": "image", "url": "x"}]),))
    assert origins(talk).place(span("messages[0].content[0].url", (0, 1))) == Place(
        "message", 0, "content[0].url", None
    )


def test_words_count_from_one() -> None:
    assert str(Place("message", 1, "tool_calls[0].function.name", (0, 1))) == (
        "message 2 · tool_calls[1].function.name, character 1"
    )
    assert str(Place("document", 0)) == "document 1"


def test_values_by_their_way() -> None:
    data: JsonValue = {"a": [{"b c": 1}], "d": None}
    assert value_at(data, 'a[0]["b c"]') == 1
    assert value_at(data, "a[1].x") is None
    assert value_at(data, "") == data
    assert value_at(dict(Message({"content": "x"}).data), "content") == "x"


def test_a_picture_behind_a_part_that_a_step_put_in() -> None:
    talk = Conversation((message("user", [{"type": "image", "url": "x"}]),))
    found = origins(talk, replace(talk, messages=enforce_locale(talk.messages, "English!").messages))
    assert found.place(span("messages[0].content[1].url", (0, 1))) == Place("message", 0, "content[0].url", None)


def test_a_text_with_something_of_a_profile_s_around_it() -> None:
    talk = Conversation((message("user", "Hello"),))
    found = origins(talk, None, [{"role": "user", "content": "<Hello>"}])
    assert found.place(span("messages[0].content", (0, 4))) == Place("message", 0, "content", (0, 3))
    assert found.value(Place("message", 0, "content")) == ("messages[0].content", (1, 6))


@PATIENT
@given(st.lists(st.integers(0, 99) | st.text("ab_ 1.-", min_size=1, max_size=5), max_size=5))
def test_ways_are_taken_apart_and_put_together(steps: list[str | int]) -> None:
    assert steps_of(way_of(steps)) == tuple(steps)
