"""What the checks tell: findings, and the fixes that are safe, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, cast

from thinkpane.formats.json_values import JsonObject, JsonValue

Severity: TypeAlias = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")

Step: TypeAlias = str | int


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Characters [start, end) of the template's text, in code points, become `replacement`."""

    start: int
    end: int
    replacement: str


@dataclass(frozen=True, slots=True)
class MessageEdit:
    """One change of one message of the request. index: from 0, as before any of the fix's edits.

    path: keys and places inside the message; () is the message as a whole. value: what stands there afterwards.
    delete: the message goes.
    """

    index: int
    path: tuple[Step, ...] = ()
    value: JsonValue = None
    delete: bool = False


@dataclass(frozen=True, slots=True)
class Fix:
    """What a person may have done about a finding. title: for the button's tooltip, an imperative sentence.

    template: edits of its text, in order, not overlapping. messages: edits of the request's messages.
    variables: template variables to set; unset: those to take away.
    """

    title: str
    template: tuple[TextEdit, ...] = ()
    messages: tuple[MessageEdit, ...] = ()
    variables: Mapping[str, JsonValue] = field(default_factory=dict)
    unset: tuple[str, ...] = ()

    def as_json(self) -> JsonObject:
        """The fix as docs/cli.md's `fix`: {title, template?, messages?, variables?, unset?}."""
        found: JsonObject = {"title": self.title}
        if self.template:
            found["template"] = [
                {"start": each.start, "end": each.end, "replacement": each.replacement} for each in self.template
            ]
        if self.messages:
            found["messages"] = [_message_json(each) for each in self.messages]
        if self.variables:
            found["variables"] = dict(self.variables)
        if self.unset:
            found["unset"] = list(self.unset)
        return found


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a person should know.

    id: what it is. severity: error (the prompt cannot be made or is surely not what is meant), warning (likely not),
    note (good to know). summary: one sentence. why: what comes of it.
    line: the template's, from 1; lines: all of them, where there are several. name: a variable, field, expression,
    method or filter. message_index: in the request, from 0. token: the special token or control tag. span: the
    characters [start, end) of the prompt that show it.
    """

    id: str
    severity: Severity
    summary: str
    why: str
    line: int | None = None
    name: str | None = None
    message_index: int | None = None
    token: str | None = None
    fix: Fix | None = None
    span: tuple[int, int] | None = None
    lines: tuple[int, ...] = ()

    def as_json(self) -> JsonObject:
        """The finding as docs/cli.md says, `why` and `lines` beside."""
        found: JsonObject = {"id": self.id, "severity": self.severity, "summary": self.summary, "why": self.why}
        for name in ("line", "name", "message_index", "token"):
            value = getattr(self, name)
            if value is not None:
                found[name] = value
        if len(self.lines) > 1:
            found["lines"] = cast("JsonValue", list(self.lines))
        if self.fix is not None:
            found["fix"] = self.fix.as_json()
        return found


def _message_json(edit: MessageEdit) -> JsonObject:
    if edit.delete:
        return {"message_index": edit.index, "delete": True}
    return {"message_index": edit.index, "path": list(edit.path), "value": edit.value}
