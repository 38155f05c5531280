"""What an importer is: it recognises one format of pasted text, and reads it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from thinkpane.formats.json_values import JsonObject, JsonValue


@dataclass(frozen=True, slots=True)
class Imported:
    """What a paste holds. format: the importer's name; template: its text, None where it holds none.

    templates: named templates, where there are several. variables: special tokens and defaults that come with it.
    warnings: `id` or `id:where`, where `where` is a line or the words in question.
    """

    format: str
    template: str | None = None
    templates: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, JsonValue] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def as_json(self) -> JsonObject:
        """The object of docs/cli.md; keys that say nothing are left out, save `messages` and `warnings`."""
        found: JsonObject = {"format": self.format, "messages": []}
        if self.template is not None:
            found["template"] = self.template
        if self.templates:
            found["templates"] = dict(self.templates)
        if self.variables:
            found["variables"] = dict(self.variables)
        found["warnings"] = list(self.warnings)
        return found


class Importer(Protocol):
    """One format. A file in this folder holds one, as its public constant `IMPORTER`."""

    @property
    def name(self) -> str:
        """The format's name, as docs/cli.md has it."""

    @property
    def order(self) -> int:
        """Its place among those that are asked, small first: what is told most surely comes first."""

    def read(self, paste: str) -> Imported | None:
        """What `paste` holds; None where it has not this format. Raises ThinkpaneError where it has, but is faulty."""
