"""Every kind of failure becomes one sentence with its place in the template and in the conversation."""

from typing import Any

import pytest

from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest
from thinkpane.errors import Problem

MESSAGES: list[Any] = [
    {"role": "user", "content": "a"},
    {"role": "assistant", "content": [{"type": "text", "text": "b"}], "tool_calls": [{"function": {"name": "f"}}]},
    {"role": "tool", "content": None},
]


def problem_of(source: str, engine: Engine, **options: Any) -> Problem:
    """What goes wrong with `source` over MESSAGES, nothing rewritten."""
    found = engine.render(RenderRequest(source, options.pop("messages", MESSAGES), normalise=False, **options)).problem
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("source", "line", "words"),
    [
        ("a\n{% break %}", 2, "'break' outside loop"),
        ("a\n\n{% nope %}", 3, "Encountered unknown tag 'nope'"),
        ("{% for m in messages %}\n{{ m }}\n", 2, "Unexpected end of template"),
        ("\n{{ 1 | nope }}", 2, "No filter named 'nope'"),
        ("\n{% if messages %}\n{{ 1 | nope }}{% endif %}", 3, "No filter named 'nope'"),
        ("\n{{ raise_exception() }}", 2, "failed: raise_exception() missing 1 required positional argument"),
        ("\n{{ namespace().nope() }}", 2, "'TemplateNamespace object' has no attribute 'nope'"),
        ("\n{{ dict.from_keys() }}", 2, "'TemplateDict object' has no attribute 'from_keys'"),
        ("\n{% filter int %}1{% endfilter %}", 2, "expected str instance, int found"),
        ("\na\n{% filter list %}1{% endfilter %}\nb", 3, "expected str instance, list found"),
        ("\n{{ raise_exception(messages) }}", 2, "'role': 'user'"),
        ("\n\n{{ 1 / 0 }}", 3, "division by zero"),
        ("{% set x = 1 %}\n{{ x.y.z }}", 2, "has no attribute 'y'"),
        ("\n{{ 'a' | int + 'b' }}", 2, "unsupported operand"),
        ("\n{{ messages | tojson(indent=namespace) }}", 2, "TypeError"),
        ("{% macro m() %}\n{{ raise_exception('no') }}\n{% endmacro %}\n{{ m() }}", 2, "no"),
        ("\n" + "{% if 1 %}" * 101 + "{% endif %}" * 101, 2, "indentation"),
        ("\n" + "{% for a in [1] %}" * 25 + "{% endfor %}" * 25, 2, "nested blocks"),
        ("\n{{ " + "(" * 2000 + "1" + ")" * 2000 + " }}", 2, "recursion"),
    ],
)
def test_line_and_words(source: str, line: int, words: str, engine: Engine) -> None:
    problem = problem_of(source, engine)
    assert problem.line == line
    assert words in problem.message or words in str(problem.detail)


def test_column_of_a_character_that_jinja_does_not_know(engine: Engine) -> None:
    problem = problem_of("a\r\n  {{ messages ? 1 }}", engine)
    assert (problem.line, problem.column) == (2, 15)


def test_macro_error_names_the_calling_lines(engine: Engine) -> None:
    source = "{% macro m(x) %}\n{{ raise_exception(x) }}{% endmacro %}\n\n{{ m('no') }}"
    problem = problem_of(source, engine)
    assert problem.line == 2
    assert problem.detail["via"] == [4]


@pytest.mark.parametrize(
    ("source", "index", "field"),
    [
        ("{% for m in messages %}{{ '' + m.content }}{% endfor %}", 1, "content"),
        (
            "{% for m in messages %}{% if m.role == 'tool' %}\n{{ raise_exception('x') }}{% endif %}{% endfor %}",
            2,
            None,
        ),
        ("{% for m in messages %}{% for c in m.tool_calls %}{{ c.a.b }}{% endfor %}{% endfor %}", 1, "tool_calls"),
        (
            "{% macro s(c) %}{{ '' + c }}{% endmacro %}{% for m in messages[1:] %}{{ s(m.content) }}{% endfor %}",
            1,
            "content",
        ),
        ("{% set first = messages[0] %}{% for i in [1] %}\n{{ tools.a.b }}{% endfor %}", None, None),
        ("{% set first = messages[0] %}\n{{ first.nope.x }}", 0, "nope"),
        (
            "{% for m in messages %}{% set q = messages[0] %}{% if loop.last %}\n{{ m.role+1 }}{% endif %}{% endfor %}",
            2,
            "role",
        ),
        ("{{ tools.a.b }}", None, None),
    ],
)
def test_message_at_hand(source: str, index: int | None, field: str | None, engine: Engine) -> None:
    problem = problem_of(source, engine)
    assert (problem.message_index, problem.field) == (index, field)


def test_continuing_names_the_last_message(engine: Engine) -> None:
    problem = problem_of("{{ messages[0].content }}", engine, continue_final_message=True)
    assert (problem.kind, problem.message_index, problem.field) == ("request", 2, "content")


def test_long_message_of_a_template_is_cut(engine: Engine) -> None:
    problem = problem_of("{{ raise_exception('x' * 1000000) }}", engine)
    assert len(problem.message) < 5000


def test_lone_surrogate_comes_back(engine: Engine) -> None:
    rendered = engine.render(RenderRequest("{{ messages[0].content }}", [{"role": "user", "content": "a\ud83d"}]))
    assert rendered.text == "a\ud83d"
    assert "\ud83d" in problem_of("{{ raise_exception('\\ud83d') }}", engine).message


def test_frozen_clock_that_is_no_time(engine: Engine) -> None:
    problem = problem_of("{{ strftime_now('%Y') }}", engine, now="yesterday")
    assert (problem.kind, "yesterday" in problem.message) == ("request", True)


@pytest.mark.parametrize(
    ("messages", "words"),
    [(5, "list of objects"), ([1], "Message 1"), ([{"role": "user"}, "x"], "Message 2"), (None, "list of objects")],
)
def test_messages_of_the_wrong_shape(messages: Any, words: str, engine: Engine) -> None:
    problem = problem_of("x", engine, messages=messages)
    assert problem.kind == "request"
    assert words in problem.message


def test_messages_as_one_text(engine: Engine) -> None:
    assert engine.render(RenderRequest("[{{ messages }}]", "raw {{ text }}")).text == "[raw {{ text }}]"
    problem = problem_of("{{ messages }}", engine, messages="raw", continue_final_message=True)
    assert problem.kind == "request"
