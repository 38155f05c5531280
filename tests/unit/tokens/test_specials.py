"""Which special tokens a template has when there is no tokenizer."""

from thinkpane.templates.library import load
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
    variables = {"bos_token": "<s>", "other": "<o>", "eos_token": "</s>", "pad_token": None}
    assert special_tokens(("<a>",), ["<b>"], variables) == ("<a>", "<s>", "</s>")


def test_constants_where_there_is_no_list() -> None:
    assert special_tokens((), ["<b>", "<b>"], {}, ("<t>", "</t>")) == ("<b>", "<t>", "</t>")


def test_built_in_template_brings_its_own() -> None:
    template = load("glm-5.2")
    found = special_tokens(template.special_tokens, [], template.variables, template.thinking)
    assert {"[gMASK]", "<|user|>", "<think>", "</think>"} <= set(found)
