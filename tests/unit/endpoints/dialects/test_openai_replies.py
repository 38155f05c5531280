"""What chat and text completions may bring, beyond the public cases: each habit once."""

from typing import Any

import pytest

from support.wire_cases import chat, decoded, sse
from thinkpane.endpoints.dialects._api import DecodeOptions
from thinkpane.streaming.events import Unknown
from thinkpane.streaming.transcript import Transcript

END = chat(finish="stop")


def chat_of(*deltas: dict[str, Any], options: DecodeOptions | None = None) -> Transcript:
    """The transcript of a chat stream with these deltas that ends in good order."""
    return decoded("openai-chat", sse(*map(chat, deltas), END, "[DONE]"), options)


def warned(transcript: Transcript) -> set[str]:
    return {each.id for each in transcript.warnings}


THINKING = [
    [{"reasoning": "plan"}],
    [{"reasoning_content": "plan"}],
    [{"thinking": "plan"}],
    [{"reasoning_content": {"text": "plan"}}],
    [{"reasoning": {"content": "plan"}}],
    [{"reasoning_details": [{"type": "reasoning.text", "text": "plan"}]}],
    [{"reasoning_details": [{"type": "reasoning.summary", "summary": "plan"}]}],
    [{"reasoning": "plan", "reasoning_details": [{"type": "reasoning.text", "text": "plan"}]}],
    [{"reasoning_content": "", "reasoning": "plan", "content": ""}],
    [{"reasoning_content": None, "reasoning": "plan", "content": None}],
    [{"reasoning": "pl"}, {"reasoning_content": "pl"}, {"reasoning": "an"}, {"reasoning_content": "an"}],
    [{"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "pl"}, {"type": "text", "text": "an"}]}]}],
    [{"content": [{"type": "thinking", "thinking": "plan", "closed": True}]}],
    [{"content": [{"type": "reasoning", "text": "plan"}]}],
    [{"content": "<think>plan</think>"}],
    [{"content": "<think>pl"}, {"reasoning": "plan"}, {"content": "an</think>"}],
    [{"content": "<think>\nplan"}, {"reasoning": "\nplan"}, {"content": "\n</think>\n\n"}],
]


@pytest.mark.parametrize("deltas", THINKING)
def test_thinking_in_every_place_shows_once(deltas: list[dict[str, Any]]) -> None:
    transcript = chat_of(*deltas, {"content": "4"})
    assert transcript.thinking.strip("\n") == "plan"
    assert transcript.answer == "4"
    assert transcript.is_clean
    assert len(transcript.thinking_blocks) == 1


def test_where_thinking_was_found_is_said() -> None:
    assert chat_of({"reasoning": "a"}, {"content": "4"}).thinking_blocks[0].source == "field: reasoning"
    assert chat_of({"content": "<think>a</think>4"}).thinking_blocks[0].source == "tag: <think>"
    seeded = chat_of({"content": "a</think>4"}, options=DecodeOptions(prompt_opens_thinking=True))
    assert seeded.thinking_blocks[0].source == "opened by the prompt"
    assert chat_of({"content": "a</think>4"}).thinking_blocks[0].source == "closed by </think>"


def test_cumulative_deltas_show_once_and_are_told() -> None:
    transcript = chat_of(
        {"reasoning_details": [{"text": "Look up"}]},
        {"reasoning_details": [{"text": "Look up. Done"}]},
        {"content": "Yes it"},
        {"content": "Yes it is"},
    )
    assert (transcript.thinking, transcript.answer) == ("Look up. Done", "Yes it is")
    assert "cumulative-deltas" in warned(transcript)


def test_answers_may_repeat_themselves() -> None:
    assert chat_of({"content": "haha"}, {"content": "haha"}, {"content": "hahahaha!"}).answer == "hahahahahahahaha!"


def test_a_reasoning_field_cancels_what_the_prompt_opened() -> None:
    transcript = chat_of(
        {"content": "\n"}, {"reasoning": "plan"}, {"content": "4"}, options=DecodeOptions(prompt_opens_thinking=True)
    )
    assert (transcript.thinking, transcript.answer.strip()) == ("plan", "4")
    assert "thinking-not-closed" not in warned(transcript)


def test_thinking_again_after_an_answer_is_another_block() -> None:
    transcript = chat_of({"reasoning": "a"}, {"content": "b"}, {"reasoning": "c"}, {"content": "d"})
    assert [block.text for block in transcript.thinking_blocks] == ["a", "c"]
    assert [block.text for block in transcript.answer_blocks] == ["b", "d"]


def test_two_inline_blocks_are_two() -> None:
    transcript = chat_of({"content": "<think>a</think><think>b</think>c"})
    assert [block.text for block in transcript.thinking_blocks] == ["a", "b"]


def test_encrypted_thinking_is_a_block_without_text() -> None:
    transcript = chat_of(
        {"reasoning_details": [{"type": "reasoning.encrypted", "data": "x1", "index": 0}]},
        {"reasoning_details": [{"type": "reasoning.encrypted", "data": "x2", "index": 0}]},
        {"content": "4"},
    )
    assert transcript.as_json()["redacted"] == 1
    assert transcript.thinking_blocks[0].opaque == "x1x2"


def test_a_signature_belongs_to_the_thinking_before_it() -> None:
    transcript = chat_of({"reasoning_details": [{"text": "plan", "signature": "S"}]}, {"content": "4"})
    assert [(block.text, block.signature) for block in transcript.thinking_blocks] == [("plan", "S")]


@pytest.mark.parametrize(
    "content",
    [
        "4",
        [{"type": "text", "text": "4"}],
        {"type": "text", "text": "4"},
        ["4"],
        [{"type": "output_text", "text": "4"}],
    ],
)
def test_content_in_every_shape(content: object) -> None:
    assert chat_of({"content": content}).answer == "4"


def test_parts_nobody_knows_are_kept() -> None:
    transcript = chat_of({"content": [{"type": "image", "data": "x"}, {"type": "text", "text": "4"}]})
    assert transcript.answer == "4"
    assert transcript.unknown == [Unknown("image", {"type": "image", "data": "x"})]


def test_a_refusal_is_the_answer_with_a_warning() -> None:
    transcript = chat_of({"refusal": "I can"}, {"refusal": "not."})
    assert transcript.answer == "I cannot."
    assert "refusal" in warned(transcript)


def test_only_the_first_of_several_choices_is_shown() -> None:
    second = {"choices": [{"index": 1, "delta": {"content": "no"}, "finish_reason": "length"}]}
    transcript = decoded("openai-chat", sse(chat({"content": "yes"}), second, END))
    assert (transcript.answer, transcript.finish) == ("yes", "stop")
    assert "several-choices" in warned(transcript)


def test_a_whole_message_after_the_deltas_repeats_nothing() -> None:
    last = {"choices": [{"index": 0, "delta": {}, "message": {"content": "4"}, "finish_reason": "stop"}]}
    assert decoded("openai-chat", sse(chat({"content": "4"}), last)).answer == "4"


@pytest.mark.parametrize("api", ["openai-chat", "openai-completions"])
def test_either_dialect_reads_the_other_ones_chunks(api: str) -> None:
    text = {"choices": [{"index": 0, "text": "4", "finish_reason": "stop"}]}
    assert decoded(api, sse(text)).answer == "4"
    assert decoded(api, sse(chat({"content": "4"}, "stop"))).answer == "4"


USAGE = {"prompt_tokens": 1, "completion_tokens": 2}
USAGE_PLACES: list[dict[str, Any]] = [
    {"choices": [], "usage": USAGE},
    chat(usage=USAGE),
    chat(x_groq={"id": "r", "usage": USAGE}),
    {"choices": [{"index": 0, "delta": {}, "usage": USAGE}]},
    {"usage": USAGE},
]


@pytest.mark.parametrize("event", USAGE_PLACES)
def test_usage_anywhere(event: dict[str, Any]) -> None:
    transcript = decoded("openai-chat", sse(chat({"content": "4"}, usage=None), END, event, "[DONE]"))
    assert transcript.usage == USAGE
    assert transcript.is_clean


def test_the_latest_usage_counts() -> None:
    transcript = decoded(
        "openai-chat", sse(chat({"content": "4"}, usage={"completion_tokens": 1}), chat(usage=USAGE), END)
    )
    assert transcript.usage == USAGE


def test_timings_progress_and_model_are_read() -> None:
    transcript = decoded(
        "openai-chat",
        sse(
            chat(prompt_progress={"total": 9, "processed": 3}, id="c1", model="smol"),
            chat({"content": "4"}),
            chat(finish="stop", timings={"predicted_n": 1}),
        ),
    )
    assert (transcript.id, transcript.model, transcript.timings) == ("c1", "smol", {"predicted_n": 1})
    assert [each.name for each in transcript.unknown] == ["prompt_progress"]


@pytest.mark.parametrize("word", ["insufficient_system_resource", "network_error", "error", "abort"])
def test_words_that_mean_a_fault(word: str) -> None:
    transcript = decoded("openai-chat", sse(chat({"content": "4"}), chat(finish=word), "[DONE]"))
    assert transcript.problem is not None
    assert (transcript.problem.kind, transcript.finish) == ("server", word)
    assert not transcript.is_clean


@pytest.mark.parametrize("word", ["content_filter", "sensitive"])
def test_a_filter_is_told(word: str) -> None:
    transcript = decoded("openai-chat", sse(chat({"content": "4"}), chat(finish=word)))
    assert "content-filtered" in warned(transcript)
    assert transcript.is_clean


@pytest.mark.parametrize("word", ["", None])
def test_an_empty_finish_is_none(word: str | None) -> None:
    transcript = decoded("openai-chat", sse(chat({"content": "4"}, word), "[DONE]"))
    assert transcript.finish == ""
    assert warned(transcript) == {"no-finish-reason"}
    assert transcript.is_clean


def test_nothing_counts_after_done() -> None:
    body = sse(chat({"content": "4"}, "stop"), "[DONE]", chat({"content": "5"}), {"error": "late"})
    transcript = decoded("openai-chat", body)
    assert transcript.answer == "4"
    assert transcript.is_clean


def test_harmony_calls_become_tool_calls() -> None:
    text = '<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a":1}<|call|>'
    transcript = chat_of({"content": text[:40]}, {"content": text[40:]}, options=DecodeOptions(channels="harmony"))
    assert [(call.name, call.arguments) for call in transcript.tool_calls] == [("f", '{"a":1}')]
    assert transcript.answer == ""


def test_a_reply_that_stops_in_thinking_is_told() -> None:
    assert warned(chat_of({"content": "<think>a"})) == {"thinking-not-closed", "no-answer-only-thinking"}
    assert warned(chat_of({"content": "a"})) == set()


def test_stray_tags_are_told() -> None:
    assert warned(chat_of({"content": "a <think>b</think>"})) == {"think-tag-in-answer"}
    assert warned(chat_of({"content": "</think>\n\nHi"})) == {"think-tag-not-opened"}
    assert warned(chat_of({"content": "plan</think>Hi"})) == {"think-tag-not-opened"}
