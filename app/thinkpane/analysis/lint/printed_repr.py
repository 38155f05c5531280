"""Values that reach the prompt in Python's spelling: lists, objects, None, True."""

import re
from collections.abc import Iterator

from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.findings import Finding
from thinkpane.analysis.lint.subject import Subject
from thinkpane.formats.json_values import JsonValue

_IDS = ("none-rendered-as-text", "python-repr-in-prompt")
_INDEX = re.compile(r"messages\[(\d+)\]")
_NONE = re.compile(r"(?<!\w)None(?!\w)")


def _find(subject: Subject) -> Iterator[Finding]:
    told: set[tuple[str, str, int]] = set()
    for finding in (*_owned(subject), *_in_text(subject)):
        key = (finding.id, finding.name or "", finding.line or 0)
        if key not in told:
            told.add(key)
            yield finding


def _owned(subject: Subject) -> Iterator[Finding]:
    """By owners: spans that stand for a value as a whole."""
    if subject.trace is None:
        return
    for span in subject.trace.spans():
        path = span.owner.path
        if path is None or span.owner.at is not None:
            continue
        text = subject.text[span.start : span.end]
        value = subject.value_at(path)
        if value is None:
            if _NONE.search(text):
                yield _none(path, span.owner.line, (span.start, span.end))
        elif _is_python(value, text):
            yield _repr(path, value, span.owner.line, (span.start, span.end))


def _in_text(subject: Subject) -> Iterator[Finding]:
    """By text: what went through a concatenation has lost its owner."""
    owners = subject.trace.owners if subject.trace else None
    for index, message in subject.messages():
        for name, value in message.items():
            if isinstance(value, list | dict) and value and str(value) in subject.text:
                start = subject.text.index(str(value))
                line = owners.line_at(start) if owners else 0
                if owners is None or (span := owners.at(start)) is None or span.owner.path is None:
                    yield _repr(f"messages[{index}].{name}", value, line, (start, start + len(str(value))))
    if subject.trace and not any(_NONE.search(fact.text) for fact in subject.of_kind("constant", "data")):
        for span in subject.trace.spans():
            if span.owner.path is None and (found := _NONE.search(subject.text, span.start, span.end)):
                yield _none("", span.owner.line, found.span())


def _is_python(value: JsonValue, text: str) -> bool:
    if isinstance(value, bool):
        return text == str(value)
    return isinstance(value, list | dict) and bool(value) and text == str(value)


def _none(path: str, line: int, span: tuple[int, int]) -> Finding:
    what = _named(path) if path else "A value that is null"
    return Finding(
        _IDS[0],
        "warning",
        f"{what} is printed as the word “None”.",
        "The model reads the word. The template lacks a test for null (“or ''”), or the client should send “”.",
        line=line or None,
        name=path or None,
        message_index=_index(path),
        span=span,
    )


def _repr(path: str, value: JsonValue, line: int, span: tuple[int, int]) -> Finding:
    kind = {bool: "a boolean", list: "a list"}.get(type(value), "an object")
    return Finding(
        _IDS[1],
        "warning",
        f"{_named(path)} is {kind} and is printed in Python's spelling.",
        "The model reads quotes and words such as True that no JSON has; “tojson” or the right field was meant.",
        line=line or None,
        name=path,
        message_index=_index(path),
        span=span,
    )


def _named(path: str) -> str:
    index = _index(path)
    if index is None:
        return f"“{path}”"
    field = path[path.index("]") + 1 :].lstrip(".")
    return f"“{field}” of message {index + 1}" if field else f"Message {index + 1}"


def _index(path: str) -> int | None:
    found = _INDEX.match(path)
    return int(found[1]) if found else None


CHECK = Rule("printed-repr", _IDS, _find)
