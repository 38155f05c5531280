"""What each runtime's profile does to a request, and how it says so."""

from typing import Any

import pytest

from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest
from thinkpane.errors import ThinkpaneError
from thinkpane.prompt.profiles._api import Profiled
from thinkpane.prompt.profiles._registry import profile
from thinkpane.templates.built_in import load

PROMPTED = "{% if add_generation_prompt %}<assistant>{% endif %}"
TEXTS = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}" + PROMPTED
PARTS = "{% for m in messages %}<{{ m.role }}>{% for p in m.content %}{{ p.text }}{% endfor %}{% endfor %}"
CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"arg": 1}'}}


def apply(name: str, engine: Engine, source: str, messages: list[Any], **rest: Any) -> Profiled:
    return profile(name).apply(RenderRequest(source, messages, **rest), engine)


def prompt(name: str, engine: Engine, source: str, messages: list[Any], **rest: Any) -> str | None:
    return engine.render(apply(name, engine, source, messages, **rest).request).text


@pytest.mark.parametrize("name", ["vllm", "sglang"])
def test_content_takes_the_shape_that_the_template_loops_over(name: str, engine: Engine) -> None:
    text = {"role": "user", "content": "hi"}
    parts = {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}
    loop = "{% for message in messages %}{% for p in message.content %}{{ p.text }}{% endfor %}{% endfor %}"
    glue = {"vllm": "\n", "sglang": " "}[name]
    assert prompt(name, engine, TEXTS, [parts]) == f"<user>a{glue}b<assistant>"
    assert prompt(name, engine, loop, [parts]) == "ab"
    assert (prompt(name, engine, loop, [text]) == "hi") is (name == "vllm")


def test_llamacpp_joins_and_makes_parts_as_its_probes_say(engine: Engine) -> None:
    parts = {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}
    assert prompt("llamacpp", engine, TEXTS, [parts]) == "<user>a\nb<assistant>"
    made = apply("llamacpp", engine, PARTS, [{"role": "user", "content": "hi"}])
    assert made.request.messages == [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]
    assert "Text content becomes a list of parts, because the template prints no text content." in made.rewrites


def test_vllm_drops_variables_that_the_template_does_not_declare(engine: Engine) -> None:
    made = apply(
        "vllm",
        engine,
        TEXTS + "{{ known }}",
        [{"role": "user", "content": "x"}],
        variables={"bos_token": "<s>", "known": 1, "unknown": 2},
    )
    assert dict(made.request.variables) == {"bos_token": "<s>", "known": 1}
    assert made.rewrites == ("The variable “unknown” is left out, because the template does not declare it.",)


def test_vllm_turns_developers_into_one_system_message(engine: Engine) -> None:
    messages = [{"role": "user", "content": "u"}, {"role": "developer", "content": "D"}]
    made = apply("vllm", engine, TEXTS, messages)
    assert [each["role"] for each in made.request.messages] == ["system", "user"]  # type: ignore[union-attr, index, call-overload]
    assert any("becomes “system”" in each for each in made.rewrites)
    assert prompt("vllm", engine, TEXTS + "{# 'developer' #}", messages) == "<user>u<developer>D<assistant>"


def test_sglang_turns_a_last_reply_into_a_question_unless_it_is_continued(engine: Engine) -> None:
    messages = [{"role": "user", "content": "u"}, {"role": "assistant", "content": "I go"}]
    assert prompt("sglang", engine, TEXTS, messages) == "<user>u<user>I go<assistant>"
    assert prompt("sglang", engine, TEXTS, messages, continue_final_message=True) == "<user>u<assistant>I go"
    assert prompt("sglang", engine, TEXTS, messages, add_generation_prompt=False) == "<user>u<assistant>I go"


def test_sglang_tries_bare_functions_where_the_template_fails(engine: Engine) -> None:
    source = "{% for t in tools %}{{ t.name.upper() }}{% endfor %}"
    tools = [{"type": "function", "function": {"name": "look"}}]
    made = apply("sglang", engine, source, [{"role": "user", "content": "u"}], tools=tools)
    assert engine.render(made.request).text == "LOOK"
    assert any("bare functions" in each for each in made.rewrites)


def test_llamacpp_defines_thinking_dates_and_what_preserves_reasoning(engine: Engine) -> None:
    names = (
        "datetime",
        "date_string",
        "preserve_reasoning",
        "preserve_thinking",
        "drop_thinking",
        "reasoning_strength",
    )
    source = load("glm-5.2").source + "".join(f"{{{{ {name} }}}}" for name in names)
    given = {"reasoning_effort": "high", "pad_token": "p", "bos_token": "<s>"}
    made = apply(
        "llamacpp", engine, source, [{"role": "user", "content": "u"}], variables=given, now="2026-02-03T04:05:06"
    )
    assert dict(made.request.variables) == {
        "bos_token": "<s>",
        "eos_token": "",
        "enable_thinking": True,
        "datetime": "Feb 03 2026",
        "date_string": "03 Feb 2026",
        "preserve_reasoning": True,
        "preserve_thinking": True,
        "clear_thinking": False,
        "drop_thinking": False,
        "reasoning_strength": "high",
        "reasoning_effort": "high",
    }
    assert made.request.left_out == ("tools", "documents")
    assert "The variable “date_string” is defined by llama.cpp itself, as “03 Feb 2026”." in made.rewrites
    assert "“pad_token” is left out: llama.cpp knows bos_token and eos_token only." in made.rewrites


@pytest.mark.parametrize(
    ("source", "variables", "expected"),
    [
        ("{{ bos_token }}hi{{ eos_token }}", {}, "hi</s>"),
        ("{{ bos_token }}hi{{ eos_token }}", {"add_bos_token": False}, "<s>hi</s>"),
        ("<s>hi", {}, "<s>hi"),
        ("<s>hi", {"add_bos_token": True}, "hi"),
        ("{{ bos_token }}hi{{ eos_token }}", {"add_eos_token": True}, "hi"),
        ("{{ bos_token }}{{ add_bos_token }}", {"add_bos_token": False}, "<s>"),
    ],
)
def test_llamacpp_leaves_out_what_it_adds_itself(
    source: str, variables: dict[str, Any], expected: str, engine: Engine
) -> None:
    tokens = {"bos_token": "<s>", "eos_token": "</s>"}
    made = apply("llamacpp", engine, source, [{"role": "user", "content": "u"}], variables=tokens | variables)
    assert engine.render(made.request).text == expected
    told = any("llama.cpp puts it there itself" in each for each in made.rewrites)
    assert told is (expected != "<s>hi</s>" and not expected.startswith("<s>"))


def test_llamacpp_thinks_only_where_the_template_does(engine: Engine) -> None:
    source = "{{ enable_thinking }}" + TEXTS
    made = apply("llamacpp", engine, source, [{"role": "user", "content": "u"}])
    assert made.request.variables["enable_thinking"] is False
    assert "The variable “enable_thinking” is defined by llama.cpp itself, as false." in made.rewrites


def test_llamacpp_puts_a_system_message_where_the_template_reads_it(engine: Engine) -> None:
    source = "{% for m in messages %}{% if m.role != 'system' %}{{ m.content }}|{% endif %}{% endfor %}"
    messages = [{"role": "system", "content": "S"}, {"role": "user", "content": "u"}]
    assert prompt("llamacpp", engine, source, messages) == "S\nu|"


def test_llamacpp_hands_over_arguments_as_the_template_reads_them(engine: Engine) -> None:
    message = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    question = {"role": "user", "content": "u"}
    head = "{% for m in messages %}{% for c in m.tool_calls %}{{ c.function.arguments"
    for printed, expected in ((" | tojson", '{"arg": 1}'), ("", '{"arg": 1}'), (".arg", "1")):
        source = head + printed + " }}{% endfor %}{% endfor %}"
        assert prompt("llamacpp", engine, source, [question, message, question]) == expected


def test_llamacpp_continues_a_last_reply_unasked(engine: Engine) -> None:
    messages = [{"role": "user", "content": "u"}, {"role": "assistant", "content": "I go", "reasoning_content": "r"}]
    made = apply("llamacpp", engine, TEXTS, messages)
    assert engine.render(made.request).text == "<user>u<assistant>I go"
    assert any("continued without being asked to" in each for each in made.rewrites)
    with pytest.raises(ThinkpaneError, match="only one can be continued"):
        apply("llamacpp", engine, TEXTS, [*messages, messages[1]])


def test_ollama_drops_thinking_and_goes_on_as_llamacpp(engine: Engine) -> None:
    messages = [
        {"role": "user", "content": "u"},
        {"role": "assistant", "content": "", "reasoning_content": "r", "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "c1", "content": "R"},
    ]
    made = apply("ollama", engine, TEXTS, messages, variables={"mode": "x", "enable_thinking": False})
    rewritten: Any = made.request.messages
    assert "reasoning_content" not in rewritten[1]
    assert rewritten[2]["name"] == "f"
    assert "mode" not in made.request.variables
    assert made.request.variables["enable_thinking"] is False
    assert "Message 2: “reasoning_content” is left out: Ollama does not pass it on." in made.rewrites


@pytest.mark.parametrize(
    ("name", "message", "why"),
    [
        ("vllm", {"role": "user", "content": [{"type": "hologram"}]}, "content parts of type “hologram”"),
        ("sglang", {"role": "narrator", "content": "x"}, "the role “narrator”"),
        ("llamacpp", {"role": "user"}, "it has no content"),
        ("ollama", {"role": "user", "content": None}, "content must be text"),
    ],
)
def test_what_a_runtime_refuses_is_told_with_its_message(
    name: str, message: dict[str, Any], why: str, engine: Engine
) -> None:
    with pytest.raises(ThinkpaneError, match=why) as caught:
        apply(name, engine, TEXTS, [{"role": "user", "content": "u"}, message])
    assert caught.value.problem.kind == "profile"
    assert caught.value.problem.message_index == 1
