"""What stands in a template: each kind of fact, with its line and its place in the text."""

import pytest

from thinkpane.engine.lint_facts import lint_facts_job
from thinkpane.engine.lint_values import Fact, facts_from_json
from thinkpane.errors import ThinkpaneError


def facts_of(source: str, *kinds: str) -> list[Fact]:
    return [each for each in facts_from_json(lint_facts_job({"source": source})) if each.kind in kinds]


def named(source: str, kind: str) -> list[tuple[str, int]]:
    return [(each.name, each.line) for each in facts_of(source, kind)]


def test_methods_know_where_they_stand() -> None:
    source = "a\n{{ m.content.strip() }}{{ x.y.items() }}"
    found = facts_of(source, "method")
    assert [(each.name, each.text, each.line) for each in found] == [("strip", "m.content", 2), ("items", "x.y", 2)]
    assert [source[each.start :].startswith(f".{each.name}(") for each in found] == [True, True]


def test_filters_tests_and_functions_that_nobody_has_are_marked() -> None:
    source = "{{ x | trim }}{{ x | fromjson }}{% if x is string and x is odd_one %}{% endif %}{{ range(2) }}{{ now() }}"
    found = {(each.kind, each.name): each.flags for each in facts_of(source, "filter", "test", "function")}
    assert found[("filter", "trim")] == ()
    assert found[("filter", "fromjson")] == ("unknown",)
    assert found[("test", "string")] == ()
    assert found[("test", "odd_one")] == ("unknown",)
    assert {("function", "range"), ("function", "now")} <= set(found)


def test_keywords_of_filters_are_kept() -> None:
    (found,) = facts_of("{{ x | tojson(indent=2, ensure_ascii=False) }}", "filter")
    assert found.flags == ("indent", "ensure_ascii")


def test_names_that_a_template_sets_itself_are_marked() -> None:
    source = "{% set a = b %}{{ a }}{% macro f(c) %}{{ c }}{% endmacro %}{{ f(d) }}"
    found = {each.name: each.flags for each in facts_of(source, "name")}
    assert found == {"a": ("set",), "b": (), "c": ("set",), "d": (), "f": ("set",)}


def test_attributes_that_are_called_are_none() -> None:
    assert [(each.name, each.text, each.flags) for each in facts_of("{{ a.b['c'].d() }}", "attribute")] == [
        ("c", "a.b['c']", ("subscript",)),
        ("b", "a.b", ()),
    ]


def test_words_looked_for_in_messages_are_told_from_keys() -> None:
    source = (
        "{% set low = m.content | lower %}{% if '/think' in low %}Think long.{% endif %}"
        "{% if 'tool_calls' in m %}x{% endif %}{{ m.content | replace('[a]', '') }}{{ m.content.replace('[b]', '') }}"
    )
    assert [each.name for each in facts_of(source, "tested")] == ["/think"]
    assert [(each.name, each.text) for each in facts_of(source, "gated")] == [("/think", "Think long.")]
    assert [each.name for each in facts_of(source, "replaced")] == ["[a]", "[b]"]


def test_what_roles_and_variables_are_compared_with() -> None:
    source = (
        "{% if m.role == 'user' or m['role'] in ['tool', 'x'] %}{% endif %}{% if effort in ('high', 1) %}{% endif %}"
    )
    assert [each.name for each in facts_of(source, "role")] == ["user", "tool", "x"]
    assert [(each.name, each.text, each.flags) for each in facts_of(source, "compared")] == [
        ("effort", "high", ("str",)),
        ("effort", "1", ("int",)),
    ]


def test_empty_literals_tags_and_operators() -> None:
    source = "{{ a.split('') }}\n{% if '' in b %}{% endif %}{% for x in y %}{% break %}{% endfor %}{{ 4 // 2 }}"
    assert named(source, "empty-split") == [("split", 1)]
    assert named(source, "empty-in") == [("b", 2)]
    assert named(source, "tag") == [("break", 2)]
    assert named(source, "operator") == [("//", 2)]
    assert named("{% generation %}a{% endgeneration %}{% include 'x' %}", "tag") == [("generation", 1), ("include", 1)]


@pytest.mark.parametrize(
    ("source", "lost"),
    [
        ("{% set a = 1 %}{% for x in y %}{% set a = x %}{% endfor %}{{ a }}", ["a"]),
        ("{% set a = 1 %}{% for x in y %}{% if x %}{% set a = x %}{% endif %}{% endfor %}{% if a %}{% endif %}", ["a"]),
        ("{% set a = 1 %}{% for x in y %}{{ a }}{% set a = x %}{% endfor %}", ["a"]),
        ("{% macro f(a) %}{% for x in y %}{% set a = a + x %}{% endfor %}{{ a }}{% endmacro %}", ["a"]),
        ("{% set a = 1 %}{% for x in y %}{% set a = x %}{{ a }}{% endfor %}", []),
        ("{% set a = 1 %}{% for x in y %}{% set a = x %}{% endfor %}{% set a = 2 %}{{ a }}", []),
        ("{% for a in y %}{% for x in a %}{% set a = x %}{% endfor %}{{ a }}{% endfor %}", []),
        ("{% set n = namespace(a=1) %}{% for x in y %}{% set n.a = x %}{% endfor %}{{ n.a }}", []),
        ("{% set n = 1 %}{% for x in y %}{% set n = namespace(a=x) %}{% endfor %}{{ n }}", []),
    ],
)
def test_sets_that_are_lost(source: str, lost: list[str]) -> None:
    assert [name for name, _ in named(source, "lost-set")] == lost


def test_a_template_that_cannot_be_parsed_is_told_with_its_line() -> None:
    with pytest.raises(ThinkpaneError) as caught:
        lint_facts_job({"source": "a\n{% if %}"})
    assert (caught.value.problem.kind, caught.value.problem.line) == ("template", 2)


def test_facts_are_bounded() -> None:
    assert len(facts_from_json(lint_facts_job({"source": "{{ a }}" * 11_000}))) == 20_000
