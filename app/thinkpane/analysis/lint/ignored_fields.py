"""Fields of messages that the template never reads."""

import re
from collections.abc import Iterator

from thinkpane.analysis.lint._api import Rule
from thinkpane.analysis.lint.findings import Finding
from thinkpane.analysis.lint.subject import Subject
from thinkpane.conversation.messages import REASONING_FIELDS

_FIELD = re.compile(r"messages\[(\d+)\]\.(\w+)\Z")
# Told by other checks, or of no meaning to a model.
_ELSEWHERE = frozenset((*REASONING_FIELDS, "role", "content", "tool_calls", "tool_call_id", "id", "type", "object"))


def _find(subject: Subject) -> Iterator[Finding]:
    if subject.trace is None:
        return
    messages = dict(subject.messages())
    for path in subject.trace.ignored:
        found = _FIELD.match(path)
        if not found or found[2] in _ELSEWHERE:
            continue
        index, name = int(found[1]), found[2]
        message = messages.get(index, {})
        if message.get(name) in (None, "", [], {}, False) or (name == "name" and message.get("role") == "tool"):
            continue
        yield Finding(
            "message-field-ignored",
            "note",
            f"The template never reads “{name}” of message {subject.number(index)}.",
            "What it says does not reach the model.",
            message_index=index,
            name=name,
        )


CHECK = Rule("ignored-fields", ("message-field-ignored",), _find)
