"""Characters that nobody sees: direction overrides, zero-width characters, tag characters, other controls."""

import re
import unicodedata
from collections.abc import Iterator

from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.findings import Finding, Fix, MessageEdit, TextEdit
from thinkpane.analysis.lint.subject import Subject, text_of
from thinkpane.conversation.messages import REASONING_FIELDS
from thinkpane.formats.json_values import JsonValue

# Joiners (U+200C, U+200D), variation selectors and U+00AD are ordinary in many scripts and in emoji.
_BIDIRECTIONAL = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_INVISIBLE = "\u180e\u200b\u2060-\u2064\ufeff\ufff9-\ufffb\U000e0000-\U000e007f\U000f0000\U000f0001"
_CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
_HIDDEN = re.compile(f"[{_BIDIRECTIONAL}{_INVISIBLE}{_CONTROLS}]+")
_TURNS = re.compile(f"[{_BIDIRECTIONAL}]")
# England's, Scotland's and Wales's flags end in tag characters.
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f")
MOST = 20
"""Places that are told, in the template and in each message."""


def _find(subject: Subject) -> Iterator[Finding]:
    source = subject.source
    for start, end in _places(source):
        line = source.count("\n", 0, start) + 1
        edit = TextEdit(start, end, "")
        yield _finding(
            source[start:end], f"line {line} of the template", line=line, fix=Fix("Remove them", template=(edit,))
        )
    for index, message in subject.messages():
        for field, text in _texts(message):
            places = _places(text)
            cut = MessageEdit(index, (field,), _cut(text, places))
            fix = Fix("Remove them", messages=(cut,)) if isinstance(message.get(field), str) else None
            for start, end in places:
                yield _finding(text[start:end], f"message {subject.number(index)}", message_index=index, fix=fix)


def _places(text: str) -> list[tuple[int, int]]:
    flags = [found.span() for found in _FLAG.finditer(text)]
    found = (each.span() for each in _HIDDEN.finditer(text.removeprefix("\ufeff"), 0))
    shift = len(text) - len(text.removeprefix("\ufeff"))
    moved = ((start + shift, end + shift) for start, end in found)
    return [each for each in moved if not any(first <= each[0] < last for first, last in flags)][:MOST]


def _texts(message: dict[str, JsonValue]) -> Iterator[tuple[str, str]]:
    """The fields that hold text, with it."""
    yield "content", text_of(message.get("content"))
    for name in REASONING_FIELDS:
        value = message.get(name)
        if isinstance(value, str):
            yield name, value


def _cut(text: str, places: list[tuple[int, int]]) -> str:
    for start, end in reversed(places):
        text = text[:start] + text[end:]
    return text


def _finding(
    hidden: str, place: str, line: int | None = None, message_index: int | None = None, fix: Fix | None = None
) -> Finding:
    first = hidden[0]
    named = f"U+{ord(first):04X} {unicodedata.name(first, '')}".strip()
    many = f" and {len(hidden) - 1} more" if len(hidden) > 1 else ""
    turns = _TURNS.search(hidden) is not None
    tags = "".join(chr(ord(each) - 0xE0000) for each in hidden if 0xE0020 <= ord(each) <= 0xE007E)
    return Finding(
        "hidden-character",
        "warning",
        f"{named}{many} in {place}: {'it turns the reading order' if turns else 'nobody sees it'}."
        + (f" Read as tags: “{tags}”." if tags else ""),
        "The model reads it, the person who looks at the prompt does not see it; instructions can be hidden so.",
        line=line,
        message_index=message_index,
        name=f"U+{ord(first):04X}",
        fix=fix,
    )


CHECK = Rule("hidden-characters", ("hidden-character",), _find)
