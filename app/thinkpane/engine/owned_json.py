"""`tojson` that keeps owners: the text is json.dumps', each leaf's characters lead back to the leaf."""

import json
from collections.abc import Iterator
from typing import Any

from thinkpane.engine.owned_text import OwnedText, Run, add_run, attributed, by_character, has_runs, path_of
from thinkpane.engine.owned_values import step


def traced_json(value: Any, text: str, ensure_ascii: bool, indent: Any, separators: Any, sort_keys: bool) -> OwnedText:
    """`text` (json.dumps of `value` with these options), owned leaf by leaf.

    The layout is written again beside json's own; where the two differ the text is owned as a whole.
    """
    if separators is None:
        separators = (", " if indent is None else ",", ": ")
    gap = " " * indent if isinstance(indent, int) else indent
    writer = _Writer(ensure_ascii, gap, tuple(separators), sort_keys)
    runs: list[Run] = []
    pieces: list[str] = []
    for piece, owners in writer.pieces(value, path_of(value), "\n"):
        pieces.append(piece)
        for run in owners:
            add_run(runs, run)
    if "".join(pieces) != text:
        return attributed(text, (value,))
    return OwnedText(text, runs)


class _Writer:
    def __init__(self, ensure_ascii: bool, gap: str | None, separators: tuple[str, str], sort_keys: bool) -> None:
        self._ensure_ascii = ensure_ascii
        self._gap = gap
        self._item, self._key = separators
        self._sort_keys = sort_keys

    def pieces(self, value: Any, path: str | None, line: str) -> Iterator[tuple[str, list[Run]]]:
        """The text of `value` piece by piece, each with its runs. path: that of what it stands in. line: its indent."""
        own = path_of(value) or path
        if isinstance(value, str):
            yield self._text(value, own)
        elif isinstance(value, dict):
            yield from self._container("{", "}", self._entries(value), own, line)
        elif isinstance(value, list | tuple):
            yield from self._container("[", "]", [("", each) for each in value], own, line)
        else:
            yield _whole(json.dumps(value), own)

    def _entries(self, value: dict[Any, Any]) -> list[tuple[str, Any]]:
        entries = list(value.items())
        return sorted(entries) if self._sort_keys else entries

    def _container(
        self, opening: str, closing: str, entries: list[tuple[str, Any]], path: str | None, line: str
    ) -> Iterator[tuple[str, list[Run]]]:
        if not entries:
            yield _whole(opening + closing, path)
            return
        inner = line + self._gap if self._gap is not None else line
        yield _whole(opening + (inner if self._gap is not None else ""), path)
        for index, (key, each) in enumerate(entries):
            if index:
                yield _whole(self._item + (inner if self._gap is not None else ""), path)
            own = path_of(each) or (None if path is None else step(path, index if opening == "[" else key))
            if opening == "{":
                yield self._text(_key(key), own)
                yield _whole(self._key, own)
            yield from self.pieces(each, own, inner)
        yield _whole((line if self._gap is not None else "") + closing, path)

    def _encoded(self, text: str) -> str:
        return json.dumps(text, ensure_ascii=self._ensure_ascii)

    def _text(self, value: str, path: str | None) -> tuple[str, list[Run]]:
        encoded = self._encoded(value)
        inner = by_character(encoded[1:-1], value, lambda each: self._encoded(each)[1:-1]) if has_runs(value) else None
        return encoded, [Run(len(encoded), path)] if inner is None else [Run(1, path), *inner, Run(1, path)]


def _key(key: Any) -> str:
    if isinstance(key, str):
        return key
    return {True: "true", False: "false", None: "null"}.get(key) or json.dumps(key)


def _whole(text: str, path: str | None) -> tuple[str, list[Run]]:
    return text, [Run(len(text), path)] if text else []
