"""The spans of a trace as flat columns of numbers.

A template that goes through single characters has a span for each. As objects they take the window's process a second
of JSON to read, in one go that no other thread gets between; as numbers a twentieth of that.
"""

from collections.abc import Sequence
from typing import cast

from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue

COLUMNS = ("start", "line", "column", "via", "path", "from", "to")
"""What there is of each span. via, path: numbers of entries in the tables `vias` and `paths`; from, to: -1 for none."""


def columns_of(spans: Sequence[JsonValue]) -> JsonObject:
    """The spans of a trace as {length, vias, paths, start, line, …}: every column has one number a span.

    Raises ThinkpaneError (kind "owners") where they leave out or repeat a character.
    """
    rows: list[tuple[int, ...]] = []
    vias: dict[tuple[int, ...], int] = {}
    paths: dict[str | None, int] = {}
    reached = 0
    for start, end, owner in cast("Sequence[tuple[int, int, dict[str, JsonValue]]]", spans):
        if start != reached or end <= start:
            raise ThinkpaneError(Problem("owners", f"the owners leave out or repeat character {reached + 1}"))
        reached = end
        via = vias.setdefault(tuple(cast("list[int]", owner["via"])), len(vias))
        path = paths.setdefault(cast("str | None", owner["path"]), len(paths))
        first, last = cast("list[int] | None", owner["at"]) or (-1, -1)
        rows.append((start, cast("int", owner["line"]), cast("int", owner["column"]), via, path, first, last))
    columns = zip(*rows, strict=True) if rows else ((),) * len(COLUMNS)
    found: JsonObject = {"length": reached, "vias": [list(each) for each in vias], "paths": list(paths)}
    return found | {name: list(column) for name, column in zip(COLUMNS, columns, strict=True)}
