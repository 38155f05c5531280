"""What is noted while a template's tree is read: how variables are used, and what is compared with what."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from thinkpane.engine.flow_values import Constant, Text, Value
from thinkpane.engine.template_facts import Looked

Use: TypeAlias = Literal["truth", "number", "printed", "dumped", "walked", "fields"]
"""truth: its truth is tested; number: it is compared by size or counted with; printed: its text is put out;
dumped: its JSON is."""


@dataclass(slots=True)
class TagNote:
    """One text that is looked for in messages' texts."""

    opening: str
    how: Looked
    any_case: bool
    line: int
    closing: str = ""
    values: dict[str, None] = field(default_factory=dict)


@dataclass(slots=True)
class Notes:
    """Everything noted in one pass. Keys of uses, values and defaults are variables, their fields and entries."""

    uses: dict[str, set[Use]] = field(default_factory=dict)
    values: dict[str, dict[Constant, None]] = field(default_factory=dict)
    defaults: dict[str, tuple[Constant, ...]] = field(default_factory=dict)
    tags: dict[tuple[str, bool], TagNote] = field(default_factory=dict)
    fields: dict[str, None] = field(default_factory=dict)
    roles: dict[str, None] = field(default_factory=dict)

    def use(self, value: Value, use: Use) -> None:
        """The value was used so."""
        for name in value.variables:
            self.uses.setdefault(name, set()).add(use)

    def default(self, value: Value, fallback: Value) -> None:
        """What stands in for the value where it is not set; once it has a default, a later one is never taken."""
        for name in value.variables:
            self.defaults.setdefault(name, fallback.constants)

    def compare(self, value: Value, constants: Iterable[Constant]) -> None:
        """The value was compared with each of these."""
        listed = list(constants)
        for name in value.variables:
            self.values.setdefault(name, {}).update(dict.fromkeys(listed))
        words = [each for _, each in listed if isinstance(each, str)]
        if "role" in value.kinds:
            self.roles.update(dict.fromkeys(words))
        for text in value.texts:
            if text.opening and (note := self._tag_of(text)):
                note.values.update(dict.fromkeys(words))

    def look(self, value: Value, constants: Iterable[Constant], how: Looked, line: int) -> None:
        """Each of these was looked for in the value."""
        wanted = [each for _, each in constants if isinstance(each, str) and each.strip()]
        for text in value.texts:
            if not text.opening:
                for each in wanted:
                    self.tags.setdefault((each, text.any_case), TagNote(each, how, text.any_case, line))

    def close(self, value: Value, mark: Any) -> None:
        """The value, a piece behind a tag, ends at the mark."""
        for text in value.texts:
            if isinstance(mark, str) and text.opening not in ("", mark) and (note := self._tag_of(text)):
                note.closing = note.closing or mark

    def _tag_of(self, text: Text) -> TagNote | None:
        return self.tags.get((text.opening, False)) or self.tags.get((text.opening, True))
