"""Marks in an answer that should not be there."""

import pytest

from thinkpane.streaming.answer_watch import AnswerWatch


@pytest.mark.parametrize(
    "markup",
    [
        "<|tool_calls_section_begin|>",
        "<|tool_call_begin|>",
        "<tool_call>",
        "<function=",
        "[TOOL_CALLS]",
        "<|python_tag|>",
        "<｜tool▁calls▁begin｜>",
        "<minimax:tool_call>",
        "<xai:function_call ",
        "<longcat_tool_call>",
        "<|tool▁call▁begin|>",
        "<TOOLCALL>",
        "<|START_ACTION|>",
        "<tool_code>",
    ],
)
def test_tool_markup(markup: str) -> None:
    watch = AnswerWatch()
    for letter in f"Let me. {markup}x":
        watch.feed(letter)
    assert watch.tool_markup == markup
    assert watch.special_token == ""


@pytest.mark.parametrize(
    "token",
    [
        "<|im_end|>",
        "</s>",
        "<end_of_turn>",
        "<|END_OF_TURN_TOKEN|>",
        "<｜end▁of▁sentence｜>",
        "<turn|>",
        "<unused7>",
        "[/INST]",
        "<pad>",
    ],
)
def test_special_token(token: str) -> None:
    watch = AnswerWatch()
    for letter in f"ok{token}":
        watch.feed(letter)
    assert (watch.tool_markup, watch.special_token) == ("", token)


@pytest.mark.parametrize("text", ["a < b | c > d", "[1, 2]", "<b>x</b>", "x <|> y", "f(<a>, [b])" * 50])
def test_ordinary_text(text: str) -> None:
    watch = AnswerWatch()
    watch.feed(text)
    assert (watch.tool_markup, watch.special_token) == ("", "")
