"""Whatever a template is, rendering it gives a text or a problem in words: never a raw exception, never a lost worker.

`make nightly` tries a million; THINKPANE_RANDOM_TEMPLATES and THINKPANE_RANDOM_SEED choose how many and which.
"""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from support.patience import PATIENCE
from support.random_templates import Generator
from thinkpane.compose import worker_jobs
from thinkpane.engine.host import Engine
from thinkpane.engine.request import Rendered, RenderRequest
from thinkpane.errors import ThinkpaneError

COUNT = int(os.environ.get("THINKPANE_RANDOM_TEMPLATES", "20000"))
SEED = int(os.environ.get("THINKPANE_RANDOM_SEED", "1"))
AT_ONCE = 250
PARTS = 8
EVERY_JOB = 200
"""One in so many templates goes through every job of the worker."""

MESSAGES: list[Any] = [
    {"role": "user", "content": "a b"},
    {"role": "assistant", "content": [{"type": "text", "text": "é"}]},
    {"role": "tool", "content": None},
]
KINDS = ("template", "recursion", "memory", "output", "timeout")


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """Two workers, for two threads."""
    made = Engine(spare=1, deadline=PATIENCE)
    yield made
    made.close()


def request(source: str) -> RenderRequest:
    """That template over three odd messages."""
    return RenderRequest(source, MESSAGES, [{"type": "function"}], None, {"bos_token": "<s>"}, normalise=False)


def fault(source: str, rendered: Rendered) -> str | None:
    """What a person would rightly complain about, None where there is nothing."""
    problem = rendered.problem
    if problem is None:
        return None if isinstance(rendered.text, str) else "neither text nor problem"
    lines = source.count("\n") + source.count("\r") + 1
    if problem.kind not in KINDS:
        return f"kind {problem.kind}: {problem.message}"
    if problem.kind in ("template", "recursion") and not 1 <= (problem.line or 0) <= lines:
        return f"line {problem.line} of {lines}: {problem.message}"
    if not problem.message.startswith("The template ") and not problem.message.startswith("The template's "):
        return f"not a sentence: {problem.message}"
    return "a traceback" if "Traceback" in problem.message else None


def batch_faults(engine: Engine, number: int) -> list[tuple[str, str]]:
    """Renders one batch; what failed as a whole is tried one by one."""
    generator = Generator(SEED * 1_000_000 + number)
    sources = [generator.template() for _ in range(AT_ONCE)]
    rendered = engine.render_many([request(each) for each in sources])
    if all(each.problem and each.problem.kind in ("timeout", "crash") for each in rendered):
        rendered = [engine.render(request(each), deadline=PATIENCE) for each in sources]
    pairs = zip(sources, rendered, strict=True)
    return [(source, told) for source, each in pairs if (told := fault(source, each))]


@pytest.mark.parametrize("part", range(PARTS))
def test_every_outcome_is_text_or_a_problem_in_words(part: int, engine: Engine) -> None:
    with ThreadPoolExecutor(2) as threads:
        batches = threads.map(lambda number: batch_faults(engine, number), range(part, COUNT // AT_ONCE, PARTS))
        found = [each for batch in batches for each in batch]
    assert found == []


def test_every_job_of_the_worker_says_it_in_words(engine: Engine) -> None:
    generator = Generator(SEED)
    found: list[tuple[str, str, str]] = []
    for number in range(min(COUNT, 20_000)):
        source = generator.template()
        if number % EVERY_JOB:
            continue
        payload = request(source).as_json()
        for job in worker_jobs():
            try:
                engine.job(job, payload | {"requests": [payload], "other": "x"})
            except ThinkpaneError as error:
                if error.problem.kind not in KINDS:
                    found.append((job, source, error.problem.message))
    assert found == []
