"""Hostile templates end in time, leave nothing behind, and the next render is right."""

import time
from collections.abc import Sequence
from typing import Any

import pytest

from support.hostile import Hostile, hostile
from support.patience import PATIENCE
from support.records import records
from thinkpane.compose import worker_jobs
from thinkpane.engine.host import Engine
from thinkpane.engine.rendering import OUTPUT_CAP
from thinkpane.engine.request import RenderRequest
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject

MESSAGES: list[Any] = [{"role": "user", "content": "hi"}]
TOOLS: list[Any] = [{"type": "function", "function": {"name": "f"}}]
DEADLINE = 0.7  # `make bench` measures with the one that is in force
REFUSED = ("template", "recursion", "memory", "timeout", "output", "crash")


@pytest.mark.parametrize("hostile", records("hostile"), ids=lambda each: str(each["name"]))
def test_hostile_template_is_contained(hostile: dict[str, Any], engine: Engine) -> None:
    assert engine.render(RenderRequest("{{ messages[0].content }}", MESSAGES)).text == "hi"
    started = time.monotonic()
    rendered = engine.render(RenderRequest(hostile["template"], MESSAGES, TOOLS), deadline=DEADLINE)
    assert time.monotonic() - started < DEADLINE + PATIENCE
    if rendered.problem is not None:
        assert rendered.problem.kind in REFUSED
        assert rendered.problem.message.endswith((".", "…")) or ":" in rendered.problem.message
    else:
        assert len(rendered.text or "") <= OUTPUT_CAP
        assert hostile["expect"] not in ("error", "killed-within-2s")
    assert engine.render(RenderRequest("{{ messages[0].content }}", MESSAGES)).text == "hi"


ALL = hostile()
SOME = (
    "mem_dag_tojson",
    "out_special_tokens_2m",
    "rec_parse_parens",
    "esc_attr_class",
    "own parser 9",
    "own parser 27",
)


def every_job(engine: Engine, hostile: Sequence[Hostile], deadline: float) -> dict[str, str]:
    """Gives each template to every job that workers do, an ordinary render after each; what was not as it should be."""
    found: dict[str, str] = {}
    for each in hostile:
        payload = RenderRequest(each.source, MESSAGES, TOOLS).as_json()
        for job in worker_jobs():
            told = ended(engine, job, payload | {"requests": [payload], "other": "x"}, deadline)
            if told:
                found[f"{each.name}, {job}"] = told
            elif engine.render(RenderRequest("{{ messages[0].content }}", MESSAGES)).text != "hi":
                found[f"{each.name}, {job}"] = "the next render was wrong"
    return found


def ended(engine: Engine, job: str, payload: JsonObject, deadline: float) -> str | None:
    """Runs a job; how it ended otherwise than contained."""
    started = time.monotonic()
    try:
        engine.job(job, payload, deadline)
    except ThinkpaneError as error:
        if error.problem.kind not in REFUSED or error.problem.kind == "crash":
            return f"{error.problem.kind}: {error.problem.message}"
    seconds = time.monotonic() - started
    return f"took {seconds:.1f} s" if seconds > deadline + PATIENCE else None


def test_every_job_contains_hostile_templates(engine: Engine) -> None:
    """A few of every kind; the long run takes all."""
    assert every_job(engine, [each for each in ALL if each.name in ("cpu_macro_fib", *SOME)], deadline=0.2) == {}


@pytest.mark.long
@pytest.mark.parametrize("part", range(20))
def test_every_job_contains_all_hostile_templates(part: int, engine: Engine) -> None:
    assert every_job(engine, ALL[part::20], DEADLINE) == {}


@pytest.mark.parametrize("own", [each for each in ALL if each.name.startswith("own")][::4], ids=lambda each: each.name)
def test_more_hostile_templates_are_contained(own: Hostile, engine: Engine) -> None:
    rendered = engine.render(RenderRequest(own.source, MESSAGES, TOOLS), deadline=0.3)
    if rendered.problem is not None:
        assert rendered.problem.kind in REFUSED[:-1]
    assert "<class" not in str(rendered.text)
    assert engine.render(RenderRequest("{{ messages[0].content }}", MESSAGES)).text == "hi"
    assert MESSAGES == [{"role": "user", "content": "hi"}]


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}", "timeout"),
        ("{{ 7 ** (9 ** 9) }}", "timeout"),
        ("{% set x = 'x' * 900000000 %}{{ x | length }}", "memory"),
        ("{% for a in range(99999) %}{{ 'x' * 1000 }}{% endfor %}", "output"),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "recursion"),
    ],
)
def test_limit_is_named(source: str, kind: str, engine: Engine) -> None:
    rendered = engine.render(RenderRequest(source, MESSAGES), deadline=1.0 if kind == "timeout" else PATIENCE)
    assert rendered.text is None
    assert rendered.problem is not None
    assert rendered.problem.kind == kind


def test_caller_data_cannot_be_changed(engine: Engine) -> None:
    source = "{{ messages[0].update({'content': 'x'}) }}"
    problem = engine.render(RenderRequest(source, MESSAGES)).problem
    assert problem is not None
    assert "unsafe" in problem.message
    assert MESSAGES == [{"role": "user", "content": "hi"}]
