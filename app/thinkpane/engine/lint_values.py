"""What the lint jobs tell of a template, as values that the rest of the program can read without jinja."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from thinkpane.formats.json_values import JsonObject, JsonValue

MOST_FACTS = 20_000
"""Facts that one template may have; a hostile one could have millions."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that stands in a template.

    kind: what it is, one of
        name (a variable is read; flagged "set" where the template sets one of that name itself)
        function, method, filter, test, tag, operator (used; a filter has its keywords as flags; flagged "unknown"
            where Jinja has no such filter or test)
        attribute (read by `.name` or `['name']` and not called) · printed (an expression in `{{ }}`)
        lost-set (a `set` in a loop that is read outside of the round it was set in)
        empty-split, empty-in (`split('')`, `'' in x`) · constant, data (texts of the template)
        tested (a constant looked for in a message's text) · gated (the same, with text that only it prints)
        replaced (a constant that is taken out of a text) · role (a constant compared with a role)
        compared (a constant compared with a variable)
    name: the word itself. text: the expression, or what more there is to it. flags: what is special about it.
    line: from 1. start: where its token begins in the template's text, in code points; -1 where that is not known.
    """

    kind: str
    name: str
    line: int
    start: int = -1
    text: str = ""
    flags: tuple[str, ...] = ()

    def as_json(self) -> JsonValue:
        """The fact as a list, for the way out of the worker."""
        return [self.kind, self.name, self.line, self.start, self.text, list(self.flags)]


@dataclass(frozen=True, slots=True)
class Use:
    """Something that happened in a render.

    kind: undefined (a missing value was printed as nothing), method (a key's name gave a method of the container).
    name: the missing name, or the key. line: the template's line, 0 where it is not known.
    """

    kind: str
    name: str
    line: int

    def as_json(self) -> JsonValue:
        """The use as a list, for the way out of the worker."""
        return [self.kind, self.name, self.line]


def facts_from_json(found: JsonObject) -> tuple[Fact, ...]:
    """The facts that the job "lint_facts" gave."""
    return tuple(
        Fact(kind, name, line, start, text, tuple(flags))
        for kind, name, line, start, text, flags in cast(
            "Iterable[tuple[str, str, int, int, str, list[str]]]", found["facts"]
        )
    )


def uses_from_json(found: JsonObject) -> tuple[Use, ...]:
    """The uses that the job "lint_run" gave."""
    return tuple(Use(kind, name, line) for kind, name, line in cast("Iterable[tuple[str, str, int]]", found["uses"]))
