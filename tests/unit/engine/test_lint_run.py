"""What a render leaves unsaid: missing values that print as nothing, methods in the place of keys."""

from typing import Any

import pytest

from thinkpane.engine.lint_run import lint_run_job
from thinkpane.engine.lint_values import uses_from_json
from thinkpane.engine.request import RenderRequest

MESSAGES: list[Any] = [{"role": "user", "content": "hi", "extra": {"a": 1}}]


def uses_of(source: str, **variables: Any) -> list[tuple[str, str, int]]:
    request = RenderRequest(source, MESSAGES, variables=variables)
    return [(each.kind, each.name, each.line) for each in uses_from_json(lint_run_job(request.as_json()))]


@pytest.mark.parametrize(
    ("source", "uses"),
    [
        ("a\n{{ bos_token }}", [("undefined", "bos_token", 2)]),
        ("{% for m in messages %}\n{{ m.name | upper }}{% endfor %}", [("undefined", "name", 2)]),
        ("{{ 'a' ~ missing }}", [("undefined", "missing", 1)]),
        ("{{ missing | default('x') }}{% if missing %}{% endif %}{% for x in missing %}{% endfor %}", []),
        ("{{ 'x' if missing }}{% if missing is defined and missing == 1 %}{% endif %}", []),
        ("{% if messages[0].extra['items'] %}x{% endif %}", [("method", "items", 1)]),
        ("{{ messages[0].extra['a'] }}{{ messages[0].extra.b }}", [("undefined", "b", 1)]),
    ],
)
def test_uses_are_noted_with_their_line(source: str, uses: list[tuple[str, str, int]]) -> None:
    assert uses_of(source) == uses


def test_uses_up_to_a_failure_are_told() -> None:
    assert uses_of("{{ missing }}\n{{ 1 / 0 }}") == [("undefined", "missing", 1)]


def test_a_use_is_told_once() -> None:
    assert uses_of("{% for x in range(5) %}{{ missing }}{% endfor %}") == [("undefined", "missing", 1)]


def test_each_render_has_notes_of_its_own() -> None:
    source = "{{ bos_token }}"
    assert uses_of(source) == [("undefined", "bos_token", 1)]
    assert uses_of(source, bos_token="<s>") == []


def test_what_cannot_be_rendered_has_no_uses() -> None:
    assert uses_of("{% if %}") == []
    request = RenderRequest("{{ x }}", MESSAGES, add_generation_prompt=True, continue_final_message=True)
    assert uses_from_json(lint_run_job(request.as_json())) == ()
