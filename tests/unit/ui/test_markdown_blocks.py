"""An answer cut into Markdown blocks while it comes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.ui.models.markdown_blocks import LONGEST_LIST, MarkdownBlocks


def cut(*pieces: str) -> tuple[list[str], str]:
    blocks = MarkdownBlocks()
    found = [block for piece in pieces for block in blocks.feed(piece)]
    return found, blocks.rest


@pytest.mark.parametrize(
    ("text", "found", "rest"),
    [
        ("one\ntwo\n\nthree", ["one\ntwo\n\n"], "three"),
        ("one\n\n\n", [], "one\n\n\n"),
        ("# Head\ntext", ["# Head\n"], "text"),
        ("text\n# Head\n", ["text\n", "# Head\n"], ""),
        ("```py\na\n\n\nb\n```\nafter", ["```py\na\n\n\nb\n```\n"], "after"),
        ("````\n```\nx\n```\n\ny\n````\n", ["````\n```\nx\n```\n\ny\n````\n"], ""),
        ("- a\n\n- b\n\n  more\n\nend", ["- a\n\n- b\n\n  more\n\n"], "end"),
        ("1. a\n\n10", [], "1. a\n\n10"),
        ("1. a\n\n10 apples", ["1. a\n\n"], "10 apples"),
        ("text\n\n- a", ["text\n\n"], "- a"),
        ("text\n\n    code\n\nend", ["text\n\n    code\n\n"], "end"),
        ("- a\n  ```\n  x\n  ```\n- b\n\nend", ["- a\n  ```\n  x\n  ```\n- b\n\n"], "end"),
    ],
)
def test_a_block_is_complete_when_the_next_one_begins(text: str, found: list[str], rest: str) -> None:
    assert cut(text) == (found, rest)


def test_a_paragraph_is_complete_with_the_first_letter_of_the_next_one() -> None:
    assert cut("one\n\n", "t") == (["one\n\n"], "t")


def test_a_very_long_list_is_cut_between_its_items() -> None:
    item = "- " + "x" * 1000 + "\n\n"
    found, _rest = cut(item * 20)
    assert [len(block) >= LONGEST_LIST for block in found] == [True, True]


@given(st.lists(st.sampled_from(["a", "\n", "\n\n", "- b", "```", "# c", "1. ", "    x", "~~~", "\r\n"]), max_size=30))
def test_nothing_is_lost_however_it_is_cut(pieces: list[str]) -> None:
    found, rest = cut(*pieces)
    assert "".join(found) + rest == "".join(pieces)
    letters, left = cut(*"".join(pieces))
    assert "".join(letters) + left == "".join(pieces)


def test_the_end_completes_the_last_block_and_all_begins_anew() -> None:
    blocks = MarkdownBlocks()
    blocks.feed("```\nno end")
    assert blocks.close() == "```\nno end"
    assert blocks.rest == ""
    assert blocks.feed("a\n\nb") == ["a\n\n"]
