"""What servers send beside a reply: never fatal, never shown as text, and kept where it is an event of its own.

Source of each: the house's wire-format notes, by section.
"""

import json
from typing import Any

import pytest

from support.wire_cases import chat, decoded, sse

END = chat(finish="stop")
CHUNK: dict[str, dict[str, Any]] = {
    "OpenAI (1.2)": {"obfuscation": "aZ3", "service_tier": "default", "moderation": {"input": []}},
    "OpenRouter (2.6)": {"provider": "P", "native_finish_reason": None},
    "vLLM (3)": {"prompt_token_ids": [1, 2], "prompt_text": "<|im_start|>", "metrics": {"time_to_first_token_ms": 3}},
    "Azure (1.3)": {"prompt_filter_results": [{"prompt_index": 0, "content_filter_results": {}}]},
    "llama.cpp (5.4)": {"timings": {"predicted_n": 1}, "prompt_progress": {"total": 9, "processed": 4}},
    "Groq (2.7)": {"x_groq": {"id": "r", "seed": 1, "debug": {"input_tokens": ["a"]}}},
}
CHOICE: dict[str, dict[str, Any]] = {
    "OpenRouter (2.6)": {"native_finish_reason": "completed"},
    "vLLM (3)": {"stop_reason": 151643, "token_ids": [7]},
    "SGLang (4)": {"matched_stop": 151645, "hidden_states": None},
    "Azure (1.3)": {"content_filter_results": {"hate": {"filtered": False}}, "content_filter_offsets": {}},
    "logprobs (1.4)": {"logprobs": {"content": [{"token": "4", "logprob": -9999.0, "bytes": None}], "refusal": None}},
    "Ollama (7.2)": {"logprobs": None},
}


@pytest.mark.parametrize("extra", CHUNK.values(), ids=CHUNK)
def test_beside_the_choices(extra: dict[str, Any]) -> None:
    found = decoded("openai-chat", sse({**chat({"content": "4"}), **extra}, {**END, **extra}, "[DONE]"))
    assert (found.answer, found.thinking, found.finish, found.problem) == ("4", "", "stop", None)
    alone = decoded("openai-chat", sse({"choices": [], **extra}, chat({"content": "4"}), END))
    assert (alone.answer, alone.is_clean) == ("4", True)


@pytest.mark.parametrize("extra", CHOICE.values(), ids=CHOICE)
def test_beside_the_delta(extra: dict[str, Any]) -> None:
    chunks = [{"choices": [{"index": 0, "delta": {"content": text}, **extra}]} for text in ("4", "2")]
    found = decoded("openai-chat", sse(*chunks, END))
    assert (found.answer, found.finish, found.problem, found.warnings) == ("42", "stop", None, [])


@pytest.mark.parametrize(
    ("word", "fails", "said"),
    [
        ("stop", False, []),
        ("length", False, []),
        ("model_length", False, []),
        ("model_context_window_exceeded", False, []),
        ("content_filter", False, ["content-filtered"]),
        ("sensitive", False, ["content-filtered"]),
        ("insufficient_system_resource", True, []),
        ("network_error", True, []),
        ("abort", True, []),
        ("error", True, []),
        ("STOP", False, []),
        ("a_word_of_tomorrow", False, []),
    ],
)
def test_every_word_for_an_end_is_kept(word: str, fails: bool, said: list[str]) -> None:
    for body in (
        sse(chat({"content": "4"}), chat(finish=word), "[DONE]"),
        sse(chat({"content": "4"}, word)),
        json.dumps({"choices": [{"message": {"content": "4"}, "finish_reason": word}]}).encode(),
    ):
        found = decoded("openai-chat", body)
        assert (found.answer, found.finish, found.is_clean) == ("4", word, not fails)
        assert [each.id for each in found.warnings if each.id != "not-streamed"] == said
        assert (found.problem is not None) is fails


@pytest.mark.parametrize(
    "word", ["end_turn", "max_tokens", "stop_sequence", "pause_turn", "model_context_window_exceeded"]
)
def test_every_word_of_anthropic(word: str) -> None:
    delta = {"type": "message_delta", "delta": {"stop_reason": word}}
    text = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "4"}}
    found = decoded("anthropic", sse(text, delta, {"type": "message_stop"}))
    assert (found.finish, found.is_clean, found.warnings) == (word, True, [])


@pytest.mark.parametrize("word", ["stop", "length", "load", "unload"])
def test_every_word_of_ollama(word: str) -> None:
    lines = [
        {"message": {"content": "4"}, "done": False},
        {"message": {"content": ""}, "done": True, "done_reason": word},
    ]
    found = decoded("ollama", "".join(json.dumps(line) + "\n" for line in lines).encode())
    assert (found.finish, found.is_clean) == (word, True)


@pytest.mark.parametrize("word", ["eos", "limit", "word"])
def test_every_word_of_llama_cpp(word: str) -> None:
    end = {
        "content": "", "stop": True, "stop_type": word, "stopping_word": "", "generation_settings": {"n": 1},
        "prompt": "<think>", "has_new_line": False, "truncated": False,
    }  # fmt: skip
    piece = {"content": "4", "tokens": [4], "stop": False, "completion_probabilities": [{"token": "4"}]}
    progress = {"content": "", "tokens": [0], "stop": False, "prompt_progress": {"total": 9}}
    found = decoded("llamacpp", sse(progress, piece, end))
    assert (found.answer, found.thinking, found.finish, found.warnings) == ("4", "", word, [])
    assert [each.name for each in found.unknown] == ["prompt_progress"]


USAGES: list[dict[str, Any]] = [
    {"prompt_tokens": 5, "completion_tokens": 1, "prompt_cache_hit_tokens": 2, "prompt_cache_miss_tokens": 3},
    {"prompt_tokens": 5, "cached_tokens": 4},
    {"prompt_tokens": 5, "reasoning_tokens": 7},
    {"prompt_tokens": 5, "cost": 0.01, "cost_details": {"upstream": None}},
    {"completion_tokens_details": {"reasoning_tokens": 3}, "prompt_tokens_details": {"cache_type": "implicit"}},
]


@pytest.mark.parametrize("usage", USAGES)
def test_counts_are_kept_as_they_came_from_every_place(usage: dict[str, Any]) -> None:
    said = chat({"content": "4"}, usage=None)
    for body in (
        sse(said, END, {"choices": [], "usage": usage}, "[DONE]"),
        sse(said, {**END, "usage": usage}, "[DONE]"),
        sse({**said, "usage": {"prompt_tokens": 1}}, {**END, "usage": usage}, "[DONE]"),
        sse(said, {**END, "x_groq": {"usage": usage}}, "[DONE]"),
        sse(said, {"choices": [{**END["choices"][0], "usage": usage}]}, "[DONE]"),
        sse(said, END, {"usage": usage}, "[DONE]"),
    ):
        assert decoded("openai-chat", body).usage == usage


@pytest.mark.parametrize(
    ("api", "event"),
    [
        ("openai-responses", {"type": "response.compaction.compacting", "item_id": "c"}),
        ("openai-responses", {"type": "response.mcp_call.in_progress", "item_id": "m"}),
        ("openai-responses", {"type": "response.web_search_call.searching", "item_id": "w"}),
        ("openai-responses", {"type": "response.output_text.annotation.added", "annotation": {}}),
        ("anthropic", {"type": "content_block_start", "index": 3, "content_block": {"type": "container_upload"}}),
        (
            "anthropic",
            {"type": "content_block_delta", "index": 3, "delta": {"type": "compaction_delta", "content": "x"}},
        ),
        (
            "anthropic",
            {"type": "content_block_delta", "index": 3, "delta": {"type": "citations_delta", "citation": {}}},
        ),
        ("anthropic", {"type": "an_event_of_tomorrow", "x": 1}),
    ],
)
def test_events_that_nobody_knows_are_kept_and_cost_nothing(api: str, event: dict[str, Any]) -> None:
    if api == "anthropic":
        text = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "4"}}
        end = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}
    else:
        text = {"type": "response.output_text.delta", "item_id": "m", "delta": "4"}
        end = {"type": "response.completed", "response": {"status": "completed", "output": []}}
    queued = [] if api == "anthropic" else [{"type": "response.queued", "response": {"id": "r"}}]
    found = decoded(api, sse(*queued, event, text, event, end))
    assert (found.answer, found.is_clean, found.warnings) == ("4", True, [])
    assert len(found.unknown) == 2


def test_a_refusals_details_are_kept() -> None:
    text = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "No"}}
    end = {"type": "message_delta", "delta": {"stop_reason": "refusal", "stop_details": {"category": "x"}}}
    found = decoded("anthropic", sse(text, end))
    assert [each.name for each in found.unknown] == ["stop_details"]
    assert [each.id for each in found.warnings] == ["content-filtered"]


def test_signs_of_life_are_no_events() -> None:
    life = b": OPENROUTER PROCESSING\n\n: keep-alive\n\n:\n\n\n\n"
    found = decoded("openai-chat", life + sse(chat({"content": "4"})) + life + sse(END) + life + sse("[DONE]") + life)
    assert (found.answer, found.is_clean, found.unknown, found.warnings) == ("4", True, [], [])


def test_where_to_sign_in_does_not_hide_the_fault() -> None:
    problem = decoded("ollama", b'{"error": "unauthorized", "signin_url": "https://ollama.com/x"}\n').problem
    assert problem is not None
    assert problem.message.endswith("unauthorized")
