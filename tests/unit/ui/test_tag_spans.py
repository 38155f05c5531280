"""Where control tags stand in a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.ui.models.tag_spans import tag_spans

TAGS = ("[L1]", "[L10]", "{REASON:…}", "{REASON:swarm}", "<Thinking:On>")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("[L10] and [l1]", ["[L10]", "[l1]"]),
        ("{REASON:swarm} {REASON:low}{REASON:}", ["{REASON:swarm}", "{REASON:low}", "{REASON:}"]),
        ("{REASON:low", []),
        ("{REASON:a\nb}", []),
        ("😀<thinking:on>", ["<thinking:on>"]),
        ("[L11]", []),
    ],
)
def test_tags_are_found_in_any_case_and_only_when_closed(text: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in tag_spans(text, TAGS)] == found


@given(st.text("[]{}L10REASON: \n"))
def test_spans_are_in_order_and_do_not_overlap(text: str) -> None:
    ends = [0]
    for start, end in tag_spans(text, TAGS):
        assert ends[-1] <= start < end
        ends.append(end)


def test_no_tags_find_nothing() -> None:
    assert tag_spans("[L1]", ()) == []
