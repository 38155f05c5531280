"""Conversations rendered for the lines they execute: faults stay with their conversation."""

from collections.abc import Callable

import pytest

from thinkpane.analysis.covering import Talk, cover
from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject

SOURCE = """{% for m in messages %}
{% if m.role == 'user' %}
[{{ m.content }}]
{% elif m.role == 'tool' %}
{{ raise_exception('no tools') }}
{% else %}
-
{% endif %}
{% endfor %}
{% if tools %}
tools
{% endif %}
"""


def talk(name: str, *roles: str) -> Talk:
    return Talk(name, RenderRequest("another text", [{"role": role, "content": "x"} for role in roles]))


@pytest.fixture
def ask(engine: Engine) -> Callable[[str, JsonObject], JsonObject]:
    return engine.job


def test_every_conversation_is_rendered_with_the_same_text(ask: Callable[[str, JsonObject], JsonObject]) -> None:
    found = cover(SOURCE, [talk("users", "user"), talk("both", "user", "assistant")], ask)
    assert found.words == "2 of 7 lines never ran, over 2 conversations"
    assert found.dead == ((5, 5), (11, 11))
    assert found.some == {7}


def test_a_bad_one_is_a_sentence_and_the_rest_goes_on(ask: Callable[[str, JsonObject], JsonObject]) -> None:
    talks = [Talk("gone", Problem("file", "There is no file.")), talk("refused", "tool"), talk("users", "user")]
    found = cover(SOURCE, talks, ask)
    assert [each.lines is None for each in found.ran] == [True, False, False]
    assert found.ran[0].problem == "There is no file."
    assert "no tools" in found.ran[1].problem
    assert found.dead == ((7, 7), (11, 11)), "the lines before the refusal ran"


def test_a_time_out_is_the_conversation_s_own(ask: Callable[[str, JsonObject], JsonObject]) -> None:
    def slow(name: str, payload: JsonObject) -> JsonObject:
        if name == "lines" and len(str(payload["messages"])) > 200:
            raise ThinkpaneError(Problem("timeout", "It ran too long."))
        return ask(name, payload)

    found = cover(SOURCE, [talk("long", *["user"] * 10), talk("users", "user")], slow)
    assert [(each.name, each.problem) for each in found.ran] == [("long", "It ran too long."), ("users", "")]
    assert found.words.endswith("over 1 conversation")


def test_who_no_longer_waits_is_told_nothing(ask: Callable[[str, JsonObject], JsonObject]) -> None:
    def cancelled(name: str, payload: JsonObject) -> JsonObject:
        if name == "lines":
            raise ThinkpaneError(Problem("cancelled", "A newer one took its place."))
        return ask(name, payload)

    with pytest.raises(ThinkpaneError, match="newer"):
        cover(SOURCE, [talk("users", "user")], cancelled)
    with pytest.raises(ThinkpaneError):
        cover("{% if %}", [talk("users", "user")], ask)
