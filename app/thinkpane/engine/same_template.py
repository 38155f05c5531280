"""Whether two sources are one template to Jinja: the same syntax tree, node for node, whatever their lines."""

from typing import cast

from thinkpane.engine.environment import parsed
from thinkpane.engine.template_errors import compile_problem
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject


def same_template_job(payload: JsonObject) -> JsonObject:
    """The job "same_template": {source, other} in; {same} out. Nothing is run, and no constant is evaluated.

    Raises ThinkpaneError where either cannot be parsed.
    """
    source, other = cast("str", payload["source"]), cast("str", payload["other"])
    at_hand = source
    problem: Problem
    try:
        tree = parsed(source)
        at_hand = other
        return {"same": tree == parsed(other)}
    except Exception as error:  # noqa: BLE001 - a parser may end in RecursionError, MemoryError, …
        problem = compile_problem(error, at_hand)
    raise ThinkpaneError(problem)
