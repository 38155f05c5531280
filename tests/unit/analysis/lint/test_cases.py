"""The public bug reports: what a person must be told about each of them, and where."""

from typing import Any

import pytest

from support.records import lint_cases, render_cases
from thinkpane.analysis.lint.findings import Finding
from thinkpane.analysis.lint.report import Question, lint
from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest
from thinkpane.templates.library import from_source


def findings_of(case: dict[str, Any], engine: Engine, *, plain: bool) -> tuple[Finding, ...]:
    """The findings of a case; plain: rendered as the render cases are, else as by default."""
    given = case["input"]
    variables = dict(given.get("kwargs", {}))
    generate = variables.pop("add_generation_prompt", False if plain else None)
    continued = variables.pop("continue_final_message", False)
    request = RenderRequest(
        given["template"],
        given.get("messages", []),
        given.get("tools"),
        None,
        variables,
        None if continued else generate,
        continued,
        normalise=not plain,
        now=given.get("now"),
    )
    template = from_source(given["template"])
    question = Question(template, request, "messages" in given, frozenset(variables), given.get("target", ""))
    return lint(question, engine)


def is_told(expected: str, found: tuple[Finding, ...]) -> bool:
    """Whether `id` or `id:where` is among the findings."""
    id, _, where = expected.partition(":")
    return any(
        each.id == id and (not where or where in (each.name, str(each.line), str(each.message_index))) for each in found
    )


RENDER_CASES = [case for case in render_cases() if "lint" in case["expect"]]


@pytest.mark.parametrize("case", RENDER_CASES, ids=lambda case: f"{case['id']} {case['title']}")
def test_render_case(case: dict[str, Any], engine: Engine) -> None:
    found = findings_of(case, engine, plain=True)
    assert [each for each in case["expect"]["lint"] if not is_told(each, found)] == []


@pytest.mark.parametrize("case", lint_cases(), ids=lambda case: f"{case['id']} {case['title']}")
def test_lint_case(case: dict[str, Any], engine: Engine) -> None:
    found = findings_of(case, engine, plain=False)
    told = [each.as_json() for each in found]
    for expected in case["expect"]["findings"]:
        assert any(expected.items() <= each.items() for each in told), told
    if not case["expect"]["findings"]:
        assert [each for each in found if each.severity != "note"] == []
