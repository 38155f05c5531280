"""Sums that a template prints: the same text as jinja's own code gives, or the same fault on the same line."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup

from thinkpane.engine.environment import Clock, build_environment
from thinkpane.engine.quick_access import QuickSandbox
from thinkpane.engine.template_globals import TemplateNamespace

PLAIN = build_environment(Clock(), ImmutableSandboxedEnvironment)
OURS: QuickSandbox = build_environment(Clock())
TEXTS = "'a'", "''", '"<|im_start|>\\n"', "text", "ns.text", "said('b')", "(text + 'c')", "text | upper", "('d' ~ 1)"
OTHERS = (
    "1", "2.5", "none", "true", "[1]", "items", "missing", "missing.more", "marked", "odd", "said(missing)",
    "('a' + 1)",
    "raise_exception('stop')", "(1 + 2)", "namespace(a=1)", "text[0:1]", "items | length", "('a' ~ missing)",
)  # fmt: skip
TERMS = st.sampled_from([*TEXTS * 4, *OTHERS])
SUMS = st.lists(TERMS, min_size=2, max_size=6).map(" + ".join)
CHAINS = st.lists(TERMS, min_size=2, max_size=5).map(" ~ ".join)
PLACES = (
    "{{ %s }}",
    "x{{ %s }}y{{ text }}",
    "{%% macro m(text) %%}<{{ %s }}>{%% endmacro %%}{{ m('in') + m('out') }}",
    "{%% set kept %%}{{ %s }}{%% endset %%}{{ kept }}",
    "{%% for each in [1, 2] %%}\n{{ %s }}{%% if loop.first %%}{%% continue %%}{%% endif %%}{{ each }}{%% endfor %%}",
    "{%% autoescape true %%}{{ %s }}{%% endautoescape %%}",
    "{%% autoescape ns.text %%}{{ %s }}{%% endautoescape %%}",
    "{%% generation %%}{{ %s }}{%% endgeneration %%}",
    "{%% call said('z') %%}{{ %s }}{%% endcall %%}",
)
HEAD = (
    "{% macro said(what) %}\n({{ what + '!' }}{% set ns.text = ns.text + what %}){{ caller() if caller }}{% endmacro %}"
)


class Odd(str):
    """A text that adds and prints itself in its own way."""

    def __radd__(self, other: Any) -> str:
        return f"{other}+odd"

    def __add__(self, other: Any) -> Any:
        return [*self, other]

    def __str__(self) -> str:
        return "printed oddly"


def outcome(environment: ImmutableSandboxedEnvironment, source: str) -> tuple[object, ...]:
    """What a template prints, or how it fails and on which line."""
    try:
        template = environment.from_string(HEAD + source)
        given = {"text": "e\u0301<", "items": [1, "x"], "marked": Markup("<b>"), "odd": Odd("odd")}
        return (template.render(**given, ns=TemplateNamespace(text="n")),)
    except Exception as error:  # noqa: BLE001 - both must raise the same, whatever it is
        trace, line = error.__traceback__, 0
        while trace is not None:
            line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == "<template>" else line
            trace = trace.tb_next
        return type(error), str(error), line


@settings(deadline=None, max_examples=400)
@given(st.sampled_from(PLACES), SUMS | CHAINS | SUMS.map(lambda each: f"({each}) ~ {each}"))
def test_what_is_printed_is_the_same(place: str, printed: str) -> None:
    source = place % printed
    assert outcome(OURS, source) == outcome(PLAIN, source)


@pytest.mark.parametrize("printed", ["'a' + missing + raise_exception('later')", "missing + 'a'", "1 + 'a' + text"])
def test_the_first_fault_is_told(printed: str) -> None:
    assert outcome(OURS, "{{ " + printed + " }}") == outcome(PLAIN, "{{ " + printed + " }}")
    assert len(outcome(OURS, "{{ " + printed + " }}")) == 3


def test_a_message_is_handed_on_as_it_is() -> None:
    message = "a message of its own " * 1000
    template = OURS.from_string("{{ '<|im_start|>' + role + '\\n' + message + '<|im_end|>' }}")
    found = [*template.generate(role="user", message=message)]
    assert any(each is message for each in found)
    assert "".join(found) == f"<|im_start|>user\n{message}<|im_end|>"


def test_a_sum_that_is_too_long_for_jinja_is_so_here_too() -> None:
    source = "{{ " + " + ".join(["text"] * 250) + " }}"
    for environment in (PLAIN, OURS):
        with pytest.raises(SyntaxError, match="too many nested parentheses"):
            environment.from_string(source)


@pytest.mark.parametrize("terms", [64, 65])
def test_a_long_sum_is_that_of_jinja(terms: int) -> None:
    source = "{{ " + " + ".join(["text"] * terms) + " }}"
    assert OURS.from_string(source).render(text="ab") == PLAIN.from_string(source).render(text="ab") == "ab" * terms
