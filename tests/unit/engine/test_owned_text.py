"""Owned text is the text that str would give, and its runs lead back to the right characters."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinkpane.engine.owned_text import OwnedText, Run, joined

TEXTS = st.text(alphabet="ab \n\tßX<>", max_size=12)

METHODS: dict[str, Callable[[str, str], object]] = {
    "add": lambda text, other: text + other,
    "radd": lambda text, other: other + text,
    "times": lambda text, _other: text * 3,
    "slice": lambda text, other: text[len(other) // 2 : -1],
    "stepped": lambda text, _other: text[::-2],
    "strip": lambda text, other: text.strip(other or None),
    "lstrip": lambda text, _other: text.lstrip(),
    "rstrip": lambda text, _other: text.rstrip("\n"),
    "split": lambda text, _other: text.split(),
    "split by": lambda text, other: text.split(other or "a", 2),
    "rsplit": lambda text, other: text.rsplit(other or "b", 1),
    "splitlines": lambda text, _other: text.splitlines(),
    "partition": lambda text, other: text.partition(other or "a"),
    "rpartition": lambda text, other: text.rpartition(other or "a"),
    "replace": lambda text, other: text.replace(other, "<>", 2),
    "join": lambda text, other: text.join([other, "a", other]),
    "upper": lambda text, _other: text.upper(),
    "title": lambda text, _other: text.title(),
    "removeprefix": lambda text, other: text.removeprefix(other),
    "removesuffix": lambda text, other: text.removesuffix(other),
    "ljust": lambda text, _other: text.ljust(9, "."),
    "iterate": lambda text, _other: list(text),
    "format": lambda _text, other: "%s" % (other,),  # noqa: UP031 - the operator is what templates use
}


@pytest.mark.parametrize("name", METHODS)
@given(text=TEXTS, other=TEXTS)
def test_gives_what_str_gives_and_covers_it(name: str, text: str, other: str) -> None:
    owned = OwnedText(text, [Run(len(text), "text", 0, len(text))] if text else [])
    expected, found = METHODS[name](text, other), METHODS[name](owned, other)
    assert found == expected
    for each in [found] if isinstance(found, str) else list(found):  # type: ignore[call-overload]
        if isinstance(each, OwnedText):
            check_runs(each, text)


def check_runs(found: OwnedText, text: str) -> None:
    assert sum(run.length for run in found._runs) == len(found)
    at = 0
    for run in found._runs:
        piece = str.__getitem__(found, slice(at, at + run.length))
        if run.start is not None and run.end is not None and run.end - run.start == run.length:
            assert text[run.start : run.end].casefold() == piece.casefold()
        at += run.length


@given(st.lists(TEXTS))
def test_neighbours_of_one_value_become_one_run(pieces: list[str]) -> None:
    text = "".join(pieces)
    owned = OwnedText(text, [Run(len(text), "text", 0, len(text))] if text else [])
    at = 0
    parts = []
    for piece in pieces:
        parts.append(owned[at : at + len(piece)])
        at += len(piece)
    assert joined(parts)._runs == owned._runs
