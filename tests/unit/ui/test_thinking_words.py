"""Why text is believed to be thinking, as badges say it."""

import pytest

from thinkpane.ui.models.thinking_words import why


@pytest.mark.parametrize(
    ("source", "badge", "word"),
    [
        ("opened by the prompt", "opened by the prompt", "ends inside"),
        ("field: reasoning_content", "field: reasoning_content", "“reasoning_content”"),
        ("tag: <think>", "tag <think> in the answer", "after <think>"),
        ("closed by </think>", "closed by </think>", "nothing had opened it"),
        ("channel: analysis", "channel analysis", "“analysis”"),
        ("block: thinking", "block: thinking", "“thinking”"),
    ],
)
def test_every_source_says_where_it_is_from(source: str, badge: str, word: str) -> None:
    found = why(source)
    assert found.badge == badge
    assert word in found.hint


def test_a_source_that_is_not_known_stands_as_it_is() -> None:
    assert why("somewhere") == ("somewhere", "")
