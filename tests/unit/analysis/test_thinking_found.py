"""The thinking format of a template, found by rendering it."""

from collections.abc import Sequence

import pytest

from support.corpus import published
from thinkpane.analysis.thinking_format import ThinkingFormat, thinking_format
from thinkpane.analysis.thinking_formats import ThinkingFormats
from thinkpane.engine.host import Engine
from thinkpane.engine.request import Rendered, RenderRequest
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.templates import built_in


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("no thinking {{ messages[0].content }}", ThinkingFormat()),
        ("{{ raise_exception('never') }}", ThinkingFormat()),
        ("{{ messages", ThinkingFormat()),
    ],
)
def test_templates_without_thinking(engine: Engine, source: str, expected: ThinkingFormat) -> None:
    assert thinking_format(engine.render_many, RenderRequest(source, [])) == expected


@pytest.mark.parametrize(
    ("id", "tags"),
    [
        ("protium-1.0", ("<think>", "</think>")),
        ("glm-5.2", ("<think>", "</think>")),
        ("command-r7b", ("<|START_THINKING|>", "<|END_THINKING|>")),
        ("chatml", ("<think>", "</think>")),
        ("llama-3", None),
    ],
)
def test_built_in_templates(engine: Engine, id: str, tags: tuple[str, str] | None) -> None:
    template = built_in.load(id)
    request = RenderRequest(template.source, [], variables=template.variables)
    assert thinking_format(engine.render_many, request).tags == tags


def test_formats_are_found_once(engine: Engine) -> None:
    asked: list[int] = []

    def render_many(requests: Sequence[RenderRequest]) -> Sequence[Rendered]:
        asked.append(len(requests))
        return engine.render_many(requests)

    formats = ThinkingFormats(render_many)
    source = built_in.load("glm-5.2").source
    assert formats.of(source, {}) is formats.of(source, {})
    assert len(asked) == 1


def test_a_format_belongs_to_the_variables_too(engine: Engine) -> None:
    formats = ThinkingFormats(engine.render_many)
    source = (
        "{% for m in messages %}{% if m.reasoning_content %}{{ open_token }}{{ m.reasoning_content }}{{ close_token }}"
        "{% endif %}{{ m.content }}{% endfor %}"
    )
    one = formats.of(source, {"open_token": "<[A]>", "close_token": "<[/A]>"})
    other = formats.of(source, {"open_token": "<[B]>", "close_token": "<[/B]>"})
    assert (one.tags, other.tags) == (("<[A]>", "<[/A]>"), ("<[B]>", "<[/B]>"))


def test_a_format_that_could_not_be_tried_is_sought_again(engine: Engine) -> None:
    is_broken = True

    def render_many(requests: Sequence[RenderRequest]) -> Sequence[Rendered]:
        ended = Rendered(None, Problem("worker", "The process that runs templates could not start: too many are open."))
        return [ended for _ in requests] if is_broken else engine.render_many(requests)

    formats = ThinkingFormats(render_many)
    source = built_in.load("glm-5.2").source
    assert formats.of(source, {}).tags is None
    is_broken = False
    assert formats.of(source, {}).tags == ("<think>", "</think>")


def test_who_can_be_overtaken_brings_its_own_renders(engine: Engine) -> None:
    formats = ThinkingFormats(engine.render_many)
    source = built_in.load("glm-5.2").source

    def overtaken(_requests: Sequence[RenderRequest]) -> Sequence[Rendered]:
        raise ThinkpaneError(Problem("cancelled", "A newer one took its place."))

    with pytest.raises(ThinkpaneError):
        formats.of(source, {}, overtaken)
    assert formats.of(source, {}).tags == ("<think>", "</think>")


KNOWN = {
    "Qwen-Qwen3-0.6B": ("<think>", "</think>", False, "last turn"),
    "Qwen-QwQ-32B": ("<think>", "</think>", False, "dropped"),
    "Qwen3.5-4B": ("<think>", "</think>", True, "last turn"),
    "llama-cpp-deepseek-r1": ("<think>", "</think>", True, "dropped"),
    "deepseek-ai-DeepSeek-R1-Distill-Llama-8B": ("<think>", "</think>", True, "dropped"),
    "deepseek-ai-DeepSeek-V3.1": ("<think>", "</think>", False, "dropped"),
    "deepseek-ai-DeepSeek-V3.2": ("<think>", "</think>", False, "last turn"),
    "deepseek-ai-DeepSeek-V4": ("<think>", "</think>", False, "tool turns"),
    "GLM-4.6": ("<think>", "</think>", False, "last turn"),
    "GLM-4.7-Flash": ("<think>", "</think>", True, "last turn"),
    "mistralai-Ministral-3-14B-Reasoning-2512": ("[THINK]", "[/THINK]", False, "kept"),
    "Cohere2MoE": ("<|START_THINKING|>", "<|END_THINKING|>", True, "kept"),
    "CohereForAI-c4ai-command-r7b-12-2024-tool_use": ("<|START_THINKING|>", "<|END_THINKING|>", False, "tool turns"),
    "openai-gpt-oss-120b": ("<|channel|>analysis<|message|>", "<|end|>", False, "last turn"),
    "llm-jp-llm-jp-4.1-8b-thinking": ("<|channel|>analysis<|message|>", "<|end|>", False, "last turn"),
    "ibm-granite-granite-3.3-2B-Instruct": ("<think>", "</think>", False, "unread"),
    "ByteDance-Seed-OSS": ("<seed:think>", "</seed:think>", False, "kept"),
    "Kimi-K2-Thinking": ("<think>", "</think>", False, "unread"),
    "Kimi-K3": ("<|open|>think<|sep|>", "<|close|>think<|sep|>", True, "kept"),
    "MiniMax-M2": ("<think>", "</think>", True, "last turn"),
    "MiniMax-M3": ("<mm:think>", "</mm:think>", False, "kept"),
    "google-gemma-4-31B-it": ("<|channel>thought", "<channel|>", False, "last turn"),
    "tencent-Hy3": ("<think:opensource>", "</think:opensource>", False, "tool turns"),
    "upstage-Solar-Open-100B": ("<|think|>", "<|end|>", False, "last turn"),
    "Apriel-1.6-15b-Thinker-fixed": ("Here are my reasoning steps:", "[BEGIN FINAL RESPONSE]", True, "last turn"),
    "muse-glimmer": ("to=self<|message|>", "<|eom|>", False, "kept"),
    "NVIDIA-Nemotron-Nano-v2": ("<think>", "</think>", True, "dropped"),
    "HuggingFaceTB-SmolLM3-3B": ("<think>", "</think>", False, "unread"),
    "meta-llama-Llama-3.3-70B-Instruct": (None, None, False, "unread"),
    "google-gemma-2-2b-it": (None, None, False, "unread"),
    "Qwen-Qwen2.5-7B-Instruct": (None, None, False, "unread"),
}


@pytest.mark.skipif(not published(), reason="The published templates are not there; `make corpus` fetches them.")
@pytest.mark.parametrize("name", KNOWN)
def test_published_templates(engine: Engine, name: str) -> None:
    request = RenderRequest(published()[f"llama.cpp/{name}"], [], variables={"bos_token": "<s>", "eos_token": "</s>"})
    found = thinking_format(engine.render_many, request)
    assert (found.open, found.close, found.opened_by_prompt, found.history) == KNOWN[name]


@pytest.mark.skipif(not published(), reason="The published templates are not there; `make corpus` fetches them.")
def test_marks_of_all_published_templates_of_llamacpp_are_whole_or_none(engine: Engine) -> None:
    names = [name for name in published() if name.startswith("llama.cpp/")]
    found = [thinking_format(engine.render_many, RenderRequest(published()[name], [])) for name in names]
    assert len(found) == 71
    assert all((each.open is None) == (each.close is None) for each in found)
    assert sum(each.tags is not None for each in found) == 44
