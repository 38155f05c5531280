"""A change of a template's text counts as none only where every prompt stays the same."""

from collections.abc import Sequence

import pytest

from thinkpane.analysis.same_prompts import difference
from thinkpane.engine.host import Engine
from thinkpane.engine.request import Rendered, RenderRequest
from thinkpane.errors import Problem
from thinkpane.formats.jinja_format import formatted
from thinkpane.formats.json_values import JsonObject
from thinkpane.templates.library import load

SOURCE = "{% for m in messages %}\n{% if m.role == 'user' %}\n{{ m.content }}\n{% endif %}\n{% endfor %}\n"
AT_HAND = [RenderRequest("", [{"role": "user", "content": "a"}])]


def found(engine: Engine, before: str, after: str) -> str | None:
    problem = difference(before, after, AT_HAND, engine.job, engine.render_many)
    return problem.message if problem else None


@pytest.mark.parametrize("id", ["protium-1.0", "command-r7b", "glm-5.2"])
def test_formatted_templates_make_the_same_prompts(engine: Engine, id: str) -> None:
    source = load(id).source
    assert found(engine, source, formatted(source, "\t")) is None


def test_other_whitespace_is_another_template(engine: Engine) -> None:
    assert "another template" in (found(engine, SOURCE, SOURCE.replace("{{ m", "  {{ m")) or "")


def test_a_template_that_cannot_be_parsed_is_told(engine: Engine) -> None:
    assert "syntax" in (found(engine, "{% if %}", "{% if %}") or "")
    assert "syntax" in (found(engine, "a", "{{") or "")


def test_templates_that_refuse_refuse_alike(engine: Engine) -> None:
    refusing = "{% if true %}\n{{ raise_exception('no') }}\n{% endif %}"
    assert found(engine, refusing, formatted(refusing + "\n")[:-1]) is None


def test_renders_are_compared_too() -> None:
    def job(name: str, payload: JsonObject) -> JsonObject:
        return {"same": True}

    def render(requests: Sequence[RenderRequest]) -> list[Rendered]:
        return [Rendered(each.source if place == 3 else "same") for place, each in enumerate(requests)]

    problem = difference("a", "b", AT_HAND, job, render)
    assert problem is not None
    assert "probe conversation 3" in problem.message


def test_renders_that_came_to_no_end_prove_nothing() -> None:
    late = Problem("timeout", "The template ran longer than 10 s and was stopped.")
    problem = difference(
        "a", "b", AT_HAND, lambda *_: {"same": True}, lambda asked: [Rendered(None, late)] * len(asked)
    )
    assert problem == late
