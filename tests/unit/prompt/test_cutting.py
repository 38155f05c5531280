"""Prompt after prompt is cut as if each were the first, and what differs is told."""

from hypothesis import given
from hypothesis import strategies as st

from thinkpane.prompt.cutting import TextCutter
from thinkpane.tokens.changes import Change, change_between
from thinkpane.tokens.segments import cut

TOKENS = ("<|im_start|>", "<|im_end|>", "<think>", "</think>")
TEXTS = st.lists(st.sampled_from([*TOKENS, "user\n", "a", "\n", "é", "\ud800"]), max_size=20).map("".join)


@given(st.lists(st.tuples(TEXTS, st.sampled_from([TOKENS, TOKENS[:2]])), max_size=6))
def test_each_text_is_cut_as_if_it_were_the_first(texts: list[tuple[str, tuple[str, ...]]]) -> None:
    cutter = TextCutter()
    before = ""
    for text, tokens in texts:
        found = cutter.cut(text, tokens, {}, ())
        assert (found.text, found.segments, found.earlier) == (text, cut(text, tokens, {}), before)
        if found.change is None:
            assert before == ""
        else:
            kept = found.change
            assert text[: kept.before] == before[: kept.before]
            assert text[len(text) - kept.after :] == before[len(before) - kept.after :]
        before = text


def test_an_equal_text_is_the_very_string_of_before() -> None:
    cutter = TextCutter()
    first = cutter.cut("".join(["a<|im_end|>", "b"]), TOKENS, {}, ()).text
    assert cutter.cut("".join(["a<|im_end|>b"]), TOKENS, {}, ()).text is first


@given(st.lists(st.tuples(TEXTS, st.booleans(), st.integers(0, 9), st.integers(0, 9)), max_size=6))
def test_what_somebody_knows_of_the_text_before_is_not_compared_again(texts: list[tuple[str, bool, int, int]]) -> None:
    cutter = TextCutter()
    before = ""
    for text, is_of_it, less, less_after in texts:
        same = change_between(before, text)
        known = Change(max(same.before - less, 0), max(same.after - less_after, 0))
        found = cutter.cut(text, TOKENS, {}, (), (before if is_of_it else f"{before}?", known))
        assert (found.text, found.segments, found.earlier) == (text, cut(text, TOKENS, {}), before)
        if before:
            assert found.change == (known if is_of_it else same)
        before = found.text
