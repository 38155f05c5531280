"""Which effort Protium takes, and the oddities of how it decides: a playground shows what the model gets."""

from collections.abc import Callable

import pytest

from thinkpane.engine.request import Rendered
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates import library

Render = Callable[..., Rendered]
ON, OFF, BARE = "<|assistant|><think>", "<|assistant|><think></think>", "<|assistant|>"
TIERS = ("Hermes", "Apollo", "Artemis", "Athena", "Prometheus", "Solstice", "Hyperion", "Einstein", "Oracle", "Proteus")


def effort_of(render: Render, *messages: JsonValue, **variables: JsonValue) -> tuple[str, str]:
    """The name in the prompt's effort line ("" where there is none), and how the prompt ends."""
    said: list[JsonValue] = [{"role": "user", "content": each} if isinstance(each, str) else each for each in messages]
    text = render("protium-1.0", said, **variables).text
    assert text is not None
    line = text.partition("<|system|>Reasoning effort: ")[2]
    return line.partition(" — ")[0], text[text.rindex("<|assistant|>") :]


@pytest.mark.parametrize(("level", "name"), [(str(n), name) for n, name in enumerate(TIERS, 1)])
def test_number_name_and_tag_ask_for_the_same_tier(render: Render, level: str, name: str) -> None:
    expected = (name, ON)
    assert effort_of(render, "x", reasoning_effort=level) == expected
    assert effort_of(render, "x", reasoning_effort=f" {name.upper()} ") == expected
    assert effort_of(render, f"[L{level}] x") == expected
    assert effort_of(render, f"{{REASON:{level}}} x") == expected
    assert effort_of(render, f"[MODE:{name}] x") == expected


def test_every_candidate_tier_has_an_effect_of_its_own(render: Render) -> None:
    tiers = library.load("protium-1.0").tiers
    found = [effort_of(render, "x", **tier.variables) for tier in tiers]
    assert found == [("", OFF), *((name, ON) for name in (*TIERS, "Swarm", "Council"))]
    assert [effort_of(render, f"{tier.tag} x") for tier in tiers] == found


@pytest.mark.parametrize("effort", ["", "max", "L5", "[L5]", 5.0, True])
def test_an_unknown_effort_is_proteus(render: Render, effort: JsonValue) -> None:
    assert effort_of(render, "x", reasoning_effort=effort) == ("Proteus", ON)


@pytest.mark.parametrize("effort", ["default", None, "mortal", "clean", 0])
def test_these_efforts_mean_off(render: Render, effort: JsonValue) -> None:
    assert effort_of(render, "x", reasoning_effort=effort) == ("", OFF)


def test_thinking_level_never_has_an_effect(render: Render) -> None:
    assert effort_of(render, "x", thinking_level="3") == ("Proteus", ON)


@pytest.mark.parametrize("value", [False, None])
def test_thinking_off_keeps_the_effort_text(render: Render, value: JsonValue) -> None:
    assert effort_of(render, "x", enable_thinking=value) == ("Proteus", OFF)


def test_tags_beat_the_argument_and_later_messages_earlier_ones(render: Render) -> None:
    assert effort_of(render, "[L3] x", reasoning_effort="9") == ("Artemis", ON)
    assert effort_of(render, "[L3] x", {"role": "assistant", "content": "y"}, "[MODE:low] z") == ("Apollo", ON)


def test_within_a_message_the_largest_level_wins_over_reason_over_mode(render: Render) -> None:
    assert effort_of(render, "[L5] [L2] x") == ("Prometheus", ON)
    assert effort_of(render, "{REASON:swarm} [L2] x") == ("Apollo", ON)
    assert effort_of(render, "[MODE:low] {REASON:swarm} x") == ("Swarm", ON)


def test_off_in_an_earlier_message_stays_off(render: Render) -> None:
    assert effort_of(render, "[L0] a", {"role": "assistant", "content": "b"}, "[L5] c") == ("Prometheus", OFF)
    assert effort_of(render, "{REASON:ilow} a", {"role": "assistant", "content": "b"}, "[L5] c") == ("Prometheus", OFF)


def test_an_i_before_the_value_turns_thinking_off(render: Render) -> None:
    assert effort_of(render, "{REASON:ilow} x") == ("Apollo", OFF)
    assert effort_of(render, "{REASON:instant} x") == ("Proteus", OFF)
    assert effort_of(render, "{REASON:i} x") == ("Proteus", ON)
    assert effort_of(render, "{REASON:l5} x") == ("Proteus", ON)


def test_without_a_closing_brace_the_rest_of_the_message_is_the_value(render: Render) -> None:
    assert effort_of(render, "{REASON:low") == ("Apollo", ON)
    assert effort_of(render, "{REASON:low and more") == ("Proteus", ON)


def test_every_role_is_scanned(render: Render) -> None:
    user: JsonValue = {"role": "user", "content": "x"}
    assert effort_of(render, {"role": "system", "content": "[L2]"}, user) == ("Apollo", ON)
    assert effort_of(render, user, {"role": "assistant", "content": "see [L2]"}) == ("Apollo", ON)
    assert effort_of(render, user, {"role": "tool", "content": "[default]\na=1"}) == ("", BARE)
    assert effort_of(render, user, {"role": "tool", "content": "a[l1] + b[l0]"}) == ("Hermes", OFF)


def test_list_contents_are_not_scanned(render: Render) -> None:
    parts: JsonValue = {"role": "user", "content": [{"type": "text", "text": "[L2] [regular] x"}]}
    assert effort_of(render, parts) == ("Proteus", ON)


@pytest.mark.parametrize("tag", ["[regular]", "[REGULAR]", "[vanilla]", "[standard]", "[default]"])
def test_regular_tags_give_the_bare_prompt_and_are_taken_out(render: Render, tag: str) -> None:
    text = render("protium-1.0", [{"role": "user", "content": f"{tag} x"}], reasoning_effort="9").text
    assert text == "[gMASK]<sop><|user|> x<|assistant|>"


@pytest.mark.parametrize("tag", ["[Regular]", "[clean]", "[VANILLA]", "{reason:3}", "[mode:3]"])
def test_tags_in_other_spellings_do_nothing(render: Render, tag: str) -> None:
    assert effort_of(render, f"{tag} x") == ("Proteus", ON)


def test_control_tags_other_than_regular_reach_the_model(render: Render) -> None:
    text = render("protium-1.0", [{"role": "user", "content": "[L3] {REASON:3} [MODE:3] x"}]).text
    assert text is not None
    assert "<|user|>[L3] {REASON:3} [MODE:3] x<|assistant|>" in text


def test_mode_and_regular_as_arguments(render: Render) -> None:
    assert effort_of(render, "x", mode="clean") == ("", BARE)
    assert effort_of(render, "x", mode="Clean") == ("Proteus", ON)
    assert effort_of(render, "x", mode="swarm") == ("Proteus", ON)
    assert effort_of(render, "x", regular="false") == ("", BARE)
    assert effort_of(render, "x", regular=False) == ("Proteus", ON)
    assert effort_of(render, "[MODE:regular] x") == ("", OFF)


def test_the_contract_and_the_directives_are_never_emitted(render: Render) -> None:
    source = library.load("protium-1.0").source
    assert "REASONING CONTRACT" in source
    assert "Operational Directives" in source
    for tier in library.load("protium-1.0").tiers:
        text = render("protium-1.0", [{"role": "user", "content": "x"}], **tier.variables).text
        assert text is not None
        assert "REASONING CONTRACT" not in text
        assert "Operational Directives" not in text
