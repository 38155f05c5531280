"""What is wrong with the shape of a tool, in words (source: OpenAI's function tools; JSON Schema for `parameters`)."""

from thinkpane.conversation.tools import Tool
from thinkpane.formats.json_values import JsonValue
from thinkpane.formats.strict_json import dump

_TYPES = ("string", "number", "integer", "boolean", "object", "array", "null")


def tool_fault(tool: Tool) -> str:
    """One sentence about the first fault, "" where the tool has the usual shape. A faulty one can still be sent."""
    if "function" in tool.data and not isinstance(tool.data["function"], dict):
        return "“function” must be an object with “name” and “parameters”."
    name = tool.function.get("name")
    if not isinstance(name, str) or not name:
        return "The tool has no “name”." if name is None or name == "" else "“name” must be text."
    if "description" in tool.function and not isinstance(tool.function["description"], str):
        return "“description” must be text."
    if "parameters" not in tool.function:
        return ""
    return _schema_fault(tool.function["parameters"])


def _schema_fault(schema: JsonValue) -> str:
    if not isinstance(schema, dict):
        return "“parameters” must be a JSON schema object."
    if schema and schema.get("type") != "object":
        return "“parameters” must be of “type” “object”."
    properties = schema.get("properties", {})
    if not isinstance(properties, dict):
        return "“properties” must be an object."
    for name, each in properties.items():
        fault = _property_fault(name, each)
        if fault:
            return fault
    required = schema.get("required", [])
    if not isinstance(required, list):
        return "“required” must be a list of names."
    missing = [each for each in required if not isinstance(each, str) or each not in properties]
    return f"“required” names {dump(missing[0], indent=None)}, which is no property." if missing else ""


def _property_fault(name: str, schema: JsonValue) -> str:
    if not isinstance(schema, dict):
        return "" if isinstance(schema, bool) else f"The property “{name}” must be a schema object."
    kind = schema.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    wrong = [each for each in kinds if each is not None and each not in _TYPES]
    return f"The property “{name}” is of the unknown type {dump(wrong[0], indent=None)}." if wrong else ""
