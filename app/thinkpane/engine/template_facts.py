"""What a template's text says about itself: what it reads, with defaults and values, the tags it looks for, its lines.

Found by reading the syntax tree (the job "facts"), so all of it is a candidate: what holds is for rendering to prove.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from thinkpane.formats.json_values import JsonObject, JsonValue

VariableKind: TypeAlias = Literal["bool", "choice", "number", "text", "list", "object"]
"""choice: a text of which some values are compared; list: it is walked through; object: its fields are read."""

Looked: TypeAlias = Literal["in", "starts", "ends", "is", "splits", "removes"]
"""How a text is looked for in a message's: anywhere, at its start or end, as the whole; to cut there; to take out."""


@dataclass(frozen=True, slots=True)
class FoundVariable:
    """A variable that the template takes from outside.

    default: what stands in for it where it is not set; None where that is not known, or where it is null.
    values: constants it is compared with, in order; of a list those looked for in it.
    fields: of an object, or of a list's entries, those that are read. line: where it is first read.
    """

    name: str
    kind: VariableKind = "text"
    default: JsonValue = None
    values: tuple[JsonValue, ...] = ()
    fields: tuple[str, ...] = ()
    line: int = 0

    def as_json(self) -> JsonObject:
        """The variable as one JSON object."""
        return {
            "name": self.name,
            "kind": self.kind,
            "default": self.default,
            "values": list(self.values),
            "fields": list(self.fields),
            "line": self.line,
        }


@dataclass(frozen=True, slots=True)
class FoundTag:
    """A text that the template looks for in messages' texts.

    tag: as the template spells it; where a value follows, up to the text that ends it, that is a `…`: {REASON:…}.
    any_case: it is looked for in a text made lower case. values: constants that what stands at `…` is compared with.
    """

    tag: str
    how: Looked = "in"
    any_case: bool = False
    values: tuple[str, ...] = ()
    line: int = 0

    def as_json(self) -> JsonObject:
        """The tag as one JSON object."""
        return {
            "tag": self.tag,
            "how": self.how,
            "any_case": self.any_case,
            "values": list(self.values),
            "line": self.line,
        }


@dataclass(frozen=True, slots=True)
class TemplateFacts:
    """All that one template's text says.

    fields: of messages, that are read. roles: that messages' roles are compared with. tokens: names of special tokens
    that are read (bos_token). executable: lines that can run, counted from 1, ascending.
    """

    variables: tuple[FoundVariable, ...] = ()
    tags: tuple[FoundTag, ...] = ()
    fields: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    executable: tuple[int, ...] = ()

    def as_json(self) -> JsonObject:
        """The facts as one JSON object."""
        return {
            "variables": [each.as_json() for each in self.variables],
            "tags": [each.as_json() for each in self.tags],
            "fields": list(self.fields),
            "roles": list(self.roles),
            "tokens": list(self.tokens),
            "executable": list(self.executable),
        }


def facts_from_json(found: JsonObject) -> TemplateFacts:
    """The facts that `TemplateFacts.as_json` made `found` of."""
    return TemplateFacts(
        tuple(_variable(each) for each in cast("list[JsonObject]", found["variables"])),
        tuple(_tag(each) for each in cast("list[JsonObject]", found["tags"])),
        tuple(cast("list[str]", found["fields"])),
        tuple(cast("list[str]", found["roles"])),
        tuple(cast("list[str]", found["tokens"])),
        tuple(cast("list[int]", found["executable"])),
    )


def _variable(found: Mapping[str, JsonValue]) -> FoundVariable:
    return FoundVariable(
        name=cast("str", found["name"]),
        kind=cast("VariableKind", found["kind"]),
        default=found["default"],
        values=tuple(cast("Sequence[JsonValue]", found["values"])),
        fields=tuple(cast("list[str]", found["fields"])),
        line=cast("int", found["line"]),
    )


def _tag(found: Mapping[str, JsonValue]) -> FoundTag:
    return FoundTag(
        tag=cast("str", found["tag"]),
        how=cast("Looked", found["how"]),
        any_case=cast("bool", found["any_case"]),
        values=tuple(cast("list[str]", found["values"])),
        line=cast("int", found["line"]),
    )
