"""What a template's text says about itself, read from its syntax tree; nothing is run."""

from typing import cast

from jinja2 import nodes

from thinkpane.engine.environment import parsed
from thinkpane.engine.template_errors import compile_problem
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue


def constants_job(payload: JsonObject) -> JsonObject:
    """The job "constants": {source} in; {constants, data} out: string constants and literal text, in order.

    Raises ThinkpaneError (kind "template") when the source cannot be parsed.
    """
    source = cast("str", payload["source"])
    try:
        tree = parsed(source)
    except Exception as error:  # noqa: BLE001 - a parser may end in RecursionError, MemoryError, …
        problem = compile_problem(error, source)
        raise ThinkpaneError(problem) from None
    constants: list[JsonValue] = [node.value for node in tree.find_all(nodes.Const) if isinstance(node.value, str)]
    data: list[JsonValue] = [node.data for node in tree.find_all(nodes.TemplateData)]
    return {"constants": constants, "data": data}
