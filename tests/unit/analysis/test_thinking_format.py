"""Whether a prompt ends inside a thinking block."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.analysis.thinking_format import USUAL_TAGS, ThinkingEnd, opens_thinking, thinking_tags
from thinkpane.templates import built_in
from thinkpane.templates.template import Template

OPEN = ThinkingEnd(True, "<think>", "</think>")
CLOSED = ThinkingEnd(False, "<think>", "</think>", closed_empty=True)


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("<|user|>hi<|assistant|><think>", OPEN),
        ("<|user|>hi<|assistant|><think>\n", OPEN),
        ("<|user|>hi<|assistant|><think></think>", CLOSED),
        ("<|im_start|>assistant\n<think>\n\n</think>\n\n", CLOSED),
        ("<|user|>hi<|assistant|>", ThinkingEnd()),
        ("<|assistant|><think>a</think>b<|user|>c<|assistant|>", ThinkingEnd()),
        ("<|assistant|><think>a</think>b<|user|>c<|assistant|><think>", OPEN),
        ("<|user|>what does <think> mean?<|im_end|>\n<|im_start|>assistant\n", ThinkingEnd()),
        ("[INST] what does <think> mean? [/INST]", ThinkingEnd()),
        ("<|user|>hi<|assistant|><think>I was about to say", OPEN),
        ("<|assistant|><think>done thinking</think>", ThinkingEnd()),
        ("", ThinkingEnd()),
        ("<|CHATBOT_TOKEN|><|START_THINKING|>", ThinkingEnd(True, "<|START_THINKING|>", "<|END_THINKING|>")),
        ("[INST]x[/INST][THINK]", ThinkingEnd(True, "[THINK]", "[/THINK]")),
    ],
)
def test_ends(prompt: str, expected: ThinkingEnd) -> None:
    assert opens_thinking(prompt) == expected


@pytest.mark.parametrize(("opening", "closing"), USUAL_TAGS)
def test_every_usual_pair_opens_and_closes(opening: str, closing: str) -> None:
    assert opens_thinking(f"x{opening}") == ThinkingEnd(True, opening, closing)
    assert opens_thinking(f"x{opening}\n{closing}").closed_empty


def test_the_templates_own_marks_come_first() -> None:
    own = Template("own", "…", thinking=("<plan>", "</plan>"))
    assert opens_thinking("x<plan>", own) == ThinkingEnd(True, "<plan>", "</plan>")
    assert opens_thinking("x<think>", own) == ThinkingEnd()


def test_marks_in_the_templates_text_are_taken_where_none_are_declared() -> None:
    assert thinking_tags(Template("x", "{{ '[THINK]' }}")) == (("[THINK]", "[/THINK]"),)
    assert thinking_tags(Template("x", "plain")) == USUAL_TAGS
    assert thinking_tags(built_in.load("glm-5.2")) == (("<think>", "</think>"),)


PARTS = st.sampled_from(
    [
        "<think>",
        "</think>",
        "<|user|>",
        "<|im_end|>",
        "[INST]",
        "</s>",
        "<|",
        "|>",
        "think>",
        "a",
        "\n",
        " ",
        "b" * 4_096,
    ]
)


@given(st.lists(PARTS, max_size=12).map("".join))
def test_the_end_is_read_as_the_whole_text_would_be(text: str) -> None:
    opening, closing = USUAL_TAGS[0]
    at = text.rfind(opening)
    rest = text[at + len(opening) :]
    inside = at >= 0 and closing not in rest and not re.search(r"<\|[^|<>\n]{1,40}\|>|</?s>|\[INST\]", rest)
    assert opens_thinking(text, Template("x", "<think></think>")).open == inside
