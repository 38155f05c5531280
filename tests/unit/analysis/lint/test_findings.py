"""What each check tells of small templates, where it says it is, and that its fix mends it."""

from dataclasses import replace
from typing import Any

import pytest

from support.lint_case import CHATML, Case, user
from support.lint_talk_cases import TALK_CASES
from support.lint_template_cases import TEMPLATE_CASES
from support.records import render_cases
from thinkpane.analysis.lint.findings import Finding, Fix
from thinkpane.analysis.lint.report import Question, lint
from thinkpane.analysis.lint.variants import with_edits
from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest
from thinkpane.templates.library import from_source


def findings_of(request: RenderRequest, engine: Engine, target: str = "") -> tuple[Finding, ...]:
    template = from_source(request.source)
    return lint(Question(template, request, True, frozenset(request.variables), target), engine)


def fixed(request: RenderRequest, fix: Fix) -> RenderRequest:
    """The request with a fix done."""
    source = request.source
    for edit in reversed(fix.template):
        source = source[: edit.start] + edit.replacement + source[edit.end :]
    kept = {name: value for name, value in request.variables.items() if name not in fix.unset}
    made = replace(request, source=source, variables={**kept, **fix.variables})
    return with_edits(made, fix.messages)


@pytest.mark.parametrize("case", [*TEMPLATE_CASES, *TALK_CASES], ids=lambda case: case.name)
def test_the_finding_is_told_and_its_fix_mends_it(case: Case, engine: Engine) -> None:
    request = case.request()
    told = findings_of(request, engine, case.target)
    found = [each for each in told if case.expected.items() <= each.as_json().items()]
    assert found, [each.as_json() for each in told]
    if found[0].fix is not None:
        after = findings_of(fixed(request, found[0].fix), engine, case.target)
        assert not [each for each in after if (each.id, each.name) == (found[0].id, found[0].name)]


@pytest.mark.parametrize("case", render_cases(), ids=lambda case: str(case["id"]))
def test_every_fix_of_a_public_case_mends_what_it_is_for(case: dict[str, Any], engine: Engine) -> None:
    given = case["input"]
    variables = dict(given.get("kwargs", {}))
    generate = variables.pop("add_generation_prompt", None)
    request = RenderRequest(
        given["template"],
        given["messages"],
        given.get("tools"),
        None,
        {name: value for name, value in variables.items() if name != "continue_final_message"},
        generate,
        variables.get("continue_final_message", False),
        False,
    )
    for finding in findings_of(request, engine):
        if finding.fix is not None:
            after = findings_of(fixed(request, finding.fix), engine)
            same = [
                each for each in after if (each.id, each.name, each.line) == (finding.id, finding.name, finding.line)
            ]
            assert same == [], finding


ORDINARY = (
    (user("What is the capital of Norway?"),),
    ({"role": "system", "content": "Be brief."}, user(), {"role": "assistant", "content": "Hello."}, user("And you?")),
    (user("It costs <b>5 €</b> & more; see [1], {a} or 'x'"),),
    (user("日本語 👩‍👩‍👧 e\u0301 العربية"),),
)


@pytest.mark.parametrize("messages", ORDINARY, ids=range(len(ORDINARY)))
def test_an_ordinary_conversation_has_no_problems(messages: tuple[dict[str, Any], ...], engine: Engine) -> None:
    assert findings_of(RenderRequest(CHATML, list(messages)), engine) == ()


QUIET = (
    "{% set ns = namespace(a=1) %}{% for m in messages %}{% set ns = namespace(b=2) %}{{ ns.b }}{% endfor %}{{ ns.a }}",
    "{% for m in messages %}{% for p in [1] %}{% set m = p %}{{ m }}{% endfor %}{{ m.content }}{% endfor %}",
    "{% set a = 1 %}{% for m in messages %}{% set a = m %}{{ a.role }}{% endfor %}{% set a = 2 %}{{ a }}",
    "{{ 'A' if messages | length > 5 }}",
    "{{ '__media__' }}",
    "{% for c in messages[0].tool_calls %}{{ c }}{% endfor %}",
    "{% if 'items' in messages[0] and messages[0]['items'] %}x{% endif %}",
    "{% set out %}{{ messages[0].content }}{% endset %}",
)


@pytest.mark.parametrize("source", QUIET)
def test_what_is_meant_so_is_left_alone(source: str, engine: Engine) -> None:
    told = findings_of(RenderRequest(source + CHATML, [user()]), engine)
    assert [each.id for each in told if each.severity != "note"] == []


def test_a_generation_prompt_that_ends_the_turn_before_is_one(engine: Engine) -> None:
    source = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|eom|>{% endfor %}"
    source += "{% if add_generation_prompt %}<|bom|><|assistant|>{% endif %}"
    told = findings_of(RenderRequest(source, [user()]), engine)
    assert [each.id for each in told if each.severity != "note"] == []


def test_a_template_alone_says_nothing_about_messages(engine: Engine) -> None:
    question = Question(from_source(CHATML), RenderRequest(CHATML, []), given=False)
    assert lint(question, engine) == ()


def test_a_template_that_needs_more_than_the_probe_is_not_blamed(engine: Engine) -> None:
    source = "{{ raise_exception('only with tools') }}"
    assert lint(Question(from_source(source), RenderRequest(source, []), given=False), engine) == ()


def test_the_worst_comes_first(engine: Engine) -> None:
    request = RenderRequest("{{ 'a'.strip() }}" + CHATML + "{{ today() }}", [user()], variables={"foo": 1})
    assert [each.severity for each in findings_of(request, engine)] == ["error", "warning", "note"]


def test_a_hostile_template_ends_in_findings(engine: Engine) -> None:
    source = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}" + CHATML
    question = Question(from_source(source), RenderRequest(source, [user()]))
    found = lint(question, engine, deadline=2.0)
    assert [each.id for each in found if each.severity == "error"] == ["render-fails"]
