"""The steps before rendering: switches, decisions in words, and what carries them on the raw path."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.step_table import step_settings
from thinkpane.prompt.steps import STEPS, Explicit, StepsResult, apply, thinking_variables
from thinkpane.reasoning.locale import INSTRUCTION
from thinkpane.templates.template import VariableCandidate

ALL_ON: dict[str, JsonValue] = {step.id: True for step in STEPS}
BOTH = (VariableCandidate("enable_thinking", "bool"), VariableCandidate("reasoning_effort", "choice"))


def said(text: str) -> Conversation:
    return Conversation((message("user", text),))


def texts(result: StepsResult, step: str) -> list[str]:
    return [each.text for each in result.decisions if each.step == step]


def test_every_step_is_off_unasked_and_then_nothing_happens() -> None:
    conversation = said("<Thinking:Off> ultrathink and fix it")
    result = apply(conversation, {}, candidates=BOTH)
    assert result == StepsResult(conversation)
    assert [step.id for step in STEPS] == ["locale", "thinking_tags", "keywords", "classifier"]
    assert not any(step.default for step in STEPS)


def test_all_steps_say_what_they_decided() -> None:
    result = apply(said("ultrathink and fix it"), ALL_ON, candidates=BOTH)
    assert [(each.step, each.text, each.acted) for each in result.decisions] == [
        ("locale", "The instruction to answer in English stands first in message 1 (user).", True),
        ("thinking_tags", "No user message holds a control tag.", False),
        ("keywords", "“ultrathink” in message 1 asks for thinking with effort max.", True),
        ("classifier", "Thinking on: “ultrathink” says reason, “fix” says execute, mixed tasks think.", False),
        ("thinking", "Thinking on with effort max: “ultrathink” in message 1 decides.", True),
        ("variables", "The template gets enable_thinking = true and reasoning_effort = max.", True),
    ]
    assert result.variables == {"enable_thinking": True, "reasoning_effort": "max"}
    assert result.conversation.messages[0].content == f"{INSTRUCTION}\n\nultrathink and fix it"


def test_tags_are_told_with_their_rivals() -> None:
    messages = (message("user", "<Effort:Low> <Thinking:On>"), message("user", "<Thinking:Off>"))
    result = apply(Conversation(messages), {"thinking_tags": True})
    assert texts(result, "thinking_tags") == [
        "“<Thinking:Off>” in message 2 turns thinking off and “<Effort:Low>” in message 1 (deprecated) asks for effort"
        " low, over “<Thinking:On>” in message 1; tags stay in the prompt."
    ]
    assert (result.thinking, result.effort) == (False, None)


def test_many_beaten_tags_are_counted() -> None:
    result = apply(said("<Thinking:Off>" * 9), {"thinking_tags": True})
    assert "over 8 other tags" in texts(result, "thinking_tags")[0]


def test_on_the_chat_path_no_variables_are_made() -> None:
    result = apply(said("fix it"), {"classifier": True})
    assert (result.thinking, dict(result.variables), texts(result, "variables")) == (False, {}, [])


def test_a_template_without_a_switch_is_named() -> None:
    result = apply(said("ultrathink"), {"keywords": True}, candidates=())
    assert texts(result, "variables") == [
        "Thinking on has no effect: this template reads no thinking switch.",
        "Effort max has no effect: this template reads no effort.",
    ]


def test_what_is_set_by_hand_wins_over_the_steps_but_not_over_the_command_line() -> None:
    by_step = apply(said("fix it"), {"classifier": True}, candidates=BOTH, set_variables={"enable_thinking": True})
    assert dict(by_step.variables) == {}
    assert texts(by_step, "variables") == ["enable_thinking is set by hand, and that wins over the steps."]
    chosen = apply(said("fix it"), {}, Explicit(thinking=False), BOTH, {"enable_thinking": True})
    assert chosen.variables == {"enable_thinking": False}


def test_a_raw_text_is_left_alone() -> None:
    conversation = Conversation(raw_text="fix it")
    result = apply(conversation, ALL_ON)
    assert result.conversation == conversation
    assert texts(result, "locale") == ["The messages are one raw text, so no instruction is put in."]


def test_settings_are_used() -> None:
    settings: dict[str, JsonValue] = {
        "locale": {"on": True, "instruction": "English!"},
        "keywords": {"on": True, "efforts": {"bitte": "high"}},
        "classifier": {"on": False},
        "loop_guard": {"on": True},
    }
    result = apply(said("bitte"), settings)
    assert (result.effort, result.conversation.messages[0].content) == ("high", "English!\n\nbitte")


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"locale": "yes"}, "steps.locale"),
        ({"locale": {"on": 1}}, "steps.locale.on"),
        ({"locale": {"instruction": None}}, "steps.locale.instruction"),
        ({"keywords": {"efforts": {"think": 3}}}, "steps.keywords.efforts"),
        ({"keywords": {"efforts": {" ": "low"}}}, "steps.keywords.efforts"),
        ({"classifier": {"execution": ["fix", ""]}}, "steps.classifier.execution"),
        ({"classifier": {"latest_only": "no"}}, "steps.classifier.latest_only"),
    ],
)
def test_a_setting_of_the_wrong_shape_is_named(settings: dict[str, JsonValue], field: str) -> None:
    with pytest.raises(ThinkpaneError) as caught:
        apply(said("hi"), settings)
    assert (caught.value.problem.kind, caught.value.problem.field) == ("json", field)


def test_defaults_of_the_table_fit_their_own_kinds() -> None:
    for step in STEPS:
        kept: dict[str, JsonValue] = {field.name: field.default for field in step.fields}
        assert step_settings(step, kept).values == kept


@pytest.mark.parametrize(
    ("candidates", "thinking", "effort", "expected"),
    [
        (BOTH, None, None, {}),
        (BOTH, False, None, {"enable_thinking": False}),
        ((VariableCandidate("thinking", "bool"),), True, "high", {"thinking": True}),
        (
            (VariableCandidate("thinking_mode", "choice", values=("adaptive", "enabled", "disabled")),),
            False,
            None,
            {"thinking_mode": "disabled"},
        ),
        (
            (VariableCandidate("reasoning_effort", "choice", values=("none", "high")),),
            False,
            None,
            {"reasoning_effort": "none"},
        ),
        ((VariableCandidate("reasoning_effort", "choice", values=("low", "high")),), False, None, {}),
        ((VariableCandidate("thinking_level"),), True, "low", {}),
    ],
)
def test_which_variable_carries_it(
    candidates: tuple[VariableCandidate, ...], thinking: bool | None, effort: str | None, expected: dict[str, JsonValue]
) -> None:
    assert thinking_variables(candidates, thinking, effort) == expected


@given(st.lists(st.tuples(st.sampled_from(["user", "assistant", "system"]), st.text())), st.booleans())
def test_the_conversation_given_stays_as_it_is(pairs: list[tuple[str, str]], thinking: bool) -> None:
    conversation = Conversation(tuple(message(role, text) for role, text in pairs))
    before = [dict(each.data) for each in conversation.messages]
    result = apply(conversation, ALL_ON, Explicit(thinking=thinking), BOTH)
    assert [dict(each.data) for each in conversation.messages] == before
    assert result.thinking is thinking
