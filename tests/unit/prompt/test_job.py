"""What a job becomes before it is rendered."""

import pytest

from thinkpane.conversation.conversation import Conversation
from thinkpane.conversation.messages import message
from thinkpane.conversation.tools import Tool
from thinkpane.engine.host import Engine
from thinkpane.errors import ThinkpaneError
from thinkpane.prompt.job import PromptJob, prepare
from thinkpane.prompt.steps import Explicit
from thinkpane.templates.library import load
from thinkpane.templates.template import Template

TALK = Conversation((message("user", "hi <Thinking:Off>"),))
TEMPLATE = Template("x", "source", variables={"bos_token": "<s>", "a": 1})


def test_variables_go_over_the_templates_own() -> None:
    request = prepare(PromptJob(TEMPLATE, TALK, variables={"a": 2, "b": None})).request
    assert dict(request.variables) == {"bos_token": "<s>", "a": 2, "b": None}


def test_tools_choose_the_named_template() -> None:
    template = Template("x", "d", named={"default": "d", "tool_use": "t", "rag": "r"})
    with_tools = Conversation(TALK.messages, (Tool({"function": {"name": "f"}}),))
    assert prepare(PromptJob(template, TALK)).request.source == "d"
    assert prepare(PromptJob(template, with_tools)).request.source == "t"
    assert prepare(PromptJob(template, with_tools, template_name="rag")).request.source == "r"
    with pytest.raises(ThinkpaneError, match="nope"):
        prepare(PromptJob(template, TALK, template_name="nope"))


def test_steps_carry_their_decision_on_the_raw_path_alone() -> None:
    template = load("glm-5.2")
    steps = {"thinking_tags": True}
    raw = prepare(PromptJob(template, TALK, steps=steps))
    assert raw.request.variables["enable_thinking"] is False
    assert raw.steps.thinking is False
    chat = prepare(PromptJob(template, TALK, steps=steps, carry=False))
    assert "enable_thinking" not in chat.request.variables
    assert chat.steps.thinking is False
    without = prepare(PromptJob(template, TALK, steps=None))
    assert ("enable_thinking" in without.request.variables, without.decisions) == (False, ())


def test_explicit_choice_wins() -> None:
    made = prepare(PromptJob(load("glm-5.2"), TALK, steps={"thinking_tags": True}, explicit=Explicit(thinking=True)))
    assert made.request.variables["enable_thinking"] is True


def test_raw_text_is_handed_over() -> None:
    assert prepare(PromptJob(TEMPLATE, Conversation(raw_text="raw"))).request.messages == "raw"


def test_unknown_profile() -> None:
    with pytest.raises(ThinkpaneError, match="profile"):
        prepare(PromptJob(TEMPLATE, TALK, profile="nope"))


def test_a_template_without_template_toml_gets_the_decision_by_what_its_text_reads(engine: Engine) -> None:
    template = Template("x", load("glm-5.2").source)
    made = prepare(PromptJob(template, TALK, steps={"thinking_tags": True}), engine)
    assert made.request.variables == {"enable_thinking": False}
    nothing = prepare(PromptJob(Template("x", "{{ messages }}"), TALK, steps={"thinking_tags": True}), engine)
    assert nothing.request.variables == {}
    assert any("reads no thinking switch" in each.text for each in nothing.decisions)


def test_a_template_that_cannot_be_parsed_is_left_to_the_render(engine: Engine) -> None:
    made = prepare(PromptJob(Template("x", "{% if %}"), TALK, steps={"thinking_tags": True}), engine)
    assert made.steps.thinking is False
    assert made.request.variables == {}


@pytest.mark.parametrize("profile", ["vllm", "sglang", "llamacpp", "ollama"])
def test_a_template_that_cannot_be_parsed_fails_in_its_render(profile: str, engine: Engine) -> None:
    prepared = prepare(PromptJob(Template("x", "a\n{% if %}"), TALK, profile=profile), engine)
    problem = engine.render(prepared.request).problem
    assert problem is not None
    assert (problem.kind, problem.line) == ("template", 2)


def test_profiles_that_look_into_templates_need_somebody_to_ask() -> None:
    with pytest.raises(ThinkpaneError, match="looks into the template"):
        prepare(PromptJob(TEMPLATE, TALK, profile="vllm"))
