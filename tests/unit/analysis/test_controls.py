"""What each control does, on the built-in templates, through the real engine."""

import json
from collections.abc import Sequence

import pytest

from thinkpane.analysis.controls import controls, tag_effects, tier_effects, variable_effects
from thinkpane.analysis.trials import probe_request
from thinkpane.engine.host import Engine
from thinkpane.engine.request import Rendered, RenderRequest
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates import built_in
from thinkpane.templates.template import Template, TierCandidate, VariableCandidate


def effects(engine: Engine, template: Template, text: str, **variables: JsonValue) -> dict[str, tuple[str, str]]:
    request = RenderRequest(
        template.source, [{"role": "user", "content": text}], variables={**template.variables, **variables}
    )
    return {each.name: (each.effect, each.detail) for each in variable_effects(template, request, engine.render_many)}


@pytest.mark.parametrize(
    ("id", "text", "variables", "name", "effect", "detail"),
    [
        ("protium-1.0", "hi", {}, "thinking_level", "none", "read, but never has an effect"),
        (
            "protium-1.0",
            "hi",
            {"reasoning_effort": "max"},
            "reasoning_effort",
            "falls-through",
            "falls through to L10 Proteus",
        ),
        (
            "protium-1.0",
            "[L3] hi",
            {"reasoning_effort": "max"},
            "reasoning_effort",
            "overruled",
            "overruled by [L3] in message 1",
        ),
        ("protium-1.0", "[L3] hi", {}, "reasoning_effort", "overruled", "overruled by [L3] in message 1"),
        (
            "protium-1.0",
            "[L3] [L5]",
            {"reasoning_effort": "2"},
            "reasoning_effort",
            "overruled",
            "overruled by the tags in the messages",
        ),
        (
            "protium-1.0",
            "hi",
            {"regular": True, "reasoning_effort": "3"},
            "reasoning_effort",
            "overruled",
            "overruled by regular = true",
        ),
        ("protium-1.0", "hi", {"mode": "swarm"}, "mode", "none", "this value has no effect"),
        (
            "protium-1.0",
            "hi",
            {"enable_thinking": False},
            "enable_thinking",
            "changes",
            "+8 characters against leaving it out",
        ),
        (
            "protium-1.0",
            "hi",
            {},
            "clear_thinking",
            "none",
            "no effect here; it has one in a conversation with earlier thinking",
        ),
        ("protium-1.0", "hi", {"foo": 1}, "foo", "not-read", "this template does not read it"),
        ("glm-5.2", "hi", {"reasoning_effort": "low"}, "reasoning_effort", "falls-through", "falls through to Max"),
        (
            "glm-5.2",
            "hi",
            {"reasoning_effort": "high"},
            "reasoning_effort",
            "changes",
            "+4 −3 characters against leaving it out",
        ),
        (
            "glm-5.2",
            "hi",
            {"enable_thinking": False},
            "reasoning_effort",
            "overruled",
            "overruled by enable_thinking = false",
        ),
        ("glm-5.2", "hi", {"thinking": False}, "thinking", "not-read", "this template does not read it"),
        (
            "command-r7b",
            "hi",
            {},
            "enable_citations",
            "none",
            "no effect here; it has one in a conversation with documents",
        ),
        ("memreader", "hi", {}, "enable_thinking", "changes", "false: +19 characters"),
    ],
)
def test_effects(
    engine: Engine, id: str, text: str, variables: dict[str, JsonValue], name: str, effect: str, detail: str
) -> None:
    assert effects(engine, built_in.load(id), text, **variables)[name] == (effect, detail)


def test_an_unknown_value_of_a_variable_without_tiers_falls_through(engine: Engine) -> None:
    template = Template(
        "x",
        "{% if style == 'short' %}Be short.{% else %}Be long.{% endif %}",
        candidates=(VariableCandidate("style", "choice", values=("short", "long")),),
    )
    assert effects(engine, template, "hi", style="tiny")["style"] == (
        "falls-through",
        "falls through: no value this template knows",
    )


def test_free_text_is_told_without_naming_a_value(engine: Engine) -> None:
    assert effects(engine, built_in.load("llama-3"), "hi")["date_string"] == ("changes", "some text: +71 characters")


def test_a_failing_conversation_gives_the_effects_on_one_question(engine: Engine) -> None:
    template = built_in.load("memreader")
    request = RenderRequest(
        template.source, [{"role": "user", "content": None}], variables={"extract_chat_memory": True}
    )
    found = {each.name: each.effect for each in variable_effects(template, request, engine.render_many)}
    assert found["enable_thinking"] == "changes"


def test_protiums_values_make_thirteen_tiers(engine: Engine) -> None:
    template = built_in.load("protium-1.0")
    found = tier_effects(
        template, probe_request(RenderRequest(template.source, []), "one question", {}), engine.render_many
    )
    assert [each.label for each in found] == [tier.label for tier in template.tiers]
    assert [each.values for each in found] == [(tier.variables["reasoning_effort"],) for tier in template.tiers]
    assert [each.opens_thinking for each in found] == [False] + [True] * 12
    assert found[0].sample_effect == "the others are measured against it"
    assert found[3].sample_effect.endswith("against L0 Off")


def test_tiers_that_give_one_prompt_are_one(engine: Engine) -> None:
    template = Template(
        "x",
        "{{ 'High' if effort == 'high' else 'Max' }}",
        tiers=tuple(TierCandidate(name, name, {"effort": name}) for name in ("low", "high", "max")),
        candidates=(VariableCandidate("effort", "choice", values=("high", "max", "none")),),
    )
    found = tier_effects(template, RenderRequest(template.source, []), engine.render_many)
    assert [(each.label, each.tiers, each.values) for each in found] == [
        ("low / max", (0, 2), ("low", "max", "none")),
        ("high", (1,), ("high",)),
    ]


def test_every_declared_tag_proves_itself(engine: Engine) -> None:
    template = built_in.load("protium-1.0")
    request = RenderRequest(template.source, [], variables={"reasoning_effort": "3"})
    found = {each.tag.tag: each for each in tag_effects(template, request, engine.render_many)}
    assert len(found) == len(template.tags)
    assert {each.effect for each in found.values()} == {"changes"}
    assert [tag for tag, each in found.items() if not each.stays] == ["[regular]"]
    assert found["[regular]"].detail.endswith("taken out of the prompt")


@pytest.mark.parametrize("id", built_in.ids())
def test_the_controls_of_every_built_in_template(engine: Engine, id: str) -> None:
    template = built_in.load(id)
    found = controls(template, engine.render_many)
    assert found.problem is None
    assert {each.name for each in found.variables} >= {each.name for each in template.candidates}
    assert {each.effect for each in found.variables} <= {"changes", "none"}, "nothing is set, so nothing is overruled"
    written = json.loads(json.dumps(found.as_json()))
    assert list(written) == ["variables", "tags", "tiers", "thinking"]
    assert written["thinking"]["opened_by_prompt"] is (id in ("protium-1.0", "glm-5.2"))


def test_a_template_that_never_ends_is_found_out_with_one_render() -> None:
    engine = Engine(deadline=0.5)
    sizes: list[int] = []

    def counted(requests: Sequence[RenderRequest]) -> list[Rendered]:
        sizes.append(len(requests))
        return engine.render_many(requests)

    loops = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
    try:
        found = controls(Template("x", loops), counted)
    finally:
        engine.close()
    assert found.problem is not None
    assert found.problem.kind == "timeout"
    assert sizes == [1]
