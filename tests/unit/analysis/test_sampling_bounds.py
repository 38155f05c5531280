"""Values of sampling parameters that make no sense."""

import pytest

from thinkpane.analysis.lint._registry import all_checks
from thinkpane.analysis.lint.subject import Subject
from thinkpane.analysis.sampling_bounds import odd_value
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates.library import from_source


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("top_p", 2, "“top_p” is 2; it goes from 0 to 1."),
        ("max_tokens", -5, "“max_tokens” is -5; it goes from 1 on."),
        ("max_tokens", 2.5, "“max_tokens” is 2.5; it has to be a whole number."),
        ("seed", "abc", '“seed” is "abc"; it has to be a whole number.'),
        ("temperature", True, "“temperature” is true; it has to be a number."),
        ("temperature", -1, "“temperature” is -1; it goes from 0 to 5."),
        ("temperature", 0.7, ""),
        ("seed", -1, ""),
        ("max_tokens", None, ""),
        ("mirostat", "x", ""),
    ],
)
def test_what_is_said_of_a_value(name: str, value: JsonValue, said: str) -> None:
    assert odd_value(name, value) == said


def test_it_is_a_finding_of_what_is_sent() -> None:
    subject = Subject(from_source(""), (), RenderRequest("", []), params={"top_p": 2, "seed": 1})
    [found] = all_checks()["sampling-values"].find(subject, {})
    assert (found.id, found.name, found.severity) == ("sampling-value-odd", "top_p", "warning")
