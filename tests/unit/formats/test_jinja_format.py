"""Formatting: blocks are indented, and Jinja reads the very same template, node for node."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.corpus import built_in, published
from thinkpane.engine.environment import parsed
from thinkpane.formats.jinja_format import formatted, is_formattable, unit_of

LINES = st.sampled_from(
    [
        *("{% if a %}", "{%- if a -%}", "{% else %}", "{% endif %}", "{%- endif +%}", "{%+ endif %}", "{{ x }}"),
        *("{{- x -}}", "{{- x }}", "{# note #}", "{#- note -#}", "{#+ note #}", "text", " - ", "{% for a in b %}"),
        *("{% endfor %}", "{% set x = [\n1,\n  '\n  s'] %}", "{% raw %}", "{% endraw %}", "{{ f(\n a\n) -}}"),
        *("{#\n  a\n#}", ""),
    ]
)
PIECES = st.tuples(
    st.sampled_from(["", " ", "    ", "\t", "\u00a0", " \u2028"]), LINES, st.sampled_from(["\n", "\r\n", "\r", ""])
)


def test_blocks_are_indented() -> None:
    before = "{% if a %}\n{% for b in c %}\n{{- b }}\n{% else %}\n{% set d = 1 %}\n{% endfor %}\n  {% endif %}\nx\n"
    after = (
        "{% if a %}\n    {% for b in c %}\n        {{- b }}\n    {% else %}\n        {% set d = 1 %}\n"
        "    {% endfor %}\n{% endif %}\nx\n"
    )
    assert formatted(before, "    ") == after


@pytest.mark.parametrize(
    "text",
    [
        "{% if a %}\nprinted\n{% endif %}\n",
        "{% if a %}\n{{ printed }}\n{% endif %}\n",
        "{% if a %}\n  printed\n  {{ too }}\n{% endif %}\n",
        "{% if a %}\n{%+ if b %}\n{% endif %}{% endif %}\n",
        "{% if a %}\nx {% if b %}\n{% endif %}{% endif %}\n",
        "{% raw %}\n  {% if a %}\n  {% endraw %}\n",
        "{% if a %}\n\u00a0{% set b = 1 %}\n{% endif %}\n",
        "{% if a %}\n",
    ],
)
def test_what_is_printed_stays(text: str) -> None:
    kept = formatted(text, "  ")
    assert [line.strip(" \t") for line in kept.split("\n")] == [line.strip(" \t") for line in text.split("\n")]
    for line, old in zip(kept.split("\n"), text.split("\n"), strict=True):
        if not old.strip(" \t").startswith(("{% if", "{% endif")):
            assert line == old


def test_the_rest_of_a_tag_moves_with_its_first_line() -> None:
    before = "{% if a %}\n{% set b = [\n  1,\n'\n  s'] %}\n{% endif %}"
    assert formatted(before, "  ") == "{% if a %}\n  {% set b = [\n    1,\n  '\n  s'] %}\n{% endif %}"


def test_text_after_a_minus_is_indented() -> None:
    assert formatted("{% if a -%}\nx\n{% endif %}", "  ") == "{% if a -%}\n  x\n{% endif %}"
    assert formatted("{#-#}\n  {#---#}\n    x", "  ") == "{#-#}\n{#---#}\nx"


def test_the_step_is_the_text_s_own() -> None:
    assert unit_of("{% if a %}\n  {% if b %}") == "  "
    assert unit_of("{% if a %}\n\t{% if b %}") == "\t"
    assert unit_of("{% if a %}\n    {% if b %}\n  text") == "    "


def test_a_text_whose_blocks_do_not_match_is_left_alone() -> None:
    for text in ("{% if a %}\n  {% set b = 1 %}", "{% endif %}", "{{ x"):
        assert not is_formattable(text)
        assert formatted(text) == text


@pytest.mark.parametrize("name", [*sorted(built_in()), *sorted(published())[::8]])
def test_templates_stay_the_same_templates(name: str) -> None:
    source = {**built_in(), **published()}[name]
    assert is_formattable(source)
    made = formatted(source)
    assert parsed(made) == parsed(source)
    assert formatted(made) == made


@given(st.lists(PIECES, max_size=12))
def test_no_text_becomes_another_template(pieces: list[tuple[str, str, str]]) -> None:
    text = "".join("".join(each) for each in pieces)
    made = formatted(text, "   ")
    if made == text:
        return
    assert "".join(made.split()) == "".join(text.split())
    try:
        tree = parsed(text)
    except Exception:  # noqa: BLE001 - Jinja refuses it before and after
        with pytest.raises(Exception):  # noqa: B017
            parsed(made)
        return
    assert parsed(made) == tree
