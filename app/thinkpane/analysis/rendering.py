"""How an analysis asks for renders: as a generator of batches, so that several analyses share one."""

from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from thinkpane.engine.request import Rendered, RenderRequest

RenderMany: TypeAlias = Callable[[Sequence[RenderRequest]], Sequence[Rendered]]
"""Renders requests in order; engine.host.Engine.render_many is one."""

Asked: TypeAlias = Mapping[Hashable, RenderRequest]
Answered: TypeAlias = Mapping[Hashable, Rendered]
JOB_CHARACTERS = 4_000_000
"""Characters of messages and template that one call of `render_many` takes, about half a second of rendering."""

Result = TypeVar("Result")
Analysis: TypeAlias = Generator[Asked, Answered, Result]
"""Yields the renders it needs by label, gets them back by label, and returns what it found."""


def analyse(render_many: RenderMany, analysis: Analysis[Result]) -> Result:
    """Runs one analysis to its end."""
    (found,) = analyse_together(render_many, analysis)
    return found  # type: ignore[no-any-return]  # the tuple holds results of different kinds


def analyse_together(render_many: RenderMany, *analyses: Analysis[Any]) -> tuple[Any, ...]:
    """Runs analyses side by side: each round is one call of `render_many` with what all of them ask for."""
    results: list[Any] = [None] * len(analyses)
    answers: list[Answered | None] = [None] * len(analyses)
    running = set(range(len(analyses)))
    while running:
        asked: dict[int, Asked] = {}
        for index in sorted(running):
            try:
                asked[index] = analyses[index].send(answers[index])  # type: ignore[arg-type]  # None starts it
            except StopIteration as ended:
                results[index] = ended.value
                running.discard(index)
        requests = [request for each in asked.values() for request in each.values()]
        rendered = iter([answer for job in _jobs(requests) for answer in render_many(job)])
        answers = [{label: next(rendered) for label in asked.get(index, {})} for index in range(len(analyses))]
    return tuple(results)


def _jobs(requests: Sequence[RenderRequest]) -> list[list[RenderRequest]]:
    """Cuts a batch so that no job outlasts the engine's deadline only because it holds many long conversations."""
    jobs: list[list[RenderRequest]] = []
    weight = 0
    for request in requests:
        size = len(str(request.messages)) + len(request.source)
        if not jobs or weight + size > JOB_CHARACTERS:
            jobs.append([])
            weight = 0
        jobs[-1].append(request)
        weight += size
    return jobs
