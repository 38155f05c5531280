"""The five seed documents as they were found: each recognised, and three brought back to what transformers renders."""

import json
from pathlib import Path

import pytest

from thinkpane.engine.host import Engine
from thinkpane.engine.request import Rendered, RenderRequest
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.templates import repair as repairs
from thinkpane.templates.repair import KINDS, inspect, repair

_DATA = Path(__file__).parents[2] / "data"
_RECORDS: list[JsonObject] = json.loads((_DATA / "golden" / "seed-renders.json").read_text(encoding="utf-8"))
_TOKENS: dict[str, JsonValue] = {"bos_token": "<BOS_TOKEN>", "eos_token": "</s>"}
_RESTORED = {"protium-1.0": ("000", "glm"), "glm-5.2": ("001", "glm"), "memreader": ("004", None)}


def seed(number: str) -> str:
    [file] = (_DATA / "seeds").glob(f"{number}_*.txt")
    return file.read_bytes().decode("utf-8")


@pytest.mark.parametrize(
    ("number", "kinds"),
    [
        ("000", ["folded-line-breaks", "stripped-tags"]),
        ("001", ["page-text", "folded-line-breaks", "stripped-tags"]),
        ("002", ["json-escapes", "page-text", "folded-indentation", "object-placeholder", "truncation"]),
        ("003", ["no-template"]),
        ("004", ["table-borders", "folded-indentation"]),
    ],
)
def test_each_seed_is_recognised(number: str, kinds: list[str]) -> None:
    assert [damage.kind for damage in inspect(seed(number))] == kinds


def test_lines_are_those_of_the_seed_as_it_stands() -> None:
    found = {damage.kind: damage.line for damage in inspect(seed("001"))}
    assert found == {"page-text": 3, "folded-line-breaks": 1, "stripped-tags": 1}
    assert {damage.kind: damage.line for damage in inspect(seed("004"))}["folded-indentation"] == 2


def test_the_document_about_controls_is_no_template_and_is_named() -> None:
    [damage] = inspect(seed("003"))
    assert "GLMT Control Mechanisms" in damage.sentence
    assert damage.confidence == "certain"
    assert repair(seed("003"), KINDS, "glm") == repairs.Repaired(seed("003"), ())


def test_a_family_is_proposed_by_its_marks() -> None:
    assert [getattr(repairs.likely_family(seed(n)), "name", None) for n in ("000", "001", "002", "004")] == [
        "glm",
        "glm",
        None,
        None,
    ]


def _rendered(engine: Engine, source: str, record: JsonObject) -> Rendered:
    body, variables = record["request"], record["kwargs"]
    assert isinstance(body, dict)
    assert isinstance(variables, dict)
    tools, documents = body.get("tools"), body.get("documents")
    assert tools is None or isinstance(tools, list)
    assert documents is None or isinstance(documents, list)
    return engine.render(
        RenderRequest(
            source=source,
            messages=body["messages"],
            tools=tools,
            documents=documents,
            variables=_TOKENS | variables,
            add_generation_prompt=bool(record["add_generation_prompt"]),
            continue_final_message=bool(record["continue_final_message"]),
        )
    )


@pytest.mark.parametrize(
    "record",
    [record for record in _RECORDS if record["template"] in _RESTORED],
    ids=lambda record: f"{record['template']}/{record['name']}",
)
def test_repaired_seeds_render_what_transformers_renders(engine: Engine, record: JsonObject) -> None:
    number, family = _RESTORED[str(record["template"])]
    rendered = _rendered(engine, repair(seed(number), KINDS, family).text, record)
    if "text" in record:
        assert rendered.text == record["text"]
    else:
        assert rendered.problem is not None
        assert str(record["error"]).partition(": ")[2] in rendered.problem.message


@pytest.mark.parametrize("number", ["000", "001"])
def test_without_consent_no_family_tag_is_put_in(number: str) -> None:
    repaired = repair(seed(number), KINDS)
    assert "<think>" not in repaired.text
    [step] = [step for step in repaired.steps if step.kind == "stripped-tags"]
    assert step.before == step.after
    assert "“glm”" in step.sentence


def test_command_r7b_parses_again_and_says_what_stays_lost(engine: Engine) -> None:
    repaired = repair(seed("002"), KINDS)
    assert "{% if documents %}\n{% set tools = [] %}\n{%- macro document_turn(documents) -%}" in repaired.text
    assert "cannot be brought back" in " ".join(step.sentence for step in repaired.steps)
    messages: list[JsonValue] = [{"role": "user", "content": "Hi"}]
    asked = RenderRequest(repaired.text, messages, documents=[{"text": "D"}], variables={"bos_token": "<BOS_TOKEN>"})
    rendered = engine.render(asked)
    assert rendered.problem is None
    assert rendered.text
    assert rendered.text.startswith("<BOS_TOKEN>")


def test_lines_are_those_of_the_given_text_or_it_is_said(engine: Engine) -> None:
    found = {damage.kind: damage for damage in inspect(seed("002"))}
    assert found["folded-indentation"].line == 3
    assert found["truncation"].line == 3
    assert "of line 78" in found["truncation"].sentence
    assert "once the damage above is repaired" in found["truncation"].sentence
    [whole] = inspect("{% if a %}\n{% if b %}\nx\n{% endif %}")
    assert whole.sentence.endswith("of line 1.")
