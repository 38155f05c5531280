"""Faults in the shape of a tool, each said in one sentence."""

import pytest

from thinkpane.conversation.tool_check import tool_fault
from thinkpane.conversation.tools import Tool
from thinkpane.formats.json_values import JsonObject


def function(**rest: object) -> JsonObject:
    return {"type": "function", "function": {"name": "f", **rest}}  # type: ignore[dict-item]


@pytest.mark.parametrize(
    "data",
    [
        function(),
        function(parameters={}),
        {"name": "flat", "parameters": {"type": "object"}},
        function(
            parameters={
                "type": "object",
                "properties": {"a": {"type": ["string", "null"]}, "b": {"enum": [1]}, "c": True},
                "required": ["a"],
            }
        ),
    ],
)
def test_usual_shapes_are_right(data: JsonObject) -> None:
    assert tool_fault(Tool(data)) == ""


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({}, "no “name”"),
        ({"function": []}, "“function” must be an object"),
        ({"function": {"name": 3}}, "“name” must be text"),
        (function(description=1), "“description” must be text"),
        (function(parameters="x"), "must be a JSON schema object"),
        (function(parameters={"type": "string"}), "must be of “type” “object”"),
        (function(parameters={"type": "object", "properties": []}), "“properties” must be an object"),
        (function(parameters={"type": "object", "properties": {"a": 1}}), "“a” must be a schema object"),
        (function(parameters={"type": "object", "properties": {"a": {"type": "text"}}}), 'unknown type "text"'),
        (function(parameters={"type": "object", "required": "a"}), "must be a list of names"),
        (function(parameters={"type": "object", "required": ["a"]}), 'names "a", which is no property'),
    ],
)
def test_faults_are_named(data: JsonObject, words: str) -> None:
    assert words in tool_fault(Tool(data))
