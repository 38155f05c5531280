"""Hostile templates end in time, leave nothing behind, and the next render is right."""

import time
from typing import Any

import pytest

from support.records import records
from thinkpane.engine.host import Engine
from thinkpane.engine.rendering import OUTPUT_CAP
from thinkpane.engine.request import RenderRequest

MESSAGES: list[Any] = [{"role": "user", "content": "hi"}]
TOOLS: list[Any] = [{"type": "function", "function": {"name": "f"}}]
DEADLINE = 2.0
SLACK = 3.0  # seconds for a machine that is busy with other things; starting a worker does not count
REFUSED = ("template", "recursion", "memory", "timeout", "output", "crash")


@pytest.mark.parametrize("hostile", records("hostile"), ids=lambda each: str(each["name"]))
def test_hostile_template_is_contained(hostile: dict[str, Any], engine: Engine) -> None:
    assert engine.render(RenderRequest("{{ messages[0].content }}", MESSAGES)).text == "hi"
    started = time.monotonic()
    rendered = engine.render(RenderRequest(hostile["template"], MESSAGES, TOOLS), deadline=DEADLINE)
    assert time.monotonic() - started < DEADLINE + SLACK
    if rendered.problem is not None:
        assert rendered.problem.kind in REFUSED
        assert rendered.problem.message.endswith((".", "…")) or ":" in rendered.problem.message
    else:
        assert len(rendered.text or "") <= OUTPUT_CAP
        assert hostile["expect"] not in ("error", "killed-within-2s")
    assert engine.render(RenderRequest("{{ messages[0].content }}", MESSAGES)).text == "hi"


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
    rendered = engine.render(RenderRequest(source, MESSAGES), deadline=1.0)
    assert rendered.text is None
    assert rendered.problem is not None
    assert rendered.problem.kind == kind


def test_caller_data_cannot_be_changed(engine: Engine) -> None:
    source = "{{ messages[0].update({'content': 'x'}) }}"
    problem = engine.render(RenderRequest(source, MESSAGES)).problem
    assert problem is not None
    assert "unsafe" in problem.message
    assert MESSAGES == [{"role": "user", "content": "hi"}]
