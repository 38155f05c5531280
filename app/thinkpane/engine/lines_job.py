"""The job "lines": which lines of a template one render executes, also where the template ends it on the way."""

from typing import cast

from thinkpane.engine.rendering import plain_text, prepared, problem_result
from thinkpane.engine.tracing import traced_template
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue


def lines_job(payload: JsonObject) -> JsonObject:
    """A RenderRequest's JSON in; {lines, problem?} out: the lines that were executed, ascending, those before a fault
    of the template included. {problem} alone where nothing can be said: it does not compile, or costs too much."""
    problem: Problem | None = None
    try:
        ready = prepared(payload)
        # First the plain one, whose output is held to a cap and whose faults are told as everywhere.
        plain_text(ready)
    except ThinkpaneError as error:
        problem = error.problem
        if problem.kind != "template":
            return problem_result(problem)
    try:
        environment, template, clock = traced_template(str(payload["source"]))
    except Exception as error:  # noqa: BLE001 - whatever the compiler meets
        return problem_result(problem or _untraced(error))
    clock.frozen = ready.now
    context = template.new_context(environment.begin(ready.context))
    try:
        for _ in template.root_render_func(context):
            pass
    except Exception as error:  # noqa: BLE001 - a template may raise anything; the plain render said what
        problem = problem or _untraced(error)
    lines: JsonObject = {"lines": cast("JsonValue", sorted(environment.lines))}
    return lines if problem is None else lines | problem_result(problem)


def _untraced(error: Exception) -> Problem:
    kind = "owners"
    if isinstance(error, MemoryError | RecursionError):
        # These kinds have the worker replaced.
        kind = "memory" if isinstance(error, MemoryError) else "recursion"
    return Problem(kind, f"Which lines ran cannot be told: tracing failed with {type(error).__name__}.")
