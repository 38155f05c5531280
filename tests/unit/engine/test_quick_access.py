"""The quick sandbox says what jinja's says: value for value, fault for fault, in the same words."""

import random
from collections.abc import Callable
from functools import partial
from types import BuiltinMethodType, FunctionType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Undefined
from jinja2.runtime import LoopContext, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment

from support.hostile import hostile
from support.records import golden_records, render_cases
from support.strange_values import NAMES, VALUES, Raising
from thinkpane.engine.environment import Clock, build_environment
from thinkpane.engine.quick_access import QuickSandbox
from thinkpane.engine.rendering import prepared
from thinkpane.engine.request import RenderRequest
from thinkpane.templates.library import load

PLAIN = build_environment(Clock(), ImmutableSandboxedEnvironment)
OURS: QuickSandbox = build_environment(Clock())
CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((), {}),
    ((None,), {}),
    (("a",), {}),
    (("a", 1), {}),
    ((1, 2, 3), {}),
    (({"role": 1},), {}),
    ((), {"b": "y"}),
    (("a",), {"nope": 1}),
    ((), {"_loop_vars": {}, "_block_vars": {}}),
]


def told(act: Callable[[], Any]) -> Any:
    """What an act gives, or the type and words of what it raises."""
    try:
        return shown(act())
    except Exception as error:  # noqa: BLE001 - which one it is, is what is compared
        return type(error), str(error).partition(" at 0x")[0]


def shown(value: Any) -> Any:
    """A value in a form that two equal ones share, though they were made apart."""
    if isinstance(value, Undefined):
        return type(value), value._undefined_message, value._undefined_exception
    if isinstance(value, BuiltinMethodType):
        return "method", value.__name__, shown(value.__self__)
    if isinstance(value, FunctionType):
        return "function", value.__qualname__, value.__module__
    if isinstance(value, LoopContext | Macro) or hasattr(value, "__next__"):
        return type(value)
    if type(value).__module__ not in ("builtins", "markupsafe"):
        return type(value)
    return type(value), str(value).partition(" at 0x")[0]


def got(environment: Any, way: str, make: Callable[[], Any], key: Any) -> Any:
    """What an environment says of an attribute or an entry of a fresh value."""
    return getattr(environment, way)(make(), key)


@pytest.mark.parametrize("name", NAMES)
def test_every_attribute_of_every_value(name: str) -> None:
    for what, make in VALUES.items():
        for way in ("getattr", "getitem"):
            expected = told(partial(got, PLAIN, way, make, name))
            assert told(partial(got, OURS, way, make, name)) == expected, (what, way)


@pytest.mark.parametrize("key", [0, 1, -1, 9, -9, True, None, 1.0, (), [], {}, slice(1)], ids=repr)
def test_every_key_of_every_value(key: Any) -> None:
    for what, make in VALUES.items():
        expected = told(partial(got, PLAIN, "getitem", make, key))
        assert told(partial(got, OURS, "getitem", make, key)) == expected, what


@pytest.mark.parametrize("what", VALUES)
def test_every_call_of_every_attribute(what: str) -> None:
    contexts = {each: each.from_string("").new_context({}) for each in (PLAIN, OURS)}

    def called(environment: Any, name: str | None, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        value = VALUES[what]()
        callee = value if name is None else environment.getattr(value, name)
        return environment.call(contexts[environment], callee, *args, **kwargs)

    for name in (None, *NAMES):
        for args, kwargs in CALLS:
            expected = told(partial(called, PLAIN, name, args, kwargs))
            assert told(partial(called, OURS, name, args, kwargs)) == expected, (name, args, kwargs)


def rendered(environment: ImmutableSandboxedEnvironment, source: str, given: dict[str, Any]) -> Any:
    """The text of a template, or how it failed; chance is the same each time."""
    random.seed(10)
    return told(lambda: environment.from_string(source).render(given))


ENDINGS = ["", "()", "('a')", "(1, 2)", "('a', b='y')", "(b='y')", "|string", "|length", "|attr('role')", "|list"]
REACHING = [".{}", "['{}']", "|attr('{}')", "|map(attribute='{}')|list"]
WRITABLE = [name for name in NAMES if name.isidentifier()]


@st.composite
def expressions(draw: st.DrawFn) -> str:
    """A few steps from one of the values: attributes, entries, calls, filters."""
    found = f"values['{draw(st.sampled_from([*VALUES]))}']"
    for _ in range(draw(st.integers(1, 3))):
        found = f"({found}{draw(st.sampled_from(REACHING)).format(draw(st.sampled_from(WRITABLE)))})"
        found = f"({found}{draw(st.sampled_from(ENDINGS))})"
    return found


@given(
    expressions(),
    st.sampled_from(["{{{{ {} }}}}", "{{% for each in {} %}}{{{{ loop.last }}}}{{{{ each }}}}{{% endfor %}}"]),
)
def test_random_templates(expression: str, around: str) -> None:
    source = around.format(expression)
    given: dict[str, Any] = {"values": {name: make() for name, make in VALUES.items()}}
    expected = rendered(PLAIN, source, given)
    given = {"values": {name: make() for name, make in VALUES.items()}}
    assert rendered(OURS, source, given) == expected


MACROS = [
    "{% macro m(a) %}[{{ a }}]{% endmacro %}",
    "{% macro m(a, b=2) %}[{{ a }}{{ b }}{{ c }}]{% endmacro %}",
    "{% macro m(a) %}[{{ a }}{{ varargs }}]{% endmacro %}",
    "{% macro m(a) %}[{{ a }}{{ kwargs }}]{% endmacro %}",
    "{% macro m(a) %}[{{ a }}{{ caller() }}]{% endmacro %}",
    "{% macro m(a, caller=none) %}[{{ a }}{{ caller }}]{% endmacro %}",
    "{% macro m() %}{{ [].nope.nope }}{% endmacro %}",
    "{% macro m(a) %}{{ stops() }}{{ a }}{% endmacro %}",
    "{% macro m(a) %}{{ a }}{{ raising.name }}{% endmacro %}",
    "{% macro m(a=1) %}{{ a }}{{ raising.name }}{% endmacro %}",
    "{% macro m(a) %}{{ m(a[1:]) if a }}<{{ a }}>{% endmacro %}",
]
INVOKED = [
    "{{ m() }}",
    "{{ m('<x>') }}",
    "{{ m('x', 'y') }}",
    "{{ m('x', 'y', 'z') }}",
    "{{ m(a='x') }}",
    "{{ m('x', b='y') }}",
    "{{ m('x', a='y') }}",
    "{{ m('x', caller='y') }}",
    "{{ m('x', nope='y') }}",
    "{{ m(*'ab') }}",
    "{{ m(**{'a': 'x'}) }}",
    "{% call m('x') %}inner{% endcall %}",
    "{% call m() %}inner{% endcall %}",
    "{% autoescape true %}{{ m('<x>') }}{% endautoescape %}",
    "{% for each in 'ab' %}{{ m(each) }}{{ m('abcdefghijklmnop') }}{% endfor %}",
    "{% generation %}{{ m('x') }}{% endgeneration %}",
]


@pytest.mark.parametrize("macro", MACROS)
def test_every_way_to_call_a_macro(macro: str) -> None:
    for invoked in INVOKED:
        given: dict[str, Any] = {"stops": iter([]).__next__, "raising": Raising()}
        assert rendered(OURS, macro + invoked, given) == rendered(PLAIN, macro + invoked, given), invoked


def test_macros_that_call_themselves_end_as_deep() -> None:
    source = "{% macro m(n) %}{{ n }} {{ m(n + 1) }}{% endmacro %}{{ m(0) }}"
    deepest = []
    for environment in (PLAIN, OURS):
        seen: list[int] = []
        environment.filters["seen"] = lambda n, seen=seen: seen.append(n) or n
        with pytest.raises(RecursionError):
            environment.from_string(source.replace("{{ n }}", "{{ n|seen }}")).render()
        deepest.append(max(seen))
    assert 0 <= deepest[1] - deepest[0] <= 5


def test_depth_is_counted_down_when_macros_fail() -> None:
    environment: QuickSandbox = build_environment(Clock())
    template = environment.from_string("{% macro m() %}{{ nope.nope }}{% endmacro %}{{ m() }}")
    for _ in range(20):
        assert "nope" in told(template.render)[1]
    assert environment._depth == 0


@pytest.mark.parametrize("record", golden_records(), ids=lambda each: f"{each['template']} {each['name']}")
def test_golden_prompts(record: dict[str, Any]) -> None:
    asked = record["request"]
    request = RenderRequest(
        load(record["template"]).source,
        asked["messages"],
        asked.get("tools"),
        asked.get("documents"),
        record["kwargs"],
        record["add_generation_prompt"],
        record["continue_final_message"],
    )
    ready = prepared(request.as_json())
    text = rendered(OURS, ready.source, ready.context)
    assert text == rendered(PLAIN, ready.source, ready.context)
    assert (text[0] is str) is ("text" in record)


@pytest.mark.parametrize("case", render_cases(), ids=lambda each: str(each["id"]))
def test_public_cases(case: dict[str, Any]) -> None:
    given = case["input"]
    source = given["template"] if "{" in given["template"] else load(given["template"]).source
    assert rendered(OURS, source, given) == rendered(PLAIN, source, given)


@pytest.mark.parametrize(
    "each",
    [each for each in hostile() if each.kind in ("escape", "introspection", "exfil")],
    ids=lambda each: each.name,
)
def test_what_escapes_from_one_escapes_from_neither(each: Any) -> None:
    given = {"messages": [{"role": "user", "content": "hi"}], "tools": [{"type": "function"}]}
    assert rendered(OURS, each.source, given) == rendered(PLAIN, each.source, given)
