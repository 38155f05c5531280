"""The traced render as checks read it: the text, who owns its characters, what was read."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject
from thinkpane.prompt.owners import OwnedSpan, Owners, owners_of

_STEP = re.compile(r"[.\[]")


@dataclass(frozen=True, slots=True)
class Traced:
    """One traced render. owners: None where tracing failed, then nothing is known but the text.

    printed: the paths of which something is in the prompt, those of the objects and lists around them too.
    ignored: the paths of what was given and never read, each at the highest place. lines: those that were executed.
    """

    text: str
    owners: Owners | None = None
    printed: frozenset[str] = frozenset()
    ignored: tuple[str, ...] = ()
    lines: frozenset[int] = frozenset()

    def spans(self) -> Iterator[OwnedSpan]:
        """Every span, in order."""
        if self.owners is not None:
            for number in range(len(self.owners)):
                yield self.owners.span(number)

    def spans_of(self, path: str) -> list[tuple[int, int]]:
        """The stretches of the prompt that came from the input at `path` or inside it."""
        return self.owners.spans_of_path(path) if self.owners is not None else []

    def prints(self, path: str) -> bool:
        """Whether anything of the input at `path` is in the prompt."""
        return path in self.printed


def traced(found: JsonObject) -> Traced:
    """What the job "trace" gave."""
    text = cast("str", found["text"])
    spans = found.get("spans")
    owners: Owners | None = None
    if isinstance(spans, list):
        try:
            owners = owners_of(spans, len(text))
        except ThinkpaneError:
            owners = None
    return Traced(
        text,
        owners,
        _printed(owners),
        tuple(cast("list[str]", found.get("ignored") or [])),
        frozenset(cast("list[int]", found.get("lines") or [])),
    )


def _printed(owners: Owners | None) -> frozenset[str]:
    paths = {owners.span(number).owner.path for number in range(len(owners))} if owners is not None else set()
    found: set[str] = set()
    for path in filter(None, paths):
        found.add(path)
        found.update(path[: mark.start()] for mark in _STEP.finditer(path))
    return frozenset(found)
