"""Finds which lines of a template each of several conversations executes, by rendering them all."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, cast

from thinkpane.analysis.coverage_over import CoverageOver, Ran, coverage_over
from thinkpane.engine.request import RenderRequest
from thinkpane.engine.template_facts import facts_from_json
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject

Ask: TypeAlias = Callable[[str, JsonObject], JsonObject]
"""Does a job of the engine by its name (Engine.job with an owner); raises ThinkpaneError."""


@dataclass(frozen=True, slots=True)
class Talk:
    """One conversation to be rendered. name: what a person knows it by.

    request: what its render is asked with; a Problem where it cannot be made.
    """

    name: str
    request: RenderRequest | Problem


def cover(source: str, talks: Sequence[Talk], ask: Ask) -> CoverageOver:
    """The coverage of a template's text over conversations; each is rendered with that text, whatever it asks for.

    A conversation that cannot be rendered has its problem, and the others go on. Raises ThinkpaneError where nothing
    can be said at all: the template cannot be parsed, or (kind "cancelled") nobody waits for the answer any more.
    """
    facts = facts_from_json(ask("facts", {"source": source}))
    return coverage_over(facts.executable, [_ran(talk, source, ask) for talk in talks])


def _ran(talk: Talk, source: str, ask: Ask) -> Ran:
    if isinstance(talk.request, Problem):
        return Ran(talk.name, None, talk.request.message)
    try:
        found = ask("lines", replace(talk.request, source=source).as_json())
    except ThinkpaneError as error:
        if error.problem.kind == "cancelled":
            raise
        return Ran(talk.name, None, error.problem.message)
    lines, problem = found.get("lines"), found.get("problem")
    message = str(problem["message"]) if isinstance(problem, dict) else ""
    return Ran(talk.name, tuple(cast("list[int]", lines)) if lines is not None else None, message)
