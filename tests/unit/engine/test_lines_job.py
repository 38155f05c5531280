"""Which lines one render executes, whether it ends well or not."""

from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest

SOURCE = """{% for m in messages %}
{% if m.role == 'tool' %}
{{ raise_exception('no tools') }}
{% elif m.role == 'user' %}
[{{ m.content }}]
{% else %}
-
{% endif %}
{% endfor %}
end
"""


def lines(engine: Engine, source: str, *roles: str) -> dict[str, object]:
    talk = RenderRequest(source, [{"role": role, "content": "x"} for role in roles])
    return dict(engine.job("lines", talk.as_json()))


def test_the_lines_of_a_render_are_those_of_its_trace(engine: Engine) -> None:
    request = RenderRequest(SOURCE, [{"role": "user", "content": "x"}])
    assert engine.job("lines", request.as_json()) == {"lines": engine.trace(request)["lines"]}
    assert lines(engine, SOURCE, "user") == {"lines": [1, 2, 5, 10]}


def test_a_refusal_tells_what_ran_until_then(engine: Engine) -> None:
    found = lines(engine, SOURCE, "user", "tool", "assistant")
    assert found["lines"] == [1, 2, 3, 5]
    problem = found["problem"]
    assert isinstance(problem, dict)
    assert (problem["line"], problem["kind"]) == (3, "template")


def test_a_template_that_does_not_compile_has_no_lines(engine: Engine) -> None:
    found = lines(engine, "{% if %}", "user")
    assert "lines" not in found
    assert "problem" in found


def test_what_costs_too_much_is_refused_as_everywhere(engine: Engine) -> None:
    found = lines(engine, "{% for i in range(90000) %}{{ 'x' * 400 }}{% endfor %}", "user")
    problem = found["problem"]
    assert isinstance(problem, dict)
    assert problem["kind"] == "output"
    assert "lines" not in found
