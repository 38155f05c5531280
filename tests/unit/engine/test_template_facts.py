"""What is read from a template's tree: variables with defaults and values, tags, fields, roles."""

from typing import Any

import pytest

from support.records import records
from thinkpane.engine.host import Engine
from thinkpane.engine.template_facts import FoundTag, FoundVariable, TemplateFacts, facts_from_json
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonValue
from thinkpane.templates import built_in

COPIED = "{% if x is defined %}{% set y = x %}{% else %}{% set y = 'b' %}{% endif %}{% if y == 'a' %}1{% endif %}"
LOOP = "{% for m in messages %}%%{% endfor %}"


def facts(engine: Engine, source: str) -> TemplateFacts:
    return facts_from_json(engine.job("facts", {"source": source}))


def variables(engine: Engine, source: str) -> dict[str, FoundVariable]:
    return {each.name: each for each in facts(engine, source).variables}


def tags(engine: Engine, source: str) -> dict[str, FoundTag]:
    return {each.tag: each for each in facts(engine, source).tags}


@pytest.mark.parametrize(
    "source",
    [
        "{% for m in messages %}{% set content = m.content %}{{ content }}{% endfor %}",
        "{% if messages %}{% set s = messages[0].content %}{% endif %}{% if s is defined %}{{ s }}{% endif %}",
        "{% set ns = namespace(x=1) %}{% set ns.x = 2 %}{{ ns.x }}",
        "{% macro show(thing) %}{{ thing }}{{ caller() }}{{ varargs }}{% endmacro %}{{ show(messages[0]) }}",
        "{{ bos_token }}{{ eos_token }}{{ image_token }}{{ range(3) }}{{ tools }}{{ add_generation_prompt }}",
        "{% if strftime_now is defined %}{{ strftime_now('%d') }}{% endif %}{{ raise_exception('x') }}{{ dict() }}",
        "{{ made_by_nobody(1) }}{{ continue_final_message }}{{ null }}",
        "{% for k, v in messages[0].items() %}{{ k }}{{ loop.index0 }}{% endfor %}",
        "{% macro late() %}{{ text }}{% endmacro %}{% set text = 'x' %}{{ late() }}",
        "{% for m in messages %}{% if not first %}{% endif %}{% set first = true %}{% endfor %}",
        "{% set body %}{{ messages[0].content }}{% endset %}{{ body }}",
        "{% with a = 1 %}{{ a }}{% endwith %}",
    ],
)
def test_what_is_no_control(engine: Engine, source: str) -> None:
    assert facts(engine, source).variables == ()


@pytest.mark.parametrize(
    ("source", "kind", "default", "values"),
    [
        ("{{ x }}", "text", None, []),
        ("{% if x %}a{% endif %}", "bool", None, []),
        ("{% if x is defined and x is false %}a{% endif %}", "bool", None, []),
        ("{% set x = x | default(true) %}{% if x %}a{% endif %}", "bool", True, []),
        ("{% if x is not defined %}{% set x = false %}{% endif %}{% if x %}a{% endif %}", "bool", False, []),
        ("{% if not x %}{% set x = 'today' %}{% endif %}{{ x }}", "text", "today", []),
        ("{{ x or 'me' }}", "text", "me", []),
        (COPIED, "choice", "b", ["a", "b"]),
        ("{{ 'A' if x is defined and x == 'high' else 'B' }}", "choice", None, ["high"]),
        ("{% set e = 'high' if x is defined and x == 'high' else 'max' %}{{ e }}", "choice", "max", ["high", "max"]),
        ("{% set y = x|string|lower|trim %}{{ 1 if y in ['a', 'b'] else y != 'c' }}", "choice", None, ["a", "b", "c"]),
        ("{% set n = namespace(y=x) %}{% if n.y.strip() in ('a',) %}1{% endif %}", "choice", None, ["a"]),
        ("{% set names = {'low': 1, 'high': 2} %}{{ names[x] }}", "choice", None, ["low", "high"]),
        ("{{ {'low': 1, 'high': 2}.get(x, 3) }}", "choice", None, ["low", "high"]),
        ("{% set known = ['a', 'b'] %}{% if x not in known %}1{% endif %}", "choice", None, ["a", "b"]),
        ("{% macro m(y) %}{% if y == 'a' %}1{% endif %}{% endmacro %}{{ m(x) }}{{ m(y=x) }}", "choice", None, ["a"]),
        ("{% if x > 3 %}1{% elif x == 0 %}2{% endif %}", "number", None, [0]),
        ("{{ (x | int) * 2 }}", "number", None, []),
        ("{% for t in x %}{{ t }}{% endfor %}", "list", None, []),
        ("{% if 'a' in x %}1{% endif %}", "list", None, ["a"]),
        ("{{ x | reject('equalto', 'a') | join(', ') }}", "list", None, ["a"]),
        ("{% set tools = x %}{{ tools }}", "list", None, []),
        ("{% if x is defined %}{{ x.name }}{% endif %}", "object", None, []),
    ],
)  # fmt: skip
def test_kinds_defaults_and_values(
    engine: Engine, source: str, kind: str, default: JsonValue, values: list[JsonValue]
) -> None:
    (found,) = facts(engine, source).variables
    assert (found.kind, found.default, [*found.values]) == (kind, default, values)
    assert type(found.default) is type(default)


def test_fields_of_objects_and_entries(engine: Engine) -> None:
    found = variables(engine, "{{ a.one }}{{ a['two'].deep }}{% for b in c %}{{ b.three }}{% endfor %}")
    assert (found["a"].fields, found["c"].fields) == (("one", "two"), ("three",))


@pytest.mark.parametrize(
    ("tested", "tag", "how"),
    [
        ("{% if '/think' in m.content %}1{% endif %}", "/think", "in"),
        ("{% set t = m['content'] | trim %}{% if t.startswith('!!') %}1{% endif %}", "!!", "starts"),
        ("{% if m.content.endswith('++') %}1{% endif %}", "++", "ends"),
        ("{% if m.content == '/clear' %}1{% endif %}", "/clear", "is"),
        ("{{ m.content.replace('[x]', '') }}", "[x]", "removes"),
        ("{% for p in m.content %}{% if '[p]' in p.text %}1{% endif %}{% endfor %}", "[p]", "in"),
        ("{{ m.content.split('<a>')[1].split('</a>')[0] }}", "<a>…</a>", "splits"),
        ("{% if m.content.find('@@') >= 0 %}1{% endif %}", "@@", "in"),
    ],
)
def test_tags(engine: Engine, tested: str, tag: str, how: str) -> None:
    found = tags(engine, LOOP.replace("%%", tested))
    assert {name: (each.how, each.any_case) for name, each in found.items()} == {tag: (how, False)}


def test_tags_through_macros_and_any_case(engine: Engine) -> None:
    source = (
        "{% macro text(m) %}{{ m.content }}{% endmacro %}"
        "{% macro mode(t) %}{% set low = t | lower %}{% for n in range(2) %}{% if '[l' ~ n ~ ']' in low %}{% endif %}"
        "{% endfor %}{% endmacro %}{% for m in messages %}{{ mode(text(m)) }}{% endfor %}"
    )
    assert {name: each.any_case for name, each in tags(engine, source).items()} == {"[l0]": True, "[l1]": True}


def test_what_is_tested_elsewhere_is_no_tag(engine: Engine) -> None:
    source = LOOP.replace(
        "%%", "{% if 'name' in m %}{% endif %}{% if m.role == 'user' %}{{ m.content.split('\\n') }}{% endif %}"
    )
    found = facts(engine, source)
    assert (found.tags, found.fields, found.roles) == ((), ("name", "role", "content"), ("user",))


SEEDS: dict[str, dict[str, tuple[str, JsonValue, int]]] = {
    "protium-1.0": {
        "regular": ("bool", None, 0),
        "mode": ("choice", None, 5),
        "reasoning_effort": ("choice", "", 75),
        "enable_thinking": ("bool", True, 0),
        "thinking_level": ("choice", "10", 75),
        "clear_thinking": ("bool", None, 0),
    },
    "glm-5.2": {
        "reasoning_effort": ("choice", "max", 2),
        "enable_thinking": ("bool", None, 0),
        "clear_thinking": ("bool", None, 0),
    },
    "memreader": {
        "extract_chat_memory": ("bool", None, 0),
        "extract_doc_memory": ("bool", None, 0),
        "enable_thinking": ("bool", None, 0),
    },
    "command-r7b": {"documents": ("list", None, 0), "enable_citations": ("bool", None, 0)},
}


@pytest.mark.parametrize("id", SEEDS)
def test_the_seeds_variables(engine: Engine, id: str) -> None:
    found = variables(engine, built_in.load(id).source)
    assert {name: (each.kind, each.default, len(each.values)) for name, each in found.items()} == SEEDS[id]


def test_protiums_tags(engine: Engine) -> None:
    found = tags(engine, built_in.load("protium-1.0").source)
    assert [*found] == [
        *("[regular]", "[REGULAR]", "[vanilla]", "[standard]", "[default]", "{REASON:…}", "[MODE:…]", "[l10]"),
        *(f"[l{number}]" for number in range(10)),
        *("</think>", "<think>"),
    ]
    assert found["[l3]"].any_case
    assert len(found["{REASON:…}"].values) == 75


@pytest.mark.parametrize(("source", "kind"), [("\n{% if %}", "template"), ("\n{{ " + "(" * 3000, "recursion")])
def test_source_that_cannot_be_parsed(source: str, kind: str, engine: Engine) -> None:
    with pytest.raises(ThinkpaneError) as caught:
        facts(engine, source)
    assert caught.value.problem.kind == kind


def test_many_constants_stay_bounded(engine: Engine) -> None:
    digits = "{% set d = ['0','1','2','3','4','5','6','7','8','9'] %}"
    loops = "".join(f"{{% for {n} in d %}}" for n in "abcdefgh")
    source = digits + loops + "{% if a~b~c~d~e~f~g~h in messages[0].content %}{% endif %}" + "{% endfor %}" * 8
    assert facts(engine, source).tags == ()


def test_a_range_beyond_counting_is_followed_as_nothing(engine: Engine) -> None:
    source = f"{{% for n in range(9{'9' * 40}) %}}{{{{ x if n }}}}{{% endfor %}}"
    assert [each.name for each in facts(engine, source).variables] == ["x"]


@pytest.mark.parametrize("hostile", records("hostile"), ids=lambda each: str(each["name"]))
def test_hostile_templates_are_read_or_refused_in_a_sentence(hostile: dict[str, Any], engine: Engine) -> None:
    kind = ""
    names: list[str] = []
    try:
        found = facts_from_json(engine.job("facts", {"source": hostile["template"]}, deadline=4.0))
        names = [each.name for each in found.variables]
    except ThinkpaneError as error:
        kind = error.problem.kind
    assert kind in ("", "template", "recursion", "memory", "timeout", "crash")
    assert all(name.isidentifier() for name in names)
