"""Marks of thinking, read out of what stands around unlikely words."""

import pytest

from thinkpane.analysis.thinking_marks import closing_mark, empty_pair, is_open_at_end, is_pair, opening_mark, told_pair


@pytest.mark.parametrize(
    ("opening", "closing", "expected"),
    [
        ("<think>", "</think>", True),
        ("[THINK]", "[/THINK]", True),
        ("<|START_THINKING|>", "<|END_THINKING|>", True),
        ("<|think:start|>", "<|think:end|>", True),
        ("<|start_think|>", "<|end_think|>", True),
        ("<seed:think>", "</seed:think>", True),
        ("<end_of_turn>", "<start_of_turn>", False),
        ("</think>", "<think>", False),
        ("<think>", "</answer>", False),
        ("<think>", "<think>", False),
        ("", "", False),
    ],
)
def test_pairs(opening: str, closing: str, expected: bool) -> None:
    assert is_pair(opening, closing) is expected


@pytest.mark.parametrize(
    ("before", "others", "closing", "expected"),
    [
        ("<|end|><|assistant|><think>\n", ["<|end|><|assistant|>"], "</think>", "<think>"),
        ("<|assistant|><think>", ["<|assistant|><think>"], "</think>", "<think>"),
        (
            "<|start|>assistant<|channel|>analysis<|message|>",
            ["<|start|>assistant", "<|start|>assistant<|channel|>final<|message|>"],
            "<|end|>",
            "<|channel|>analysis<|message|>",
        ),
        ("<|a|> to=self<|message|>", ["<|a|>", "<|a|> to=user<|message|>"], "<|eom|>", "to=self<|message|>"),
        ("<|open|>think<|sep|>", ["<|open|>response<|sep|>"], "<|close|>think<|sep|>", "<|open|>think<|sep|>"),
        ("<|assistant|>", ["<|assistant|>"], "[END]", ""),
        ("<|assistant|>" + "prose " * 30, ["<|assistant|>"], "[END]", ""),
    ],
)
def test_opening_marks(before: str, others: list[str], closing: str, expected: str) -> None:
    assert opening_mark(before, others, closing) == expected


@pytest.mark.parametrize(
    ("after", "before", "expected"),
    [
        ("\n</think>\n\n", "", "</think>"),
        ("<|end|><|start|>assistant<|channel|>final<|message|>", "", "<|end|>"),
        ("<|close|>think<|sep|><|open|>response", "<|open|>think<|sep|>", "<|close|>think<|sep|>"),
        ("\nDone thinking:\nand more", "", "Done thinking:"),
        ("prose " * 30, "", ""),
        ("", "", ""),
    ],
)
def test_closing_marks(after: str, before: str, expected: str) -> None:
    assert closing_mark(after, before) == expected


def test_empty_blocks() -> None:
    assert empty_pair("<|a|><think>\n\n</think>x") == ("<think>", "</think>")
    assert empty_pair("<|a|><think>x</think>") is None


def test_what_instructions_tell() -> None:
    assert told_pair(["nothing", "write between <think> and </think>"]) == ("<think>", "</think>")
    assert told_pair(["only <think>"]) is None


@pytest.mark.parametrize(
    ("tail", "expected"), [("<think>", True), ("<think></think>", False), ("x", False), ("</think><think>", True)]
)
def test_open_at_the_end(tail: str, expected: bool) -> None:
    assert is_open_at_end(tail, "<think>", "</think>") is expected
    assert not is_open_at_end(tail, "", "")
