"""Who set a variable, and what its effect is held against where the body's chat_template_kwargs says another value."""

import pytest

from support.discovered import discovered
from thinkpane.analysis.controls import variables_of
from thinkpane.analysis.in_force import in_force
from thinkpane.analysis.setters import Setters, setters_of
from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonValue

TALK: list[JsonValue] = [{"role": "user", "content": "hi"}]


def told(engine: Engine, id: str, chosen: dict[str, JsonValue], body: dict[str, JsonValue]) -> tuple[list[str], str]:
    """The reasons that are given, and what the variable enable_thinking is said to do."""
    found = discovered(engine, id)
    template = found.template
    request = RenderRequest(template.source, TALK, variables={**template.variables, **body, **chosen})
    setters = setters_of(request.variables, template.variables, chosen, body)
    reasons = in_force(template, request, engine.render_many, setters=setters).reasons
    effects = {each.name: each.detail for each in variables_of(found, request, engine.render_many, setters=setters)}
    return [each.text for each in reasons], effects["enable_thinking"]


def test_everybody_who_sets_is_told_apart() -> None:
    variables: dict[str, JsonValue] = {"bos": "<s>", "a": 1, "b": 2, "c": 3, "d": 4}
    found = setters_of(variables, {"bos": "<s>"}, {"a": 1, "b": 2}, {"b": 20, "c": 3})
    assert found == Setters(frozenset({"d"}), frozenset({"c"}), {"b": 20})
    assert found.less(variables, "a", "b", "c") == {"bos": "<s>", "b": 20, "d": 4}
    assert found.less({"a": 1}, "b") == {"a": 1}


@pytest.mark.parametrize(
    ("chosen", "body", "reason", "effect"),
    [
        (
            {"enable_thinking": True},
            {"enable_thinking": False},
            "enable_thinking = true (the picker) is in force: Thinking.",
            "−19 characters against the body's false",
        ),
        (
            {},
            {"enable_thinking": False},
            "enable_thinking = false (the body's chat_template_kwargs) is in force: No thinking.",
            "+19 characters against leaving it out",
        ),
        (
            {"enable_thinking": False},
            {"enable_thinking": False},
            "enable_thinking = false (the picker) is what the body's chat_template_kwargs gives already.",
            "the body's chat_template_kwargs says the same",
        ),
        (
            {"enable_thinking": True},
            {},
            "enable_thinking = true (the picker) is what this template does anyway.",
            "this value has no effect",
        ),
        (
            {},
            {"enable_thinking": True},
            "enable_thinking = true (the body's chat_template_kwargs) is what this template does anyway.",
            "this value has no effect",
        ),
    ],
)
def test_a_choice_is_held_against_what_the_body_says(
    engine: Engine, chosen: dict[str, JsonValue], body: dict[str, JsonValue], reason: str, effect: str
) -> None:
    assert told(engine, "chatml", chosen, body) == ([reason], effect)


def test_a_choice_that_another_one_overrules_is_none_against_the_body(engine: Engine) -> None:
    chosen: dict[str, JsonValue] = {"enable_thinking": True, "regular": True}
    reasons, effect = told(engine, "protium-1.0", chosen, {"enable_thinking": False})
    assert "enable_thinking = true has no effect: regular = true overrules it." in reasons
    assert effect == "overruled by regular = true"


def test_a_choice_beside_one_of_the_body_names_both(engine: Engine) -> None:
    reasons, effect = told(engine, "glm-5.2", {"enable_thinking": False}, {"reasoning_effort": "high"})
    who = "the picker and the body's chat_template_kwargs"
    assert reasons[0] == f"reasoning_effort = “high” and enable_thinking = false ({who}) is in force: Off."
    assert effect.endswith("characters against leaving it out")
