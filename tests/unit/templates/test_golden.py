"""The seed templates against what transformers 5.24 made of them, byte for byte."""

import json
from pathlib import Path

import pytest

from thinkpane.engine.host import Engine
from thinkpane.engine.request import RenderRequest
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.templates import library

_FILE = Path(__file__).parents[2] / "data" / "golden" / "seed-renders.json"
_RECORDS: list[JsonObject] = json.loads(_FILE.read_text(encoding="utf-8"))
_TOKENS: dict[str, JsonValue] = {"bos_token": "<BOS_TOKEN>", "eos_token": "</s>"}


def _request(record: JsonObject) -> RenderRequest:
    body, variables = record["request"], record["kwargs"]
    assert isinstance(body, dict)
    assert isinstance(variables, dict)
    tools, documents = body.get("tools"), body.get("documents")
    assert tools is None or isinstance(tools, list)
    assert documents is None or isinstance(documents, list)
    return RenderRequest(
        source=library.load(str(record["template"])).source,
        messages=body["messages"],
        tools=tools,
        documents=documents,
        variables=_TOKENS | variables,
        add_generation_prompt=bool(record["add_generation_prompt"]),
        continue_final_message=bool(record["continue_final_message"]),
    )


def test_every_seed_template_has_records() -> None:
    assert {record["template"] for record in _RECORDS} == {"protium-1.0", "glm-5.2", "command-r7b", "memreader"}


@pytest.mark.parametrize("record", _RECORDS, ids=lambda record: f"{record['template']}/{record['name']}")
def test_render_equals_transformers(engine: Engine, record: JsonObject) -> None:
    rendered = engine.render(_request(record))
    if "text" in record:
        assert rendered.problem is None
        assert rendered.text == record["text"]
    else:
        assert rendered.text is None
        assert rendered.problem is not None
        words = str(record["error"]).partition(": ")[2]
        assert words
        assert words in rendered.problem.message
