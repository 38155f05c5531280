"""Think tags in streamed text: where they count, how they are cut, and that nothing is lost."""

import re
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.streaming.thinking import Piece, ThinkSplitter

Mode = Literal["leading", "anywhere"]


class Shown:
    """What a person sees of the pieces."""

    def __init__(self, splitter: ThinkSplitter) -> None:
        self.splitter = splitter
        self.thinking = self.answer = ""
        self.marks: list[tuple[str, str]] = []
        self.all: list[Piece] = []

    def take(self, pieces: list[Piece]) -> None:
        self.all += pieces
        for piece in pieces:
            if piece.what == "thinking":
                self.thinking += piece.text
            elif piece.what == "answer":
                self.answer += piece.text
            else:
                self.marks.append((piece.what, piece.text))
                if piece.what == "reread":
                    self.thinking, self.answer = self.thinking + self.answer, ""


def read(
    *texts: str,
    mode: Mode = "leading",
    seeded: bool = False,
    tags: tuple[tuple[str, str], ...] | None = None,
    singly: bool = False,
) -> Shown:
    shown = Shown(ThinkSplitter(tags, mode, prompt_opens_thinking=seeded))
    for text in "".join(texts) if singly else texts:
        shown.take(shown.splitter.feed(text))
    shown.take(shown.splitter.close())
    return shown


def both(text: str, mode: Mode = "leading", *, seeded: bool = False) -> tuple[str, str]:
    """Thinking and answer, the same at once and character by character."""
    once, singly = read(text, mode=mode, seeded=seeded), read(text, mode=mode, seeded=seeded, singly=True)
    assert (once.thinking, once.answer, once.marks) == (singly.thinking, singly.answer, singly.marks)
    return once.thinking, once.answer


SPLITS = [
    ("<think>plan</think>answer", "plan", "answer"),
    ("<think>\nplan\n\n</think>\n\nHi\n\n- a\n", "plan", "Hi\n\n- a\n"),
    (" \n <think>plan</think>answer", "plan", "answer"),
    ("<thinking>a</thinking><thought>b</thought><reasoning>c</reasoning>d", "abc", "d"),
    ("<think>a</thinking>b</think>c", "a</thinking>b", "c"),
    ("<think></think>\n\nanswer", "", "answer"),
    ("<think>a</think>", "a", ""),
    ("<think>never closed\n", "never closed\n", ""),
    ("<think>cut in its </thi", "cut in its </thi", ""),
    ("<Direct answer", "", "<Direct answer"),
    ("<th", "", "<th"),
    ("\n\nanswer\n", "", "\n\nanswer\n"),
    ("\n\n", "", "\n\n"),
    ("", "", ""),
    ("Sure. <think>plan</think> done", "", "Sure. <think>plan</think> done"),
    ("<think>a</think>b<think>c</think>d", "a", "b<think>c</think>d"),
    ("<think>try:\n```py\nx=1\n</think>x is 1", "try:\n```py\nx=1", "x is 1"),
    ("<think>write `</think>` last</think>ok", "write `</think>` last", "ok"),
    ("<think>a`</think>ok", "a`", "ok"),
    ("<think>a`</think>", "a`", ""),
]


@pytest.mark.parametrize(("text", "thinking", "answer"), SPLITS)
def test_leading(text: str, thinking: str, answer: str) -> None:
    assert both(text) == (thinking, answer)


ANYWHERE = [
    ("Sure.\n<think>plan</think>\nDone", "plan", "Sure.\nDone"),
    ("Sure.<think>plan</think>\nDone", "plan", "Sure.\nDone"),
    ("Sure. <think>plan</think> Done", "plan", "Sure.  Done"),
    ("<think>a</think>b<think>c</think>d", "ac", "bd"),
    ("a\n<think>x</think>\n\n<think>y</think>\n\nb", "xy", "a\nb"),
    ("a<think>x</think>\n<think>y</think>\nb", "xy", "a\nb"),
    (
        "<think>e</think>The tag `<think>` opens and `</think>` closes.",
        "e",
        "The tag `<think>` opens and `</think>` closes.",
    ),
    ("x ``a ` <think>`` y<think>t</think>", "t", "x ``a ` <think>`` y"),
    ("```\n<think>a</think>\n```\n<think>b</think>c", "b", "```\n<think>a</think>\n```\nc"),
    ("~~~~\n~~~\n<think>\n~~~~\n<think>b</think>c", "b", "~~~~\n~~~\n<think>\n~~~~\nc"),
    ("1. ```\n<think>\n   ```\n<think>b</think>", "b", "1. ```\n<think>\n   ```\n"),
    ("```x``` <think>b</think>", "b", "```x``` "),
    ("an odd ` here\n<think>b</think>", "b", "an odd ` here\n"),
]


@pytest.mark.parametrize(("text", "thinking", "answer"), ANYWHERE)
def test_anywhere_outside_code(text: str, thinking: str, answer: str) -> None:
    assert both(text, "anywhere") == (thinking, answer)


SEEDED = [
    ("Let me add.</think>4", "Let me add.", "4"),
    ("\nLet me\n</think>\n\n4", "Let me", "4"),
    ("<think>\nLet me</think>4", "Let me", "4"),
    ("\n <think>a</think>4", "a", "4"),
    ("</think>4", "", "4"),
    ("cut off", "cut off", ""),
    ("by its own name</reasoning>4", "by its own name", "4"),
    ("<thin air</think>4", "<thin air", "4"),
    ("\n", "", ""),
]


@pytest.mark.parametrize(("text", "thinking", "answer"), SEEDED)
def test_prompt_opens_thinking(text: str, thinking: str, answer: str) -> None:
    assert both(text, seeded=True) == (thinking, answer)


LONE = [
    ("Let me add.</think>4", "Let me add.", "4"),
    ("Let me add. </think>\n\n4", "Let me add. ", "4"),
    ("Let me\n</think>\n4", "Let me\n", "4"),
    ("all of it</think>", "all of it", ""),
    ("all of it </think>  ", "all of it ", "  "),
    ("say `</think>` and\n</think>\n4", "say `</think>` and\n", "4"),
]


@pytest.mark.parametrize("mode", ["leading", "anywhere"])
@pytest.mark.parametrize(("text", "thinking", "answer"), LONE)
def test_a_closing_tag_alone_says_that_all_before_was_thinking(
    text: str, thinking: str, answer: str, mode: Mode
) -> None:
    assert both(text, mode) == (thinking, answer)


TALK = [
    "The tag </think> closes a block.",
    "It ends in “</think>”, always.",
    "Use `</think>` to close.",
    "```\n</think>\n```\n",
    "First <think> then\n</think>\n",
]


@pytest.mark.parametrize("text", TALK)
def test_talk_about_tags_is_answer(text: str) -> None:
    assert both(text) == ("", text)


def test_a_closing_tag_first_of_all_is_dropped_and_said() -> None:
    shown = read("</think>\n\nHi")
    assert (shown.answer, shown.marks) == ("Hi", [("dropped", "</think>")])


def test_own_tags_replace_the_usual_ones() -> None:
    shown = read("◁think▷a<think>b◁/think▷c</think>d", tags=(("◁think▷", "◁/think▷"),), singly=True)
    assert (shown.thinking, shown.answer) == ("a<think>b", "c</think>d")
    assert shown.marks == [("opened", "◁think▷"), ("closed", "◁/think▷")]


def test_no_tags_split_nothing() -> None:
    assert read("<think>a</think>", tags=()).answer == "<think>a</think>"


def test_half_a_tag_never_shows() -> None:
    splitter = ThinkSplitter()
    assert splitter.feed("<thi") == []
    assert splitter.feed("nk>a</th") == [Piece("opened", "<think>"), Piece("thinking", "a")]
    assert splitter.feed("ink>") == [Piece("closed", "</think>")]
    assert splitter.feed("\nb") == [Piece("answer", "b")]


def test_a_reasoning_field_cancels_the_seed() -> None:
    splitter = ThinkSplitter(prompt_opens_thinking=True)
    assert splitter.feed("\n") == []
    assert splitter.cancel_seed() == []
    assert splitter.feed("Hi") == [Piece("answer", "\nHi")]
    assert splitter.cancel_seed() == []


def test_a_late_reasoning_field_closes_what_the_seed_took() -> None:
    splitter = ThinkSplitter(prompt_opens_thinking=True)
    assert splitter.feed("Hi</th") == [Piece("thinking", "Hi")]
    assert splitter.cancel_seed() == [Piece("thinking", "</th"), Piece("closed", "")]
    assert splitter.feed("Ho") == [Piece("answer", "Ho")]


def test_after_a_reasoning_field_a_closing_tag_is_text() -> None:
    splitter = ThinkSplitter()
    splitter.cancel_seed()
    assert [piece.what for piece in splitter.feed("a\n</think>\nb")] == ["stray", "answer"]


def test_is_thinking_tells_an_open_block() -> None:
    assert read("<think>a").splitter.is_thinking
    assert not read("<think>a</think>").splitter.is_thinking


def test_endless_blanks_show_and_cost_little() -> None:
    splitter = ThinkSplitter()
    shown = sum(len(piece.text) for _ in range(10_000) for piece in splitter.feed("\n"))
    assert shown > 5_000
    thinking = ThinkSplitter(prompt_opens_thinking=True)
    thinking.feed("a")
    assert sum(len(piece.text) for _ in range(10_000) for piece in thinking.feed("\n")) > 5_000


PARTS = ["<think>", "</think>", "<thinking>", "<", "</th", "ink>", "\n", " ", "`", "```", "a", "“", "~~~", "é"]
TEXTS = st.lists(st.sampled_from(PARTS), max_size=14)
MODES: st.SearchStrategy[Mode] = st.sampled_from(["leading", "anywhere"])


@given(TEXTS, MODES, st.booleans())
def test_cuts_change_nothing(parts: list[str], mode: Mode, seeded: bool) -> None:
    whole = read("".join(parts), mode=mode, seeded=seeded)
    for other in (read(*parts, mode=mode, seeded=seeded), read(*parts, mode=mode, seeded=seeded, singly=True)):
        assert (other.thinking, other.answer, other.marks) == (whole.thinking, whole.answer, whole.marks)


@given(TEXTS, MODES, st.booleans())
def test_nothing_is_lost_but_blanks_at_a_rim(parts: list[str], mode: Mode, seeded: bool) -> None:
    text = "".join(parts)
    pieces = read(*parts, mode=mode, seeded=seeded).all
    told = "".join(piece.text for piece in pieces if piece.what != "stray")
    assert re.sub(r"\s", "", told) == re.sub(r"\s", "", text)


@given(TEXTS, MODES)
def test_text_without_tags_comes_through_whole(parts: list[str], mode: Mode) -> None:
    text = re.sub(r"</?think(ing)?>", "", "".join(parts))
    text = re.sub(r"</?think(ing)?>", "", text)
    if not re.search(r"</?think(ing)?>", text):
        assert read(text, mode=mode).answer == text
