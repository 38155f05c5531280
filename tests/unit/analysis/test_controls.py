"""What each control does, on the built-in templates, through the real engine."""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from support.discovered import discovered, facts_of, undeclared
from thinkpane.analysis.controls import controls, variables_of
from thinkpane.analysis.discovery import discover, discovery_key
from thinkpane.analysis.rendering import analyse
from thinkpane.analysis.tag_effects import tag_effects_analysis
from thinkpane.analysis.tier_effects import tier_effects_analysis
from thinkpane.engine.host import Engine
from thinkpane.engine.request import Rendered, RenderRequest
from thinkpane.engine.template_facts import TemplateFacts
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates import built_in
from thinkpane.templates.template import Template, TierCandidate, VariableCandidate


def effects(engine: Engine, template: Template, text: str, **variables: JsonValue) -> dict[str, tuple[str, str]]:
    request = RenderRequest(
        template.source, [{"role": "user", "content": text}], variables={**template.variables, **variables}
    )
    found = discover(template, facts_of(engine, template.source), engine.render_many)
    return {each.name: (each.effect, each.detail) for each in variables_of(found, request, engine.render_many)}


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


def test_an_unknown_value_falls_through_to_the_tier_it_gives(engine: Engine) -> None:
    template = Template(
        "x",
        "{% if style == 'short' %}Be short.{% else %}Be long.{% endif %}",
        candidates=(VariableCandidate("style", "choice", values=("short", "long")),),
    )
    assert effects(engine, template, "hi", style="tiny")["style"] == (
        "falls-through",
        "falls through to long",
    )


def test_free_text_is_told_without_naming_a_value(engine: Engine) -> None:
    assert effects(engine, built_in.load("llama-3"), "hi")["date_string"] == ("changes", "some text: +71 characters")


def test_a_failing_conversation_gives_the_effects_on_one_question(engine: Engine) -> None:
    template = built_in.load("memreader")
    request = RenderRequest(
        template.source, [{"role": "user", "content": None}], variables={"extract_chat_memory": True}
    )
    found = {
        each.name: each.effect for each in variables_of(discovered(engine, "memreader"), request, engine.render_many)
    }
    assert found["enable_thinking"] == "changes"


def test_protiums_values_make_thirteen_tiers(engine: Engine) -> None:
    found = discovered(engine, "protium-1.0").tiers
    tiers = built_in.load("protium-1.0").tiers
    assert [each.label for each in found] == [tier.label for tier in tiers]
    assert [each.values[0] for each in found] == [tier.variables["reasoning_effort"] for tier in tiers]
    assert sum(len(each.values) for each in found) == 75
    assert [each.label for each in found if each.others] == ["L10 Proteus"]
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
    request = RenderRequest(template.source, [{"role": "user", "content": "hi"}])
    found = analyse(engine.render_many, tier_effects_analysis(template, request))
    assert [(each.label, each.tiers, each.values, each.others) for each in found] == [
        ("low / max", (0, 2), ("low", "max", "none"), True),
        ("high", (1,), ("high",), False),
    ]


def test_every_declared_tag_proves_itself(engine: Engine) -> None:
    template = built_in.load("protium-1.0")
    request = RenderRequest(template.source, [], variables={"reasoning_effort": "3"})
    found = {each.tag.tag: each for each in analyse(engine.render_many, tag_effects_analysis(template, request))}
    assert len(found) == len(template.tags)
    assert {each.effect for each in found.values()} == {"changes"}
    assert [tag for tag, each in found.items() if not each.stays] == ["[regular]"]
    assert found["[regular]"].detail.endswith("taken out of the prompt")


@pytest.mark.parametrize("id", built_in.ids())
def test_the_controls_of_every_built_in_template(engine: Engine, id: str) -> None:
    template = built_in.load(id)
    found = controls(template, facts_of(engine, template.source), engine.render_many)
    assert found.problem is None
    assert {each.name for each in found.variables} >= {each.name for each in template.candidates}
    silent = [each.name for each in found.variables if each.effect != "changes"]
    assert silent == (["thinking_level"] if id == "protium-1.0" else [])
    written = json.loads(json.dumps(found.as_json()))
    assert list(written) == ["variables", "tags", "tiers", "thinking"]
    assert written["thinking"]["opened_by_prompt"] is (id in ("protium-1.0", "glm-5.2"))


# What template-tools.md 3.1 lists for each seed: names with their defaults and how many values there are.
SEEDS: dict[str, dict[str, tuple[JsonValue, int]]] = {
    "protium-1.0": {
        "regular": (False, 2),
        "mode": (None, 5),
        "reasoning_effort": ("", 75),
        "enable_thinking": (True, 2),
        "thinking_level": ("10", 75),
        "clear_thinking": (False, 2),
    },
    "glm-5.2": {"reasoning_effort": ("max", 2), "enable_thinking": (True, 2), "clear_thinking": (True, 2)},
    "memreader": {"extract_chat_memory": (False, 2), "extract_doc_memory": (False, 2), "enable_thinking": (True, 2)},
    "command-r7b": {"enable_citations": (False, 2), "documents": (None, 0)},
}
PROTIUM_TIERS = ["0", "10", *(str(number) for number in range(1, 10)), "swarm", "deep-swarm"]
TIERS: dict[str, list[tuple[str, tuple[JsonValue, ...], bool]]] = {
    "glm-5.2": [("high", ("high",), False), ("max", ("max",), True), ("No thinking", (), False)],
    "memreader": [("Thinking", (True,), False), ("No thinking", (False,), False)],
    "command-r7b": [],
}


@pytest.mark.parametrize("id", SEEDS)
def test_all_controls_of_the_seeds_are_found_without_a_word_of_template_toml(engine: Engine, id: str) -> None:
    template = undeclared(built_in.load(id))
    found = controls(template, facts_of(engine, template.source), engine.render_many)
    assert {each.name: (each.default, len(each.values)) for each in found.variables} == SEEDS[id]
    assert [each.name for each in found.variables if each.effect == "none"] == (
        ["thinking_level"] if id == "protium-1.0" else []
    )
    if id in TIERS:
        assert [(each.label, each.values, each.others) for each in found.tiers] == TIERS[id]
        assert found.tags == ()


def test_protiums_tiers_and_tags_are_found_without_a_word_of_template_toml(engine: Engine) -> None:
    found = discovered(engine, "protium-1.0", bare=True)
    assert [each.label for each in found.tiers] == PROTIUM_TIERS
    assert [len(each.values) for each in found.tiers] == [13, 6, 6, 5, 5, 5, 5, 5, 5, 5, 6, 4, 5]
    assert [each.label for each in found.tiers if each.others] == ["10"]
    assert {each.tag.tag for each in found.tags} == {
        *("[regular]", "[REGULAR]", "[vanilla]", "[standard]", "[default]", "{REASON:…}", "[MODE:…]"),
        *(f"[l{number}]" for number in range(11)),
    }
    assert {each.roles for each in found.tags} == {("user", "system")}
    assert {each.tag.tag for each in found.tags if not each.stays} == {
        *("[regular]", "[REGULAR]", "[vanilla]", "[standard]", "[default]")
    }


def test_a_tag_that_only_answers_are_searched_for_is_none(engine: Engine) -> None:
    assert [each.tag for each in discovered(engine, "glm-5.2").template.tags] == []


def test_a_tag_of_the_system_message_says_where_it_works(engine: Engine) -> None:
    source = (
        "{% set on = not '/no_think' in messages[0].content or messages[0].role != 'system' %}"
        "{% for m in messages %}{% if m.role == 'system' %}{{ m.content.replace('/no_think', '') }}"
        "{% else %}{{ m.content }}{% endif %}{% endfor %}"
        "{{ 'mode: /think' if on else 'mode: /no_think' }}"
    )
    found = discover(Template("x", source), facts_of(engine, source), engine.render_many)
    (tag,) = found.tags
    assert (tag.tag.tag, tag.roles, tag.tag.where, tag.stays) == ("/no_think", ("system",), "system messages", False)


def test_effects_elsewhere_count_for_a_template_but_not_for_a_conversation(engine: Engine) -> None:
    template = built_in.load("command-r7b")
    found = controls(template, facts_of(engine, template.source), engine.render_many).variables
    assert [(each.name, each.effect, each.detail) for each in found] == [
        ("enable_citations", "changes", "true: +672 characters in a conversation with documents"),
        ("documents", "changes", "1 document: +6953 −14 characters"),
    ]


def test_a_variable_that_only_counts_beside_another_is_not_called_dead(engine: Engine) -> None:
    source = "{% if a is defined and a and b is defined and b == 'x' %}yes{% endif %}{{ 'no' if c and false }}"
    found = controls(Template("x", source), facts_of(engine, source), engine.render_many)
    assert {each.name: (each.effect, each.detail) for each in found.variables} == {
        "a": ("changes", "true: +3 characters in a single question with b = “x”"),
        "b": ("changes", "“x”: +3 characters in a single question with a = true"),
        "c": ("none", "read, but never has an effect"),
    }


def test_documents_that_are_given_are_measured_against_none(engine: Engine) -> None:
    found = discovered(engine, "command-r7b")
    request = RenderRequest(
        found.template.source,
        [{"role": "user", "content": "hi"}],
        documents=[{"text": "a"}, {"text": "b"}],
        variables=found.template.variables,
    )
    documents = variables_of(found, request, engine.render_many)[-1]
    assert (documents.name, documents.set, documents.effect) == ("documents", True, "changes")
    assert documents.detail.endswith("characters against none")


@pytest.mark.parametrize(
    ("source", "name", "detail"),
    [
        ("{% for e in x %}{{ e.name }}{% endfor %}", "x", "a list: +6 characters"),
        ("{% if x %}{{ x.name }}{% endif %}", "x", "an object: +6 characters"),
        (
            "{% if x is mapping %}{{ x.name }}{% if x == 'a' %}A{% elif x == 'b' %}BB{% endif %}{% endif %}",
            "x",
            "an object: +6 characters",
        ),
        ("{% if x is defined and x > 5 %}much{% endif %}", "x", "1000: +4 characters"),
        ("{% if x == 'a' %}A{% endif %}", "x", "“a”: +1 character"),
    ],
)
def test_values_fit_the_shape_that_is_read(engine: Engine, source: str, name: str, detail: str) -> None:
    assert effects(engine, Template("x", source), "hi")[name] == ("changes", detail)


def test_a_template_that_never_ends_is_found_out_with_one_render() -> None:
    engine = Engine(deadline=0.5)
    sizes: list[int] = []

    def counted(requests: Sequence[RenderRequest]) -> list[Rendered]:
        sizes.append(len(requests))
        return engine.render_many(requests)

    loops = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
    try:
        found = controls(Template("x", loops), TemplateFacts(), counted)
    finally:
        engine.close()
    assert found.problem is not None
    assert found.problem.kind == "timeout"
    assert sizes == [1]


def test_other_declared_tiers_are_discovered_anew(engine: Engine) -> None:
    template = built_in.load("protium-1.0")
    facts = facts_of(engine, template.source)
    request = RenderRequest(template.source, [], variables=template.variables)
    fewer = replace(template, tiers=template.tiers[:2])
    assert discovery_key(template, facts, request) == discovery_key(replace(template), facts, request)
    assert discovery_key(template, facts, request) != discovery_key(fewer, facts, request)


def test_documents_that_are_read_beside_tools_only_have_their_effect(engine: Engine) -> None:
    source = "{% if tools %}{% for d in documents or [] %}{{ d.title }}{% endfor %}{% endif %}{{ messages[0].content }}"
    found = effects(engine, Template("", source), "hi")
    assert found["documents"] == ("none", "no effect here; it has one in a conversation with tools and documents")


def test_documents_that_make_the_template_fail_say_so(engine: Engine) -> None:
    source = "{{ messages[0].content }}{% for d in documents or [] %}{{ raise_exception('no tool') }}{% endfor %}"
    effect, detail = effects(engine, Template("", source), "hi")["documents"]
    assert effect == "changes"
    assert "no tool" in detail


def test_a_variable_that_shows_in_the_field_reasoning_only_is_found(engine: Engine) -> None:
    source = (
        "{% for m in messages %}{% if keep and m.reasoning %}{{ m.reasoning }}{% endif %}{{ m.content }}{% endfor %}"
    )
    effect, detail = effects(engine, Template("", source), "hi")["keep"]
    assert "never" not in detail, (effect, detail)
