"""What a template's text says about itself, read from its syntax tree; nothing is run."""

from collections.abc import Callable
from typing import TypeVar, cast

from jinja2 import nodes

from thinkpane.engine.environment import Clock, build_environment, parsed
from thinkpane.engine.flow import Flow
from thinkpane.engine.flow_findings import found_tags, found_variables, is_token
from thinkpane.engine.statement_lines import executable_lines
from thinkpane.engine.template_errors import compile_problem
from thinkpane.engine.template_facts import TemplateFacts
from thinkpane.engine.trace import TracingEnvironment
from thinkpane.errors import ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue

_Found = TypeVar("_Found")


def constants_job(payload: JsonObject) -> JsonObject:
    """The job "constants": {source} in; {constants, data} out: string constants and literal text, in order.

    Raises ThinkpaneError (kind "template") when the source cannot be parsed.
    """
    source = cast("str", payload["source"])
    tree = _read(source, lambda: parsed(source))
    constants: list[JsonValue] = [node.value for node in tree.find_all(nodes.Const) if isinstance(node.value, str)]
    data: list[JsonValue] = [node.data for node in tree.find_all(nodes.TemplateData)]
    return {"constants": constants, "data": data}


def facts_job(payload: JsonObject) -> JsonObject:
    """The job "facts": {source} in, the JSON of TemplateFacts out.

    Raises ThinkpaneError (kind "template" or "recursion") when the source cannot be parsed.
    """
    source = cast("str", payload["source"])
    return _read(source, lambda: _facts(source)).as_json()


def _facts(source: str) -> TemplateFacts:
    # The tracing environment knows true lines, so that lines that can run and lines that ran are the same ones.
    environment = build_environment(Clock(), TracingEnvironment)
    environment.trace(source)
    tree = environment.parse(source)
    flow = Flow(tree)
    return TemplateFacts(
        variables=found_variables(flow, frozenset(environment.globals)),
        tags=found_tags(flow.notes),
        fields=tuple(flow.notes.fields),
        roles=tuple(flow.notes.roles),
        tokens=tuple(name for name in flow.names.from_outside() if is_token(name)),
        executable=executable_lines(tree, environment.line_of),
    )


def _read(source: str, work: Callable[[], _Found]) -> _Found:
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - a parser may end in RecursionError, MemoryError, …
        problem = compile_problem(error, source)
    raise ThinkpaneError(problem)
