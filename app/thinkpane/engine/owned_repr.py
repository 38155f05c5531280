"""What `str` makes of any value, with owners: a number leads to its place, a printed dict or list to its leaves."""

from collections.abc import Iterator
from typing import Any

from thinkpane.engine.owned_text import OwnedText, Run, add_run, by_character, has_runs, joined, path_of, runs_of
from thinkpane.engine.owned_values import step


def text_of(value: Any) -> str:
    """`str(value)`, owned wherever something is known of the value; raises what `str` raises."""
    if isinstance(value, str):
        return OwnedText(str.__str__(value), runs_of(value)) if has_runs(value) else str(value)
    text = str(value)
    if isinstance(value, dict | list | tuple) and (found := _whole(_pieces(value, path_of(value)), text)) is not None:
        return found
    path = path_of(value)
    return OwnedText(text, [Run(len(text), path)]) if path is not None and text else text


def texts_of(values: Any) -> OwnedText:
    """The texts of `values` one after another, as `~` and `join` write them."""
    return joined(text_of(each) for each in values)


def _whole(pieces: Iterator[tuple[str, list[Run]]], text: str) -> OwnedText | None:
    """The pieces as one, None where they do not make up `text`: then the value has a repr that is not ours to know."""
    texts: list[str] = []
    runs: list[Run] = []
    for piece, owners in pieces:
        texts.append(piece)
        for run in owners:
            add_run(runs, run)
    return OwnedText(text, runs) if "".join(texts) == text else None


def _pieces(value: Any, path: str | None) -> Iterator[tuple[str, list[Run]]]:
    own = path_of(value) or path
    if isinstance(value, str):
        yield _text(value, own)
    elif isinstance(value, dict):
        yield _part("{", own)
        for index, (key, each) in enumerate(dict.items(value)):
            below = path_of(each) or (step(own, key) if own is not None else None)
            yield _part(", " if index else "", own)
            yield from _pieces(key, below)
            yield _part(": ", own)
            yield from _pieces(each, below)
        yield _part("}", own)
    elif isinstance(value, list | tuple):
        opening, closing = ("[", "]") if isinstance(value, list) else ("(", ",)" if len(value) == 1 else ")")
        yield _part(opening, own)
        for index, each in enumerate(tuple.__iter__(value) if isinstance(value, tuple) else list.__iter__(value)):
            yield _part(", " if index else "", own)
            yield from _pieces(each, path_of(each) or (step(own, index) if own is not None else None))
        yield _part(closing, own)
    else:
        yield _part(repr(value), own)


def _text(value: str, path: str | None) -> tuple[str, list[Run]]:
    text = repr(value)
    if not has_runs(value):
        return _part(text, path)

    def escaped(character: str) -> str:
        if character in "'\"":
            return "\\" + character if character == text[0] else character
        return repr(character)[1:-1]

    inner = by_character(text[1:-1], value, escaped)
    return (text, [Run(1, path), *inner, Run(1, path)]) if inner is not None else _part(text, path)


def _part(text: str, path: str | None) -> tuple[str, list[Run]]:
    return text, [Run(len(text), path)] if text else []
