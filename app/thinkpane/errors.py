"""What can go wrong, as values: one clear sentence, and the place it belongs to."""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault, told in one sentence.

    kind: a short word a script can act on (template, timeout, memory, json, file, server, network, …).
    message: the sentence a person reads; the engine's or server's own words are always part of it.
    line, column: place in the template, counted from 1.
    message_index: the message it came from, counted from 0. field: the message's field.
    detail: anything more for a script (status, param, retry_after, …); JSON values only.
    """

    kind: str
    message: str
    line: int | None = None
    column: int | None = None
    message_index: int | None = None
    field: str | None = None
    detail: Mapping[str, object] = dataclass_field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        """The object of docs/cli.md's `error`: kind and message, and of the rest what is known."""
        found: dict[str, object] = {"kind": self.kind, "message": self.message}
        for name in ("line", "column", "message_index", "field"):
            value = getattr(self, name)
            if value is not None:
                found[name] = value
        return found | dict(self.detail)


class ThinkpaneError(Exception):
    """Raised where a fault of the input ends the work at hand; carries its `problem`."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem
