"""Each kind of damage by itself: found where it is, not where it is not, and repaired only when asked."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thinkpane.templates import built_in
from thinkpane.templates.repair import KINDS, inspect, repair

LOOP = "{% for m in messages %}\n<|user|>{{ m.content }}\n{% endfor %}"


def kinds(text: str) -> list[str]:
    return [damage.kind for damage in inspect(text)]


@pytest.mark.parametrize("id", built_in.ids())
def test_whole_templates_are_not_accused(id: str) -> None:
    assert inspect(built_in.load(id).source) == ()


@pytest.mark.parametrize(
    ("kind", "damaged", "whole"),
    [
        ("markdown-fence", f"Try this:\n```jinja\n{LOOP}\n```\nIt works.\n", LOOP),
        ("markdown-fence", f"~~~\n{LOOP}", LOOP),
        ("html-entities", LOOP.replace("<", "&lt;").replace(">", "&gt;"), LOOP),
        ("html-entities", "{{ m[&#39;content&#39;] }}", "{{ m['content'] }}"),
        ("json-escapes", '{% if a %}\\n{{ \\"x\\" }}\\n{% endif %}', '{% if a %}\n{{ "x" }}\n{% endif %}'),
        ("json-escapes", '"{{ a }}\\n\\u00e9\\ud83d\\ude00"', "{{ a }}\né😀"),
        (
            "table-borders",
            "| | |\n|---|---|\n| {% if a %} | |\n| x | |\n| {% endif %} |",
            "\n{% if a %}\nx\n{% endif %}",
        ),
        ("page-text", "Views\nNo views yet\n{{ bos_token }}{{ messages }}", "{{ bos_token }}{{ messages }}"),
        ("page-text", "{%- if a -%}x{%- endif -%}\n\nSome Model 7B\n", "{%- if a -%}x{%- endif -%}"),
        ("folded-indentation", "{{ 'Do:\\n1. It:\\n - a\\n b\\nEnd:\\n - c' }}", None),
        ("truncation", "{% if a %}{% for m in x %}{{ m", "{% if a %}{% for m in x %}{% endfor %}{% endif %}"),
    ],
)
def test_damage_is_found_and_repaired(kind: str, damaged: str, whole: str | None) -> None:
    assert kinds(damaged) == [kind]
    repaired = repair(damaged, [kind])
    assert repaired.text == (whole or "{{ 'Do:\\n1. It:\\n   - a\\n   b\\nEnd:\\n - c' }}")
    [step] = repaired.steps
    assert (step.kind, step.before, step.after) == (kind, damaged, repaired.text)
    assert step.sentence.endswith(".")
    assert inspect(repaired.text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "{{ x | replace('&lt;', '<') }}",
        "{{ x | default('') }}{% set y = '' %}{{ 'a' if b else '' }}",
        "{%- if add_generation_prompt %}{% if off %}{{ '<think></think>' }}{% else %}{{ '' }}{% endif %}{%- endif %}",
        "Put it in ``` marks.\n{{ messages }}\n```python\ncode\n```{{ '\\n' }}",
        "A chat between two people.\n\n{{ messages }}",
        "{% endif %}\n",
        "{% for m in messages %}{{ m }}{% endfor %}\n<|assistant|>",
        "{% raw %}{{ '' + x + '' }}{% if %}{% endraw %}",
        "{% set x %}a{% endset %}{% set y = 1 %}{{ x }}",
        "| {{ a }} |\nplain\nplain\nplain",
        "{{ '{%' }}{{ {'a': {'b': 1}}.a }}{# {{ #}",
    ],
)
def test_what_may_be_meant_is_left_alone(text: str) -> None:
    assert inspect(text) == ()
    assert repair(text, KINDS, "glm").text == text


def test_object_placeholders_are_told_and_stay() -> None:
    text = "{{ a }} uses [object Object] and [object Object]"
    [damage] = inspect(text)
    assert damage.kind == "object-placeholder"
    assert "2 places" in damage.sentence
    assert repair(text, KINDS).text == text


@pytest.mark.parametrize(
    ("text", "words"), [("", "empty"), ("just words", "“just words”"), ("# Title\n\nProse", "“Title”")]
)
def test_a_text_without_tags_is_no_template(text: str, words: str) -> None:
    [damage] = inspect(text)
    assert damage.kind == "no-template"
    assert words in damage.sentence


def test_only_the_kinds_asked_for_are_repaired() -> None:
    text = f"```\n{LOOP.replace('<', '&lt;').replace('>', '&gt;')}\n```"
    assert repair(text, []).text == text
    assert repair(text, ["html-entities"]).text == f"```\n{LOOP}\n```"
    assert repair(text, ["html-entities", "markdown-fence"]).text == LOOP


def test_unknown_kinds_and_families_are_a_caller_s_mistake() -> None:
    with pytest.raises(ValueError, match="no-such"):
        repair("x", ["no-such"])
    with pytest.raises(ValueError, match="no-such"):
        repair("{{ x.split('')[-1] }}", ["stripped-tags"], "no-such")


FOLDED = (
    "{%- for m in messages -%} {%- if m.role == 'user' -%} <|user|>{{ m.content }} {%- endif -%} {%- endfor -%} "
    "{% set note %} # Rules Be kind. 1. One thing. 2. Two things: - a - b. Mindset: calm. Phase 1: x. {% endset %} "
)


def test_folded_lines_break_where_a_line_must_begin() -> None:
    text = FOLDED * 6
    assert kinds(text) == ["folded-line-breaks"]
    mended = repair(text, KINDS).text
    assert (
        "\n# Rules\n\nBe kind.\n1. One thing.\n2. Two things:\n- a - b.\nMindset: calm. Phase 1: x.\n{% endset"
        in mended
    )
    assert "-%}\n{%- if m.role == 'user' -%}\n<|user|>{{ m.content }}\n{%- endif" in mended
    assert mended.split() == text.split()


@pytest.mark.parametrize(
    ("damaged", "filled"),
    [
        ("{%- if '' in c %}{{ c.split('')[-1] }}{% endif %}", "{%- if '</think>' in c %}{{ c.split('</think>')[-1] }}"),
        ('{{ c.split("")[0].split("")[-1] }}', '{{ c.split("</think>")[0].split("<think>")[-1] }}'),
        ("{{ '' ~ m.thinking ~ '' }}{{ a.split('') }}", "{{ '<think>' ~ m.thinking ~ '</think>' }}"),
        (
            "{% if m.role == 'tool' %}{{ '' + m.content + '' }}{% endif %}{{ a.split('') }}",
            "{{ '<tool_response>' + m.content + '</tool_response>' }}",
        ),
        (
            "{% if add_generation_prompt %}{{ '' if enable_thinking else '' }}{% endif %}",
            "{{ '<think>' if enable_thinking else '<think></think>' }}",
        ),
        (
            "{% if add_generation_prompt %}{% if enable_thinking %}a{{ '' }}{% else %}b{{ '' }}{% endif %}{% endif %}",
            "a{{ '<think>' }}{% else %}b{{ '<think></think>' }}",
        ),
        (
            "{% for c in m.tool_calls %}{{ '' + c.name }}{% for k, v in c.arguments.items() %}{{ k }}{{ v }}"
            "{% endfor %}{% endfor %}",
            "{{ '<tool_call>' + c.name }}{% for k, v in c.arguments.items() %}<arg_key>{{ k }}</arg_key>"
            "<arg_value>{{ v }}</arg_value>{% endfor %}</tool_call>{% endfor %}",
        ),
    ],
)
def test_the_structure_says_which_tag_was_lost(damaged: str, filled: str) -> None:
    assert kinds(damaged) == ["stripped-tags"]
    assert filled in repair(damaged, ["stripped-tags"], "glm").text


_WORDS = "{% %} {{ }} {# #} endif else ' \" \\ '' - \\n ``` &lt; .split('') tool_calls raw endraw ( [ |"
_SHARDS = st.sampled_from(
    [*_WORDS.split(), "if ", "for k, v in x.items()", "set a", " ", "\n", "| ", " |", "[object Object]"]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(_SHARDS | st.text(max_size=3), max_size=60).map("".join))
def test_any_text_is_looked_at_and_repaired_without_a_fault(text: str) -> None:
    found = inspect(text)
    repaired = repair(text, KINDS, "glm")
    assert all(1 <= damage.line <= text.count("\n") + 1 for damage in found)
    assert (repaired.text != text) <= bool(repaired.steps)


@pytest.mark.parametrize(
    "shard", ["{{'", "{% if x %}", "{{ '' + a.name }}", "`" * 3 + "\n", "| ", " - a", "\\n{%", "'\\'", "{#"]
)
def test_large_hostile_texts_take_time_in_proportion(shard: str) -> None:
    text = "{{ a }}" + shard * (200_000 // len(shard))
    started = time.thread_time()  # what the machine does besides does not count
    inspect(text)
    assert time.thread_time() - started < 20, "time in proportion to its square would be minutes"
