"""What runtimes find out about a template before they render it."""

import json

import pytest

from support.corpus import published
from support.records import DATA
from thinkpane.engine.host import Engine
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject

CAPS = json.loads((DATA / "runtimes" / "llamacpp-caps.json").read_text(encoding="utf-8"))

MACRO = "{% macro show(c) %}{% for p in c %}.{% endfor %}{% endmacro %}"


def shapes(engine: Engine, source: str) -> tuple[object, object]:
    found = engine.about("runtime_facts", source)
    return found["vllm_parts"], found["sglang_parts"]


@pytest.mark.parametrize(
    ("source", "vllm", "sglang"),
    [
        ("{% for m in messages %}{{ m.content }}{% endfor %}", False, False),
        ("{% for m in messages %}{% for p in m.content %}{{ p.text }}{% endfor %}{% endfor %}", True, True),
        ("{% for x in messages[1:] %}{% for p in x['content'] %}.{% endfor %}{% endfor %}", True, False),
        ("{% set r = messages %}{% for x in r %}{% for p in x.content | list %}.{% endfor %}{% endfor %}", True, False),
        ("{% set n=namespace(r=messages) %}{% for x in n.r %}{% for p in x.content %}{% endfor %}{% endfor %}", 1, 0),
        (MACRO + "{% for m in messages %}{{ show(m.content) }}{% endfor %}", True, False),
        (MACRO + "{{ show('x') }}", False, False),
        ("{% for content in [1] %}{% endfor %}{% for p in content %}.{% endfor %}", True, False),
        ("{# vision #}{% for m in messages %}{{ m.content }}{% endfor %}", False, True),
        ("{% for a, b in messages %}{% endfor %}{% for p in content %}{% endfor %}", False, False),
    ],
)  # fmt: skip
def test_content_shapes(engine: Engine, source: str, vllm: bool, sglang: bool) -> None:
    assert shapes(engine, source) == (bool(vllm), bool(sglang))


@pytest.mark.parametrize(
    ("source", "pairs"),
    [
        ("{{ messages[0].tool_call_id }}", True),
        ("{{ messages[0]['tool_call_id'] }}", True),
        ("{{ messages[0].get('tool_call_id') }}", True),
        ("{{ messages | map(attribute='tool_call_id') | list }}", True),
        ("{{ 'tool_call_id' }}", False),
    ],
)
def test_reading_the_ids_of_calls(engine: Engine, source: str, pairs: bool) -> None:
    assert engine.about("runtime_facts", source)["pairs_results"] is pairs


def test_declared_variables(engine: Engine) -> None:
    found = engine.about("runtime_facts", "{{ a }}{% set b = 1 %}{{ b }}{% if c is defined %}{% endif %}")
    assert found["declared"] == ["a", "c"]


@pytest.mark.parametrize("job", ["runtime_facts", "llamacpp_caps"])
def test_a_template_that_is_broken_is_told_with_its_line(engine: Engine, job: str) -> None:
    with pytest.raises(ThinkpaneError) as caught:
        engine.about(job, "a\n{% if %}")
    assert caught.value.problem.line == 2


def test_caps_of_templates_that_fail_or_read_nothing(engine: Engine) -> None:
    nothing: JsonObject = {
        "text_content": True, "part_content": False, "system_role": False, "object_arguments": False, "thinking": False,
    }  # fmt: skip
    assert engine.about("llamacpp_caps", "nothing") == nothing
    assert engine.about("llamacpp_caps", "{{ raise_exception('no') }}") == nothing | {"text_content": False}


@pytest.mark.skipif(not published(), reason="The published templates are not there; `make corpus` fetches them.")
@pytest.mark.parametrize("name", CAPS)
def test_caps_are_those_of_a_real_server(engine: Engine, name: str) -> None:
    found = engine.about("llamacpp_caps", published()[f"llama.cpp/{name}"])
    assert {key: found[key] for key in CAPS[name]} == CAPS[name]
