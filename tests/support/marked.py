"""Conversations whose every letter is one of a kind, so that a prompt shows by itself what its characters came from.

Letters of texts and names become rare ideographs, each used once; whole numbers become numbers that stand nowhere else.
Roles, types, tags and JSON inside of texts stay as they are, since templates go by them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from thinkpane.engine.owned_values import step

FIRST = 0x21000
"""The first mark; from here on stand more than 38,000 ideographs that no template writes."""

_KEPT_KEYS = frozenset({"role", "type", "id", "tool_call_id", "url", "format", "thinking_mode", "reasoning_effort"})
_NAMED_BY_KEYS = frozenset({"properties", "arguments"})
_LETTERS = re.compile(r"</?\w+>|/\w+|[A-Za-z]")
_NUMBER = 731_000_001
_DIGITS = re.compile(r"\d+")


@dataclass(slots=True)
class Marks:
    """What was marked. texts: a mark's path and its index there. keys: the path that a key leads to, by mark.
    numbers: the path of a number, by its digits."""

    texts: dict[str, tuple[str, int]] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)

    def _fresh(self) -> str:
        return chr(FIRST + len(self.texts) + len(self.keys))

    def marked(self, value: Any, path: str, key: str = "") -> Any:
        """`value` with marks of its own. key: the one that it stands under."""
        if isinstance(value, str):
            return value if key in _KEPT_KEYS or value.startswith(("{", "data:")) else self._text(value, path)
        if isinstance(value, dict):
            return self._object(value, path, key)
        if isinstance(value, list):
            return [self.marked(each, step(path, index), key) for index, each in enumerate(value)]
        if type(value) is int:
            number = _NUMBER + len(self.numbers)
            self.numbers[str(number)] = path
            return number
        return value

    def _object(self, value: dict[str, Any], path: str, key: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, each in value.items():
            new = name
            if key in _NAMED_BY_KEYS:
                new = _LETTERS.sub(lambda _found: self._fresh_key(), name)
                self.keys.update({letter: step(path, new) for letter in new if letter in self.keys})
            found[new] = self.marked(each, step(path, new), name)
        return found

    def _fresh_key(self) -> str:
        mark = self._fresh()
        self.keys[mark] = ""
        return mark

    def _text(self, value: str, path: str) -> str:
        def mark(found: re.Match[str]) -> str:
            if len(found[0]) > 1:
                return found[0]
            fresh = self._fresh()
            self.texts[fresh] = (path, found.start())
            return fresh

        return _LETTERS.sub(mark, value)


def marked_record(record: dict[str, Any]) -> tuple[dict[str, Any], Marks]:
    """The record of a conversation with marks in messages, tools, documents and variables, and what they are."""
    marks = Marks()
    found = dict(record)
    for name in ("messages", "tools", "documents"):
        found[name] = marks.marked(record[name], name)
    found["variables"] = {name: marks.marked(value, name, name) for name, value in record["variables"].items()}
    return found, marks


@dataclass(slots=True)
class Owned:
    """How many characters of a prompt have a right owner, and what is wrong with the others."""

    characters: int = 0
    owned: int = 0
    faults: list[str] = field(default_factory=list)


def check(found: dict[str, Any], marks: Marks) -> Owned:
    """Holds the spans of a trace's result against the marks: a line for each character; the path, and the place in its
    value, for each mark."""
    text = found["text"]
    if found["spans"] is None:
        return Owned(len(text), 0, [str(found["untraced"])])
    owned = Owned(len(text))
    owners = [(owner, start, end) for start, end, owner in found["spans"] for _ in range(start, end)]
    wrong = dict(_faults(text, owners, marks))
    owned.owned = len(owners) - len(wrong)
    owned.faults = [f"{text[max(0, at - 20) : at + 20]!r} at {at}: {fault}" for at, fault in sorted(wrong.items())]
    if len(owners) != len(text):
        owned.faults.append(f"the spans cover {len(owners)} of {len(text)} characters")
    return owned


def _faults(text: str, owners: list[tuple[dict[str, Any], int, int]], marks: Marks) -> Iterator[tuple[int, str]]:
    for index, (character, (owner, start, end)) in enumerate(zip(text, owners, strict=False)):
        if owner["line"] < 1 or owner["column"] < 1:
            yield index, "no line"
        if character in marks.texts:
            path, place = marks.texts[character]
            at = owner["at"]
            exact = at is not None and at[1] - at[0] == end - start
            if owner["path"] != path:
                yield index, f"owned by {owner['path']} instead of {path}"
            elif at is not None and not (at[0] + index - start == place if exact else at[0] <= place < at[1]):
                yield index, f"{path} {at} instead of {place}"
        elif character in marks.keys and owner["path"] != marks.keys[character]:
            yield index, f"a key owned by {owner['path']} instead of {marks.keys[character]}"
    for number in _DIGITS.finditer(text):
        path, found = marks.numbers.get(number[0], ""), owners[number.start()][0]["path"]
        if path and path != found:
            yield number.start(), f"a number owned by {found} instead of {path}"
