"""Thinking that comes from several places shows once, and none of it is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.streaming.tags import DEFAULT_TAGS
from thinkpane.streaming.thinking_sources import FieldTags, Snapshots, ThinkingSources


def merged(*pieces: tuple[str, str]) -> str:
    sources = ThinkingSources()
    return "".join(sources.add(place, text) for place, text in pieces)


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        ([("a", "The"), ("b", "The"), ("a", " sum"), ("b", " sum")], "The sum"),
        ([("a", "The sum"), ("b", "The"), ("b", " sum")], "The sum"),
        ([("a", "The"), ("b", "The sum"), ("a", " sum"), ("a", "!")], "The sum!"),
        ([("a", "one"), ("b", "two")], "onetwo"),
        ([("a", "The cat"), ("b", "The "), ("b", "dog")], "The catThe dog"),
        ([("a", "x"), ("a", "x"), ("a", "x")], "xxx"),
        ([("a", "\nplan\n"), ("b", "plan"), ("a", "more"), ("b", "more")], "\nplan\nmore"),
        ([("a", "plan"), ("b", "\nplan"), ("b", "\n")], "plan\n"),
    ],
)
def test_merging(pieces: list[tuple[str, str]], shown: str) -> None:
    assert merged(*pieces) == shown


@given(st.text("ab", min_size=1, max_size=20), st.data())
def test_two_places_with_the_same_text_show_it_once(text: str, data: st.DataObject) -> None:
    at = {"a": 0, "b": 0}
    pieces = []
    while min(at.values()) < len(text):
        place = data.draw(st.sampled_from([name for name in at if at[name] < len(text)]))
        size = data.draw(st.integers(1, len(text) - at[place]))
        pieces.append((place, text[at[place] : at[place] + size]))
        at[place] += size
    assert merged(*pieces) == text


@given(st.lists(st.tuples(st.sampled_from("ab"), st.text("xyz", min_size=1, max_size=5)), max_size=8))
def test_each_place_alone_is_contained_whole(pieces: list[tuple[str, str]]) -> None:
    first = "".join(text for place, text in pieces if place == pieces[0][0])
    shown = iter(merged(*pieces))
    assert all(letter in shown for letter in first)


@pytest.mark.parametrize(
    ("sent", "pieces"),
    [
        (["Look up", "Look up it", "Look up it", "Look up it now"], ["Look up", " it", "", " now"]),
        (["The", " cat", " sat"], ["The", " cat", " sat"]),
        (["a", "ab", "abc"], ["a", "ab", "abc"]),
        (["    ", "    x"], ["    ", "    x"]),
        (["haha", "haha"], ["haha", "haha"]),
    ],
)
def test_snapshots(sent: list[str], pieces: list[str]) -> None:
    snapshots = Snapshots()
    assert [snapshots.piece(text) for text in sent] == pieces


def read(*pieces: str) -> tuple[str, bool]:
    field = FieldTags(DEFAULT_TAGS)
    text = "".join(field.feed(piece) for piece in pieces) + field.end()
    return text, field.removed


@pytest.mark.parametrize(
    ("text", "found", "removed"),
    [
        ("<think>add</think>", "add", True),
        ("\n<think>\nadd</think>\n", "add", True),
        ("add</think>", "add", True),
        ("a <think>b</think> c", "a <think>b</think> c", False),
        ("a</think>\nb", "a</think>\nb", False),
        ("\nadd\n", "\nadd\n", False),
        ("<thin", "<thin", False),
        ("add</thi", "add</thi", False),
        ("", "", False),
    ],
)
def test_tags_at_the_ends_of_a_field(text: str, found: str, removed: bool) -> None:
    assert read(text) == read(*text) == (found, removed)


def test_a_field_may_begin_again() -> None:
    field = FieldTags(DEFAULT_TAGS)
    assert field.feed("<think>a</think>") + field.end() == "a"
    assert field.feed("<think>b</think>") + field.end() == "b"


@given(st.lists(st.sampled_from(["<think>", "</think>", "<", "\n", "a"]), max_size=8))
def test_cuts_change_nothing(parts: list[str]) -> None:
    assert read("".join(parts)) == read(*parts) == read(*"".join(parts))
