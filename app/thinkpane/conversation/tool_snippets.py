"""Tools to start from, in OpenAI's form."""

from thinkpane.conversation.tools import Tool
from thinkpane.formats.json_values import JsonObject, JsonValue


def snippets() -> dict[str, Tool]:
    """New tools by the title a menu shows; each call gives tools with keys of their own."""
    city: JsonObject = {"type": "string", "description": "Name of the city"}
    unit: JsonObject = {"type": "string", "enum": ["celsius", "fahrenheit"]}
    query: JsonObject = {"type": "string", "description": "What to look for"}
    count: JsonObject = {"type": "integer", "description": "How many results", "minimum": 1, "maximum": 20}
    expression: JsonObject = {"type": "string", "description": "An arithmetic expression, for example 2 * (3 + 4)"}
    return {
        "Weather": _tool("get_weather", "Current weather of a city", {"city": city, "unit": unit}, ["city"]),
        "Search": _tool("search", "Searches the web", {"query": query, "count": count}, ["query"]),
        "Calculator": _tool("calculate", "Works out a sum", {"expression": expression}, ["expression"]),
        "Empty": _tool("new_tool", "", {}, []),
    }


def _tool(name: str, description: str, properties: JsonObject, required: list[JsonValue]) -> Tool:
    parameters: JsonObject = {"type": "object", "properties": properties, "required": required}
    function: JsonObject = {"name": name, "description": description, "parameters": parameters}
    return Tool({"type": "function", "function": function})
