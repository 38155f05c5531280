"""Spans as flat columns tell what the spans tell."""

from dataclasses import replace
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from thinkpane.engine.host import Engine
from thinkpane.engine.owner_columns import COLUMNS, columns_of
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonValue

MACRO = "{% macro say(x) %}<{{ x }}>{% endmacro %}\n{% for c in messages[0].content %}{{ say(c) }}{% endfor %}{{ n }}"
REQUEST = RenderRequest(MACRO, [{"role": "user", "content": "héllo"}], variables={"n": 12})


def spans_of(columns: dict[str, Any]) -> list[JsonValue]:
    """The spans that the columns were made of."""
    ends = [*columns["start"][1:], columns["length"]]
    found: list[JsonValue] = []
    for number, (start, line, column, via, path, first, last) in enumerate(
        zip(*(columns[name] for name in COLUMNS), strict=True)
    ):
        at = [first, last] if first >= 0 else None
        owner: JsonValue = {
            "line": line,
            "column": column,
            "via": columns["vias"][via],
            "path": columns["paths"][path],
            "at": at,
        }
        found.append([start, ends[number], owner])
    return found


def test_the_job_tells_what_the_trace_tells(engine: Engine) -> None:
    traced, flat = engine.trace(REQUEST), engine.owners(REQUEST)
    spans = cast("list[JsonValue]", traced.pop("spans"))
    assert len(spans) > 10
    assert spans_of(cast("dict[str, Any]", flat.pop("columns"))) == spans
    assert flat == traced


def test_a_trace_that_fails_has_no_columns(engine: Engine) -> None:
    found = engine.owners(replace(REQUEST, source="{{ range(99999) | random }}{{ range(99999) | random }}"))
    assert found.get("columns") is None
    assert found["untraced"]


@given(
    st.lists(
        st.tuples(
            st.integers(1, 5),
            st.integers(0, 9),
            st.lists(st.integers(1, 9), max_size=3),
            st.sampled_from([None, "messages[0].content", "bos_token"]),
            st.one_of(st.none(), st.tuples(st.integers(0, 5), st.integers(6, 9))),
        )
    )
)
def test_columns_lose_nothing(drawn: list[tuple[int, int, list[int], str | None, tuple[int, int] | None]]) -> None:
    spans: list[JsonValue] = []
    reached = 0
    for length, line, via, path, at in drawn:
        owner: JsonValue = {"line": line, "column": 2, "via": via, "path": path, "at": list(at) if at else None}  # type: ignore[dict-item]
        spans.append([reached, reached + length, owner])
        reached += length
    assert spans_of(cast("dict[str, Any]", columns_of(spans))) == spans
