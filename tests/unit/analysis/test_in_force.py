"""Which tier is in force, on the seed templates, through the real engine: every quirk of their control tags."""

from collections.abc import Sequence

import pytest

from support.discovered import discovered
from thinkpane.analysis.in_force import InForce, in_force
from thinkpane.analysis.setters import Setters
from thinkpane.engine.host import Engine
from thinkpane.engine.request import Rendered, RenderRequest
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates import built_in

Messages = list[tuple[str, JsonValue]]


def found(engine: Engine, id: str, messages: Messages | str, **variables: JsonValue) -> InForce:
    template = discovered(engine, id).template
    pairs: Messages = [("user", messages)] if isinstance(messages, str) else messages
    objects: list[JsonValue] = [{"role": role, "content": content} for role, content in pairs]
    request = RenderRequest(template.source, objects, variables={**template.variables, **variables})
    return in_force(template, request, engine.render_many)


def said(result: InForce) -> list[str]:
    return [("+ " if reason.won else "- ") + reason.text for reason in result.reasons]


L0_THEN_L5: Messages = [("user", "[L0] hi"), ("assistant", "ok"), ("user", "[L5] go")]
REGULAR = "no tier, as with regular = true"

PROTIUM: list[tuple[Messages | str, dict[str, JsonValue], str, list[str]]] = [
    ("hi", {}, "L10 Proteus", ["+ Nothing asks for a tier, and then this template takes L10 Proteus."]),
    ("hi", {"reasoning_effort": "3"}, "L3 Artemis", ["+ reasoning_effort = 3 (the picker) is in force: L3 Artemis."]),
    (
        "hi",
        {"reasoning_effort": "default"},
        "L0 Off",
        [
            "+ reasoning_effort = “default” (the picker) is in force: L0 Off.",
            "- reasoning_effort = “default” means L0 Off in this template.",
        ],
    ),
    (
        "hi",
        {"reasoning_effort": None},
        "L0 Off",
        [
            "+ reasoning_effort = null (the picker) is in force: L0 Off.",
            "- reasoning_effort = null means L0 Off in this template.",
        ],
    ),
    (
        "hi",
        {"reasoning_effort": "max"},
        "L10 Proteus",
        [
            "+ reasoning_effort = “max” (the picker) is what this template does anyway.",
            "- reasoning_effort = “max” is no value this template knows: it falls through to L10 Proteus.",
        ],
    ),
    (
        [("user", "hi"), ("user", "[L3] go")],
        {"reasoning_effort": "low"},
        "L3 Artemis",
        [
            "+ [L3] in message 2 beats the picker (“low”): L3 Artemis.",
            "- reasoning_effort = “low” means L2 Apollo in this template.",
        ],
    ),
    (
        "[l3] hi",
        {"reasoning_effort": "3"},
        "L3 Artemis",
        [
            "+ reasoning_effort = 3 (the picker) is in force: L3 Artemis.",
            "- [l3] in message 1 asks for what is in force anyway.",
        ],
    ),
    (
        L0_THEN_L5,
        {},
        "L5 Prometheus with enable_thinking = false",
        [
            "+ [L0] in message 1 keeps thinking off for good.",
            "+ [L5] in message 3 is in force: L5 Prometheus with enable_thinking = false.",
        ],
    ),
    (
        "{REASON:swarm} [MODE:low] go",
        {},
        "Swarm",
        [
            "+ {REASON:swarm} in message 1 is in force: Swarm.",
            "- [MODE:low] in message 1 loses to {REASON:swarm} in message 1.",
        ],
    ),
    (
        "[L7] and [L3]",
        {},
        "L7 Hyperion",
        ["+ [L7] in message 1 is in force: L7 Hyperion.", "- [L3] in message 1 loses to [L7] in message 1."],
    ),
    (
        [("user", "[L7]"), ("assistant", "x"), ("user", "[L2]")],
        {},
        "L2 Apollo",
        ["+ [L2] in message 3 is in force: L2 Apollo.", "- [L7] in message 1 loses to [L2] in message 3."],
    ),
    (
        [("user", "x"), ("assistant", "[L2] is a tag"), ("user", "hi")],
        {},
        "L2 Apollo",
        ["+ [L2] in message 2 (assistant) is in force: L2 Apollo."],
    ),
    (
        [("user", "x"), ("tool", "[default]\na=1"), ("user", "hi")],
        {"reasoning_effort": "4"},
        REGULAR,
        [f"+ [default] in message 2 (tool) beats the picker (4): {REGULAR}."],
    ),
    (
        [("user", "x"), ("tool", "a[l1] + b[l0]"), ("user", "hi")],
        {},
        "L1 Hermes with enable_thinking = false",
        [
            "+ [l1] in message 2 (tool) is in force: L1 Hermes with enable_thinking = false.",
            "+ [l0] in message 2 (tool) keeps thinking off.",
        ],
    ),
    (
        [("system", "[vanilla]"), ("user", "x")],
        {},
        REGULAR,
        [f"+ [vanilla] in message 1 (system) is in force: {REGULAR}."],
    ),
    ([("assistant", "[regular] hello"), ("user", "x")], {}, REGULAR, []),
    ("[REGULAR] hi", {}, REGULAR, []),
    (
        "[Regular] hi",
        {},
        "L10 Proteus",
        [
            "+ Nothing asks for a tier, and then this template takes L10 Proteus.",
            "- [Regular] in message 1 has no effect: this template does not read it there.",
        ],
    ),
    ("[MODE:regular] hi", {}, "L0 Off", ["+ [MODE:regular] in message 1 is in force: L0 Off."]),
    ("{REASON:instant} x", {}, "L10 Proteus with enable_thinking = false", []),
    ("{REASON:ilow} x", {}, "L2 Apollo with enable_thinking = false", []),
    ("{REASON:i} x", {}, "L10 Proteus", []),
    (
        "{REASON:low",
        {"reasoning_effort": "7"},
        "L2 Apollo",
        ["+ {REASON:low in message 1 beats the picker (7): L2 Apollo."],
    ),
    (
        [("user", [{"type": "text", "text": "[L3] hi"}])],
        {"reasoning_effort": "2"},
        "L2 Apollo",
        [
            "+ reasoning_effort = 2 (the picker) is in force: L2 Apollo.",
            "- [L3] in message 1 has no effect: this template does not read it there.",
        ],
    ),
    (
        [("user", "[L3]"), ("user", "x [L3]")],
        {"reasoning_effort": "1"},
        "L3 Artemis",
        [
            "+ [L3] in message 2 beats the picker (1): L3 Artemis.",
            "- [L3] in message 1 asks for what is in force anyway.",
        ],
    ),
    (
        "hi",
        {"regular": True, "reasoning_effort": "4"},
        "no tier, by regular = true",
        ["+ regular = true turns thinking off.", "- reasoning_effort = 4 has no effect: regular = true overrules it."],
    ),
    (
        "[L3] hi",
        {"regular": "false"},
        "no tier, by regular = “false”",
        ["+ regular = “false” turns thinking off.", "- [L3] in message 1 loses to regular = “false”."],
    ),
    (
        "hi",
        {"enable_thinking": False, "reasoning_effort": "5"},
        "L5 Prometheus",
        [
            "+ reasoning_effort = 5 (the picker) is in force: L5 Prometheus.",
            "+ enable_thinking = false turns thinking off.",
        ],
    ),
    ("hi", {"thinking_level": "3"}, "L10 Proteus", ["- thinking_level is read but never has an effect."]),
    ("hi", {"mode": "swarm"}, "L10 Proteus", ["- mode = “swarm” never has an effect."]),
    (
        "hi",
        {"clear_thinking": True},
        "L10 Proteus",
        ["- clear_thinking = true changes nothing here, but it does in a conversation with earlier thinking."],
    ),
]


@pytest.mark.parametrize(("messages", "variables", "label", "sentences"), PROTIUM, ids=lambda value: str(value)[:40])
def test_protium(
    engine: Engine, messages: Messages | str, variables: dict[str, JsonValue], label: str, sentences: list[str]
) -> None:
    result = found(engine, "protium-1.0", messages, **variables)
    assert result.label == label
    assert [each for each in sentences if each not in said(result)] == [], said(result)


@pytest.mark.parametrize("tier", range(13))
def test_every_tier_is_found_by_picker_and_by_tag(engine: Engine, tier: int) -> None:
    candidate = built_in.load("protium-1.0").tiers[tier]
    by_picker = found(engine, "protium-1.0", "hi", **candidate.variables)
    by_tag = found(engine, "protium-1.0", f"{candidate.tag} hi", reasoning_effort="0" if tier else "5")
    assert (by_picker.tier, by_picker.label) == (tier, candidate.label)
    assert by_tag.tier == tier


@pytest.mark.parametrize(
    ("variables", "label", "sentence"),
    [
        ({}, "Max", "+ Nothing asks for a tier, and then this template takes Max."),
        ({"reasoning_effort": "high"}, "High", "+ reasoning_effort = “high” (the picker) is in force: High."),
        (
            {"reasoning_effort": "low"},
            "Max",
            "- reasoning_effort = “low” is no value this template knows: it falls through to Max.",
        ),
        ({"enable_thinking": None}, "Off", "- enable_thinking = null means Off in this template."),
        (
            {"enable_thinking": False, "reasoning_effort": "high"},
            "Off",
            "- reasoning_effort = “high” has no effect: enable_thinking = false overrules it.",
        ),
        ({"thinking": False}, "Max", "- thinking = false has no effect: this template does not read thinking."),
    ],
)
def test_glm(engine: Engine, variables: dict[str, JsonValue], label: str, sentence: str) -> None:
    result = found(engine, "glm-5.2", "hi", **variables)
    assert result.label == label
    assert sentence in said(result)


def test_a_whole_tier_as_the_picker_is_named_once(engine: Engine) -> None:
    result = found(engine, "glm-5.2", "hi", reasoning_effort="high", enable_thinking=True)
    assert said(result) == ["+ reasoning_effort = “high” and enable_thinking = true (the picker) is in force: High."]


def test_the_prompts_end_is_told(engine: Engine) -> None:
    assert found(engine, "protium-1.0", "hi").thinking.open
    assert found(engine, "protium-1.0", "[L0] hi").thinking.closed_empty
    assert found(engine, "protium-1.0", L0_THEN_L5).thinking.closed_empty
    regular = found(engine, "protium-1.0", "[regular] hi").thinking
    assert (regular.open, regular.closed_empty) == (False, False)


def test_a_template_without_tiers_speaks_of_variables_only(engine: Engine) -> None:
    result = found(engine, "command-r7b", "hi", enable_citations=True)
    assert (result.tier, result.label) == (None, "")
    assert said(result) == [
        "- enable_citations = true changes nothing here, but it does in a conversation with documents."
    ]


def test_a_template_that_fails_gives_its_problem(engine: Engine) -> None:
    result = found(engine, "command-r7b", [("tool", "x")])
    assert result.problem is not None
    assert "alternate" in result.problem.message
    assert (result.label, result.reasons) == ("", ())


def test_names_that_the_template_is_known_to_read_go_before_its_text(engine: Engine) -> None:
    template = built_in.load("protium-1.0")
    request = RenderRequest(template.source, [{"role": "user", "content": "hi"}], variables={"thinking_level": "3"})
    result = in_force(template, request, engine.render_many, frozenset({"reasoning_effort"}))
    assert "- thinking_level = 3 has no effect: this template does not read thinking_level." in said(result)


def test_it_takes_two_batches_at_most_and_one_where_nothing_is_open(engine: Engine) -> None:
    sizes: list[int] = []

    def counted(requests: Sequence[RenderRequest]) -> list[Rendered]:
        sizes.append(len(requests))
        return engine.render_many(requests)

    template = built_in.load("protium-1.0")
    messages: JsonValue = [{"role": "user", "content": "[L3] hi"}]
    in_force(template, RenderRequest(template.source, messages), counted)
    assert len(sizes) == 1
    in_force(template, RenderRequest(template.source, messages, variables={"regular": True}), counted)
    assert len(sizes) == 3
    assert max(sizes) < 200


def test_hundreds_of_tags_are_looked_at_up_to_a_limit(engine: Engine) -> None:
    code: Messages = [
        ("user", "hi"),
        *[("assistant", f"row{n}[l{n % 9 + 1}]") for n in range(300)],
        ("user", "[L4] go"),
    ]
    result = found(engine, "protium-1.0", code)
    assert result.label == "L4 Athena"
    assert len(result.reasons) == 24


def test_as_json_can_be_written(engine: Engine) -> None:
    found_json = found(engine, "protium-1.0", "[L3] hi").as_json()
    assert found_json == {
        "tier": 3,
        "label": "L3 Artemis",
        "thinking_open": True,
        "reasons": [
            {
                "text": "[L3] in message 1 is in force: L3 Artemis.",
                "won": True,
                "message_index": 0,
                "variable": None,
            }
        ],
    }


def test_what_nobody_chose_is_no_choice_and_its_idleness_no_news(engine: Engine) -> None:
    template = discovered(engine, "protium-1.0").template
    messages: list[JsonValue] = [{"role": "user", "content": "hi"}]
    variables = {**template.variables, "reasoning_effort": "3", "thinking_level": "2", "bos": ""}
    request = RenderRequest(template.source, messages, variables=variables)
    unasked = frozenset({"reasoning_effort", "thinking_level", "bos"})
    assert said(in_force(template, request, engine.render_many, setters=Setters(unasked))) == [
        "+ reasoning_effort = 3 (set before rendering) is in force: L3 Artemis."
    ]
