"""Values that reach the prompt in Python's spelling: lists, objects, None, True."""

import json
import re
from collections.abc import Iterator

from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.findings import Finding, Fix
from thinkpane.analysis.lint.subject import Subject, all_text, text_of
from thinkpane.analysis.lint.variants import as_text, message_fix
from thinkpane.engine.owned_values import step
from thinkpane.formats.json_values import JsonValue
from thinkpane.prompt.owners import INPUTS

_IDS = ("none-rendered-as-text", "python-repr-in-prompt")
_INDEX = re.compile(r"messages\[(\d+)\]")
_MOST = 2_000
"""Lists and objects that are looked for in the prompt."""

_START = 6
"""Characters by which places are looked for: a bracket, a quote and some of the first key."""

_NONE = re.compile(r"(?<!\w)None(?!\w)")


def _find(subject: Subject) -> Iterator[Finding]:
    told: set[tuple[str, str]] = set()
    for finding in (*_single(subject), *_containers(subject), *_nameless(subject)):
        key = (finding.id, finding.name or str(finding.line))
        if key not in told:
            told.add(key)
            yield finding


def _single(subject: Subject) -> Iterator[Finding]:
    """None, True and False, by their owners: spans that stand for a value as a whole."""
    if subject.trace is None:
        return
    for span in subject.trace.spans():
        path = span.owner.path
        if path is None or span.owner.at is not None:
            continue
        text = subject.text[span.start : span.end]
        value = subject.value_at(path)
        if value is None and _NONE.search(text):
            yield _none(subject, path, span.owner.line, (span.start, span.end))
        elif isinstance(value, bool) and text == str(value) and span.owner.group.kind in INPUTS:
            yield _repr(subject, path, value, span.owner.line, (span.start, span.end))


def _containers(subject: Subject) -> Iterator[Finding]:
    """Lists and objects, by their text."""
    request = subject.request
    given: list[tuple[str, JsonValue]] = [("tools", request.tools), ("documents", request.documents)]
    waiting = [*given, ("messages", request.messages if subject.given else None)]
    owners = subject.trace.owners if subject.trace else None
    places = _Places(subject.text)
    tried = 0
    while waiting and tried < _MOST:
        path, value = waiting.pop(0)
        tried += 1
        if not isinstance(value, list | dict) or not value:
            continue
        start = places.of(str(value)) if str(value) != json.dumps(value, ensure_ascii=False) else -1
        if start >= 0 and not _is_quoted(subject, start, str(value)):
            yield _repr(subject, path, value, owners.line_at(start) if owners else 0, (start, start + len(str(value))))
        else:
            waiting += [(step(path, key), each) for key, each in _entries(value)]


class _Places:
    """Finds many texts in one long one: only where their first characters stand, which are mostly the same."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._known: dict[str, list[int]] = {}

    def of(self, wanted: str) -> int:
        """Where it stands first, -1 = nowhere."""
        start = wanted[:_START]
        places = self._known.get(start)
        if places is None:
            places = self._known[start] = [each.start() for each in re.finditer(re.escape(start), self._text)]
        return next((at for at in places if self._text.startswith(wanted, at)), -1)


def _is_quoted(subject: Subject, start: int, text: str) -> bool:
    """Whether somebody wrote it so: the characters are those of a text in the input."""
    span = subject.trace.owners.at(start) if subject.trace and subject.trace.owners else None
    value = subject.value_at(span.owner.path) if span and span.owner.path else None
    return isinstance(value, str) and text in value


def _entries(value: JsonValue) -> list[tuple[str | int, JsonValue]]:
    if isinstance(value, dict):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []


def _nameless(subject: Subject) -> Iterator[Finding]:
    """Words of Python's where no owner is known, because the value went through a loop over pairs or a filter."""
    if subject.trace is None:
        return
    own = " ".join(fact.text for fact in subject.of_kind("constant", "data"))
    holders = _holders(subject)
    wanted = [word for word in holders if not re.search(rf"(?<!\w){word}(?!\w)", own)]
    if not wanted:
        return
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(wanted)})(?!\w)")
    for span in subject.trace.spans():
        if span.owner.path is None and (found := pattern.search(subject.text, span.start, span.end)):
            paths = holders[found[0]]
            path = paths[0] if len(paths) == 1 else ""
            if found[0] == "None":
                yield _none(subject, path, span.owner.line, found.span())
            elif path:
                yield _repr(subject, path, True, span.owner.line, found.span())


def _holders(subject: Subject) -> dict[str, list[str]]:
    """The words that null, true and false would be printed as, each with the paths that hold it."""
    found: dict[str, list[str]] = {}
    request = subject.request
    messages: JsonValue = request.messages if subject.given else None
    waiting: list[tuple[str, JsonValue]] = [("messages", messages), ("tools", request.tools)]
    tried = 0
    while waiting and tried < _MOST:
        path, value = waiting.pop(0)
        tried += 1
        if "[" in path and (value is None or isinstance(value, bool)):
            found.setdefault(str(value), []).append(path)
        waiting += [(step(path, key), each) for key, each in _entries(value)]
    return found


def _none(subject: Subject, path: str, line: int, span: tuple[int, int]) -> Finding:
    what = _named(subject, path) if path else "A value that is null"
    fix = message_fix("Put an empty text in its place", path, "") if path.endswith("].content") else None
    return Finding(
        _IDS[0],
        "warning",
        f"{what} is printed as the word “None”.",
        "The model reads the word. The template lacks a test for null (“or ''”), or the client should send “”.",
        line=line or None,
        name=path or None,
        message_index=_index(path),
        span=span,
        fix=fix,
    )


def _repr(subject: Subject, path: str, value: JsonValue, line: int, span: tuple[int, int]) -> Finding:
    kind = {bool: "a boolean", list: "a list"}.get(type(value), "an object")
    return Finding(
        _IDS[1],
        "warning",
        f"{_named(subject, path)} is {kind} and is printed in Python's spelling.",
        "The model reads quotes and words such as True that no JSON has; “tojson” or the right field was meant.",
        line=line or None,
        name=path,
        message_index=_index(path),
        span=span,
        fix=_as_printed(path, value),
    )


def _as_printed(path: str, value: JsonValue) -> Fix | None:
    """What the template prints as it stands: a text."""
    if path.endswith("].content") and isinstance(value, list) and all_text(value):
        return message_fix("Make one text of the parts", path, text_of(value))
    if path.endswith(".arguments") and isinstance(value, dict):
        return message_fix("Make JSON text of the arguments", path, as_text(value))
    return None


def _named(subject: Subject, path: str) -> str:
    index = _index(path)
    if index is None:
        return f"“{path}”"
    field = path[path.index("]") + 1 :].lstrip(".")
    return f"“{field}” of message {subject.number(index)}" if field else f"Message {subject.number(index)}"


def _index(path: str) -> int | None:
    found = _INDEX.match(path)
    return int(found[1]) if found else None


CHECK = Rule("printed-repr", _IDS, _find)
