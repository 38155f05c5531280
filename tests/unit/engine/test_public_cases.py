"""The public bug reports about rendering: the text, or the error's words and its template line."""

from typing import Any

import pytest

from support.records import render_cases
from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest


def request_of(case: dict[str, Any]) -> RenderRequest:
    """The request of a case, as the cases' README says."""
    given = case["input"]
    variables = dict(given.get("kwargs", {}))
    generate = variables.pop("add_generation_prompt", False)
    continued = variables.pop("continue_final_message", False)
    return RenderRequest(
        given["template"],
        given["messages"],
        given.get("tools"),
        None,
        variables,
        generate,
        continued,
        False,
        given.get("now"),
    )


@pytest.mark.parametrize("case", render_cases(), ids=lambda case: f"{case['id']} {case['title']}")
def test_case(case: dict[str, Any], engine: Engine) -> None:
    rendered = engine.render(request_of(case))
    expected = case["expect"]
    assert rendered.text == expected.get("text")
    if "error_contains" in expected:
        assert rendered.problem is not None
        assert expected["error_contains"] in rendered.problem.message
        assert rendered.problem.line == expected["line"]
