"""Owners: the text stays the plain one, and each character leads to its template line and the input it came from."""

from typing import Any, cast

import pytest

from support.records import golden_records
from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonObject
from thinkpane.templates.library import load


def trace(engine: Engine, source: str, messages: Any, **rest: Any) -> JsonObject:
    return engine.job("trace", RenderRequest(source, messages, **rest).as_json())


def owners(found: JsonObject) -> list[tuple[str, Any]]:
    text = cast("str", found["text"])
    return [(text[start:end], owner) for start, end, owner in cast("list[Any]", found["spans"])]


def test_every_golden_prompt_is_traced_whole(engine: Engine) -> None:
    traced = 0
    for record in golden_records():
        if "error" in record:
            continue
        request = RenderRequest(
            load(record["template"]).source,
            record["request"]["messages"],
            record["request"].get("tools"),
            record["request"].get("documents"),
            {"bos_token": "<BOS_TOKEN>", "eos_token": "</s>", **record["kwargs"]},
            record["add_generation_prompt"],
            record["continue_final_message"] or False,
        )
        found = engine.job("trace", request.as_json())
        assert found["text"] == record["text"]
        assert found["spans"] is not None, found
        at = 0
        for start, end, owner in cast("list[Any]", found["spans"]):
            assert start == at
            assert end > start
            assert owner["line"] > 0
            at = end
        assert at == len(record["text"])
        traced += 1
    assert traced == 68


def test_message_text_leads_to_its_place(engine: Engine) -> None:
    found = trace(engine, "{% for m in messages %}\n<|{{ m.role }}|>{{ m.content.strip() }}\n{% endfor %}", CHAT)
    assert owners(found) == [
        ("<|", place(2, 1)),
        ("user", place(2, 6, "messages[0].role", [0, 4])),
        ("|>", place(2, 15)),
        ("hi there", place(2, 20, "messages[0].content", [1, 9])),
        ("\n", place(2, 40)),
    ]
    assert found["reads"] == ["messages[0].content", "messages[0].role"]
    assert found["ignored"] == ["messages[0].name", "messages[0].extra"]


CHAT = [{"role": "user", "content": " hi there ", "name": "Ada", "extra": {"a": 1}}]


def place(line: int, column: int, path: str | None = None, at: list[int] | None = None, *via: int) -> JsonObject:
    return {"line": line, "column": column, "via": list(via), "path": path, "at": cast("Any", at)}


def test_macros_tell_who_called_them(engine: Engine) -> None:
    source = (
        "{% macro show(x) %}\n[{{ x }}]\n{%- endmacro %}\n{% for m in messages %}\n{{ show(m.content) }}\n{% endfor %}"
    )
    found = owners(trace(engine, source, [{"role": "user", "content": "hi"}]))
    assert found[:3] == [
        ("[", place(2, 1, None, None, 5)),
        ("hi", place(2, 5, "messages[0].content", [0, 2], 5)),
        ("]", place(2, 9, None, None, 5)),
    ]


def test_json_leads_to_each_leaf(engine: Engine) -> None:
    tools = [{"name": "w", "text": 'a "b"', "n": [1, None]}]
    found = trace(engine, "{{ tools | tojson }}", [{"role": "user", "content": "x"}], tools=tools)
    paths = {text: owner["path"] for text, owner in owners(found)}
    assert paths["w"] == "tools[0].name"
    assert next(owner for text, owner in owners(found) if text == '\\"')["at"] == [2, 3]
    assert {"tools[0].n[0]", "tools[0].n[1]", "tools[0].text"} <= set(paths.values())


@pytest.mark.parametrize(
    "expression", ["m.content ~ '!'", "[m.content] | join", "m.content | upper", "'%s' % m.content"]
)
def test_operations_keep_the_path(engine: Engine, expression: str) -> None:
    source = "{% for m in messages %}{{ " + expression + " }}{% endfor %}"
    found = owners(trace(engine, source, [{"role": "user", "content": "hello"}]))
    assert found[0][1]["path"] == "messages[0].content"
    assert found[0][1]["at"] == [0, 5]


@pytest.mark.parametrize(
    ("expression", "path"),
    [
        ("m.flag", "messages[0].flag"),
        ("'' ~ m['none']", "messages[0].none"),
        ("given", "given"),
        ("m.flag == true", None),
        ("[m.flag, true] | last", None),
        ("ns.flag", None),
    ],
)
def test_truth_values_lead_to_their_place_and_to_no_other(engine: Engine, expression: str, path: str | None) -> None:
    source = "{% set ns = namespace(flag=true) %}{% for m in messages %}{{ " + expression + " }}{% endfor %}"
    messages = [{"role": "user", "flag": True, "none": None}]
    found = trace(engine, source, messages, variables={"given": None}, normalise=False)
    assert [owner["path"] for _, owner in owners(found)] == [path]


def test_half_an_escape_is_no_character_of_its_value(engine: Engine) -> None:
    source = "{% for m in messages %}{{ (m | tojson)[8:] }}|{{ (m | tojson)[:8] }}{% endfor %}"
    found = owners(trace(engine, source, [{"a": '"b"'}], normalise=False))
    pieces = [(text, owner["at"]) for text, owner in owners_of(found, "messages[0].a")]
    assert [at for _, at in pieces if at] == [[1, 2], [2, 3]]


def owners_of(found: list[tuple[str, Any]], path: str) -> list[tuple[str, Any]]:
    return [(text, owner) for text, owner in found if owner["path"] == path]


def test_reasoning_under_another_name_keeps_its_own_path(engine: Engine) -> None:
    source = "{% for m in messages %}{{ m.reasoning_content }}{% endfor %}"
    found = owners(trace(engine, source, [{"role": "assistant", "content": "x", "reasoning": "why"}]))
    assert found[0][1]["path"] == "messages[0].reasoning"


def test_a_continued_message_is_owned_to_its_end(engine: Engine) -> None:
    source = "{% for m in messages %}{{ m.content }}</s>{% endfor %}"
    found = trace(engine, source, [{"role": "assistant", "content": "so"}], continue_final_message=True)
    assert owners(found) == [("so", place(1, 27, "messages[0].content", [0, 2]))]


def test_continued_reasoning_keeps_its_own_path_under_another_name(engine: Engine) -> None:
    source = "{% for m in messages %}{{ m.thinking }}</s>{% endfor %}"
    messages = [{"role": "assistant", "content": "so", "reasoning_content": "why"}]
    found = trace(engine, source, messages, continue_final_message="reasoning_content")
    assert owners(found) == [("why", place(1, 27, "messages[0].reasoning_content", [0, 3]))]


def test_lines_that_ran(engine: Engine) -> None:
    source = "{% if tools %}\ntools\n{% else %}\nnone\n{% endif %}"
    assert trace(engine, source, [{"role": "user", "content": "x"}])["lines"] == [1, 4]
