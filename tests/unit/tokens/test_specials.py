"""Which special tokens a template has when there is no tokenizer."""

from thinkpane.templates.library import load
from thinkpane.templates.template import Template
from thinkpane.tokens.specials import special_tokens, tokens_in


def test_usual_shapes_in_constants() -> None:
    texts = [
        "<|im_start|>user\n",
        "a < b and c > d",
        "[INST] x [/INST]",
        "<think>\n</think>",
        "[1, 2]",
        "<｜User｜>",
        "[TOOL_CALLS]",
    ]
    assert tokens_in(texts) == (
        "<|im_start|>",
        "[INST]",
        "[/INST]",
        "<think>",
        "</think>",
        "<｜User｜>",
        "[TOOL_CALLS]",
    )


def test_own_list_wins_over_constants() -> None:
    template = Template("x", "", special_tokens=("<a>",), variables={"bos_token": "<s>", "other": "<o>"})
    assert special_tokens(template, ["<b>"], {"eos_token": "</s>", "pad_token": None}) == ("<a>", "<s>", "</s>")


def test_constants_where_there_is_no_list() -> None:
    assert special_tokens(Template("x", "", thinking=("<t>", "</t>")), ["<b>", "<b>"]) == ("<b>", "<t>", "</t>")


def test_built_in_template_brings_its_own() -> None:
    found = special_tokens(load("glm-5.2"), [])
    assert {"[gMASK]", "<|user|>", "<think>", "</think>"} <= set(found)
