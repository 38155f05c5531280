"""Where a streamed text is code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.streaming.code_spans import CodeSpans


def inside_after(*pieces: str) -> bool:
    spans = CodeSpans()
    for piece in pieces:
        spans.advance(piece)
    return spans.inside


@pytest.mark.parametrize(
    "text",
    [
        "`",
        "a `b",
        "``a ` b",
        "```",
        "```py\nx",
        "~~~\n```\n",
        "> ```\n> x",
        "- ```\n  x",
        "   ```x\ny",
        "````\n```\n",
    ],
)
def test_in_code(text: str) -> None:
    assert inside_after(text)
    assert inside_after(*text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "`b`",
        "``a ` b``",
        "```\nx\n```\n",
        "```x```",
        "```x``` y",
        "an odd ` here\n",
        "~~struck~~",
        "a ~~~ b\n",
        "````\n```\n````\n",
    ],
)
def test_not_in_code(text: str) -> None:
    assert not inside_after(text)
    assert not inside_after(*text)


def test_a_row_of_backticks_may_be_cut() -> None:
    assert inside_after("`", "`", "`\nx")
    assert not inside_after("``a`", "` b")


@given(st.lists(st.sampled_from(["`", "~", "\n", "a", " ", "> "]), max_size=25))
def test_cuts_change_nothing(parts: list[str]) -> None:
    assert inside_after("".join(parts)) == inside_after(*parts)
