"""How a reply is read, by what is known of its template."""

import pytest

from thinkpane.analysis.thinking_format import ThinkingFormat
from thinkpane.runs.reading import decode_options
from thinkpane.templates.template import Template

PLAN = ThinkingFormat("<plan>", "</plan>")
SOURCE = "{{ messages }}"
TEMPLATE = Template("x", SOURCE)


def test_the_chat_path_leaves_thinking_to_the_server() -> None:
    options = decode_options("chat", "…<plan>", TEMPLATE, SOURCE, PLAN)
    assert options.think_tags is None
    assert not options.prompt_opens_thinking


@pytest.mark.parametrize(("prompt", "opened"), [("a<plan>", True), ("a<plan></plan>", False), ("a", False)])
def test_marks_that_rendering_found_come_first(prompt: str, opened: bool) -> None:
    options = decode_options("raw", prompt, TEMPLATE, SOURCE, PLAN)
    assert options.think_tags is not None
    assert options.think_tags[0] == ("<plan>", "</plan>")
    assert options.prompt_opens_thinking is opened


def test_gpt_oss_is_read_by_its_channels() -> None:
    harmony = ThinkingFormat("<|channel|>analysis<|message|>", "<|end|>")
    assert decode_options("raw", "<|start|>assistant", TEMPLATE, SOURCE, harmony).channels == "harmony"


def test_without_a_format_the_text_of_the_template_counts() -> None:
    assert decode_options("raw", "a[THINK]", Template("x", "[THINK]"), "[THINK]").prompt_opens_thinking
    assert decode_options("raw", "a<think>", TEMPLATE, SOURCE, ThinkingFormat()).prompt_opens_thinking
