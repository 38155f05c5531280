"""What every built-in template says of itself, and what the three own ones render."""

from collections.abc import Callable
from pathlib import Path

import pytest

from thinkpane import resources
from thinkpane.engine.request import Rendered
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates import library
from thinkpane.templates.template import Template

Render = Callable[..., Rendered]
USER: JsonValue = {"role": "user", "content": "q"}
SYSTEM: JsonValue = {"role": "system", "content": "s"}
TOOL: JsonValue = {"type": "function", "function": {"name": "find", "parameters": {}}}
CALL: JsonValue = {"id": "1", "type": "function", "function": {"name": "find", "arguments": {"x": "ü"}}}
CALLING: JsonValue = {"role": "assistant", "content": None, "reasoning_content": "r", "tool_calls": [CALL]}
RESULT: JsonValue = {"role": "tool", "tool_call_id": "1", "content": "found"}
SEEDS = ("command-r7b", "glm-5.2", "memreader", "protium-1.0")


@pytest.fixture(params=library.all_built_in(), ids=lambda template: template.id)
def template(request: pytest.FixtureRequest) -> Template:
    found: Template = request.param
    return found


def test_the_library() -> None:
    assert library.built_in_ids() == tuple(sorted((*SEEDS, "chatml", "llama-3", "plain-instruct")))
    assert tuple(each.id for each in library.all_built_in()) == library.built_in_ids()


def test_origin_and_licence_are_said_here_and_in_the_notice(template: Template) -> None:
    assert template.built_in
    assert template.title
    assert template.origin
    assert template.licence
    assert bool(template.uncertain) == (template.id in SEEDS)
    notice = (Path(resources.__file__).parents[2] / "NOTICE").read_text(encoding="utf-8")
    assert template.id in notice


def test_licences_that_forbid_or_are_not_known_are_said() -> None:
    assert "CC-BY-NC-4.0" in library.load("command-r7b").licence
    assert "unknown" in library.load("protium-1.0").licence


def test_a_short_conversation_renders_with_special_tokens_it_names(template: Template, render: Render) -> None:
    rendered = render(template.id, [SYSTEM, USER])
    assert rendered.problem is None
    assert rendered.text
    standing = [token for token in template.special_tokens if token in rendered.text]
    assert bool(standing) == bool(template.special_tokens)
    assert set(template.roles) <= set(template.special_tokens)


def test_tiers_set_declared_variables_to_offered_values(template: Template) -> None:
    declared = {each.name: each for each in template.candidates}
    for tier in template.tiers:
        assert tier.variables
        for name, value in tier.variables.items():
            offered = declared[name].values if declared[name].kind == "choice" else (True, False)
            assert value in offered
    assert len({each.label for each in template.tiers}) == len(template.tiers)
    assert {each.tag for each in template.tiers} - {""} <= {each.tag for each in template.tags}


def test_declared_variables_stand_in_the_source(template: Template) -> None:
    for each in template.candidates:
        assert each.name in template.source
        assert each.summary


def test_a_declared_default_renders_as_leaving_the_variable_out(template: Template, render: Render) -> None:
    said = [USER, {"role": "assistant", "content": "a", "reasoning_content": "r"}, USER]
    for each in template.candidates:
        if each.default is not None:
            assert render(template.id, said, **{each.name: each.default}).text == render(template.id, said).text


def test_protium_offers_thirteen_tiers_and_its_tags() -> None:
    protium = library.load("protium-1.0")
    assert [each.short for each in protium.tiers] == [*(f"L{n}" for n in range(11)), "Swarm", "Council"]
    assert [each.tag for each in protium.tags] == [
        *(f"[L{n}]" for n in range(11)),
        *("{REASON:swarm}", "{REASON:council}", "{REASON:…}", "[MODE:…]", "[regular]"),
    ]


def test_chatml(render: Render) -> None:
    assert render("chatml", [{"role": "developer", "content": ["d"]}, USER], enable_thinking=False).text == (
        "<|im_start|>system\nd<|im_end|>\n<|im_start|>user\nq<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n"
    )
    prompt = render("chatml", [SYSTEM, USER, CALLING, RESULT, RESULT], tools=[TOOL]).text
    assert prompt is not None
    assert prompt.startswith("<|im_start|>system\ns\n\n# Tools\n\n")
    assert prompt.endswith(
        "<|im_start|>user\nq<|im_end|>\n<|im_start|>assistant\n<think>\nr\n</think>\n\n"
        '<tool_call>\n{"name": "find", "arguments": {"x": "ü"}}\n</tool_call><|im_end|>\n'
        "<|im_start|>user\n<tool_response>\nfound\n</tool_response>\n<tool_response>\nfound\n</tool_response><|im_end|>\n"
        "<|im_start|>assistant\n"
    )


def test_chatml_keeps_old_thinking_only_on_demand(render: Render) -> None:
    answer: JsonValue = {"role": "assistant", "content": "a", "reasoning_content": "r"}
    assert "<think>" not in (render("chatml", [USER, answer, USER]).text or "<think>")
    assert "<think>\nr\n</think>\n\na" in (render("chatml", [USER, answer, USER], preserve_thinking=True).text or "")


def test_llama_3(render: Render) -> None:
    user = "<|start_header_id|>user<|end_header_id|>\n\nq<|eot_id|>"
    ask = "<|start_header_id|>assistant<|end_header_id|>\n\n"
    assert render("llama-3", [USER]).text == f"<|begin_of_text|>{user}{ask}"
    assert render("llama-3", [SYSTEM, USER], date_string="1 May 2026").text == (
        "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nToday Date: 1 May 2026\n\ns<|eot_id|>"
        + user
        + ask
    )
    prompt = render("llama-3", [SYSTEM, USER, CALLING, RESULT], tools=[TOOL]).text
    assert prompt is not None
    assert prompt.endswith(
        f'\n\ns<|eot_id|>{user}{ask}{{"name": "find", "parameters": {{"x": "ü"}}}}<|eot_id|>'
        f"<|start_header_id|>ipython<|end_header_id|>\n\nfound<|eot_id|>{ask}"
    )


def test_plain_instruct(render: Render) -> None:
    said = [SYSTEM, USER, {"role": "assistant", "content": "a"}, USER]
    assert render("plain-instruct", said).text == (
        "s\n\n### Instruction:\nq\n\n### Response:\na\n\n### Instruction:\nq\n\n### Response:\n"
    )
    assert (render("plain-instruct", said, response_heading="A:").text or "").endswith("q\n\nA:\n")


@pytest.mark.parametrize(
    ("id", "message", "words"),
    [
        ("chatml", {"role": "user", "content": [{"type": "image"}]}, "no part of type image"),
        ("llama-3", {"role": "user", "content": [{"type": "image"}]}, "no part of type image"),
        ("llama-3", {"role": "assistant", "tool_calls": [CALL, CALL]}, "one tool call in a message"),
        ("plain-instruct", RESULT, "no place for the role tool"),
        ("plain-instruct", {"role": "user", "content": []}, "whose content is one text"),
    ],
)
def test_own_templates_say_what_they_cannot_take(render: Render, id: str, message: JsonValue, words: str) -> None:
    problem = render(id, [message]).problem
    assert problem is not None
    assert words in problem.message
