"""Every runtime profile keeps the contract; each says in words what it rewrites."""

from dataclasses import replace
from typing import Any

import pytest

from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest
from thinkpane.errors import ThinkpaneError
from thinkpane.prompt.profiles._api import NO_FACTS
from thinkpane.prompt.profiles._registry import all_profiles, profile

STRANGE: list[Any] = [[], "text", None, 5, [1, None, "x"], [{}], [{"role": None, "content": None}]]


@pytest.mark.parametrize("name", all_profiles())
def test_contract(name: str, engine: Engine) -> None:
    found = profile(name)
    assert found.name == name
    assert found.title
    assert found.summary.endswith(".")
    assert found.version or name == "plain"
    refused = []
    for messages in STRANGE:
        given = RenderRequest("x", messages, variables={"a": 1})
        try:
            made = found.apply(given, engine)
        except ThinkpaneError as error:
            refused.append(error.problem)
            continue
        assert made.request.source == "x"
        assert all(sentence.endswith(".") for sentence in made.rewrites)
    assert all(each.kind == "profile" and each.message.startswith(found.title) for each in refused)


def test_transformers_is_first_and_normalises() -> None:
    assert next(iter(all_profiles())) == "transformers"
    made = profile("transformers").apply(
        RenderRequest("x", [{"role": "user", "content": "a"}], normalise=False), NO_FACTS
    )
    assert made.request.normalise
    assert made.rewrites == ()


def test_transformers_says_what_it_changes() -> None:
    messages: list[Any] = [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": None, "tool_calls": None},
        {"role": "assistant", "content": "b", "reasoning": "r", "name": None},
    ]
    assert profile("transformers").apply(RenderRequest("x", messages), NO_FACTS).rewrites == (
        "Message 2: “content” and “tool_calls” are null and left out.",
        "Message 3: “name” is null and left out.",
        "Message 3: its reasoning is also given as “thinking” and “reasoning_content”.",
    )


def test_plain_rewrites_nothing() -> None:
    messages: list[Any] = [{"role": "assistant", "content": None, "reasoning": "r"}]
    made = profile("plain").apply(RenderRequest("x", messages), NO_FACTS)
    assert (made.request.normalise, made.request.messages, made.rewrites) == (False, messages, ())


def test_unknown_profile_names_the_known_ones() -> None:
    with pytest.raises(ThinkpaneError, match=r"“nope”.*transformers, llamacpp, ollama, plain, sglang, vllm"):
        profile("nope")


def test_ollama_says_whose_llama_cpp_it_is(engine: Engine) -> None:
    request = RenderRequest("{{ enable_thinking }}{{ messages[0].content }}", [{"role": "user", "content": "Hi"}])
    said = profile("ollama").apply(request, engine).rewrites
    assert [each for each in said if "enable_thinking" in each] == [
        "The variable “enable_thinking” is defined by the llama.cpp inside Ollama itself, as false."
    ]
    bad = replace(request, tools=[{"type": "strange"}])
    with pytest.raises(ThinkpaneError, match=r"^The llama\.cpp inside Ollama refuses"):
        profile("ollama").apply(bad, engine)
