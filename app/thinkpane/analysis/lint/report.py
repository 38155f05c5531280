"""All findings about one template and one request: one trace, one noting render, one batch of variants."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from thinkpane.analysis.lint._api import Answers, Asked
from thinkpane.analysis.lint._registry import all_checks
from thinkpane.analysis.lint.findings import SEVERITIES, Finding
from thinkpane.analysis.lint.subject import PROBE, Subject
from thinkpane.analysis.lint.traced import Traced, traced
from thinkpane.analysis.rendering import Analysis, RenderMany, analyse
from thinkpane.engine.lint_values import Fact, Use, facts_from_json, uses_from_json
from thinkpane.engine.request import Rendered, RenderRequest
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject, JsonValue
from thinkpane.templates.template import Template
from thinkpane.tokens.specials import special_tokens

UNEXPLAINED = ("template-refuses-conversation", "render-fails")
"""Ids of findings that only repeat what the render said."""

MENDABLE = ("undefined-value-used",)
"""Ids of errors that say less than another one for the same line which brings a fix."""

MOST_FINDINGS = 500
"""Findings that are told; a hostile conversation could give one for each of a million messages."""


class Laboratory(Protocol):
    """What does the engine's jobs; engine.host.Engine is one."""

    def job(self, name: str, payload: JsonObject, deadline: float | None = None, owner: object = None) -> JsonObject:
        """One job by its name."""

    def trace(self, request: RenderRequest, deadline: float | None = None, owner: object = None) -> JsonObject:
        """One traced render."""

    def render_many(
        self, requests: Sequence[RenderRequest], deadline: float | None = None, owner: object = None
    ) -> list[Rendered]:
        """Many renders, results in order."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be checked.

    request: after steps and profile. given: its conversation is the person's own; where it is not, a probe is tried.
    chosen: names of the variables that the person set. target: the kind of the endpoint it goes to, "" = not known.
    params: what is sent besides the prompt. numbers: what to call each message, () = counted from 1.
    """

    template: Template
    request: RenderRequest
    given: bool = True
    chosen: frozenset[str] = frozenset()
    target: str = ""
    params: Mapping[str, JsonValue] = field(default_factory=dict)
    numbers: tuple[int, ...] = ()


def lint(
    question: Question, engine: Laboratory, deadline: float | None = None, owner: object = None
) -> tuple[Finding, ...]:
    """The findings, the worst first, then by place.

    deadline: seconds for each of the jobs. owner: see Engine.cancel.

    Raises ThinkpaneError (kind "cancelled") when the jobs were cancelled; every other fault is a finding.
    """
    subject = _subject(question, engine, deadline, owner)
    checks = all_checks()
    asked = {name: check.ask(subject) for name, check in checks.items()} if _may_be_tried(subject.problem) else {}
    answers = _answers(asked, lambda requests: engine.render_many(requests, deadline, owner))
    found = [finding for name, check in checks.items() for finding in check.find(subject, answers.get(name, {}))]
    distinct: dict[tuple[object, ...], Finding] = {}
    for each in found:
        distinct.setdefault((each.id, each.line, each.name, each.message_index, each.token), each)
    return tuple(sorted(_explained([*distinct.values()]), key=_rank))[:MOST_FINDINGS]


def _explained(found: list[Finding]) -> list[Finding]:
    """Without the bare words of a failure that another error explains, best one that brings a fix."""
    errors = [each for each in found if each.severity == "error" and each.id not in UNEXPLAINED]
    explained = {each.line for each in errors}
    mended = {each.line for each in errors if each.fix is not None}
    return [
        each
        for each in found
        if not (each.id in UNEXPLAINED and each.line in explained)
        and not (each.id in MENDABLE and each.severity == "error" and each.fix is None and each.line in mended)
    ]


def _may_be_tried(problem: Problem | None) -> bool:
    """Whether more renders are worth it: one that took too long or too much memory would do so again."""
    return problem is None or problem.kind in ("template", "request")


def _rank(finding: Finding) -> tuple[int, int, int]:
    line = finding.line if finding.line is not None else 1_000_000
    message = finding.message_index if finding.message_index is not None else -1
    return SEVERITIES.index(finding.severity), message, line


def _answers(asked: dict[str, Asked], render_many: RenderMany) -> dict[str, Answers]:
    labels: dict[Hashable, RenderRequest] = {
        (name, label): request for name, each in asked.items() for label, request in each.items()
    }
    rendered = analyse(render_many, _together(labels)) if labels else {}
    for answer in rendered.values():
        _stop_if_cancelled(answer.problem)
    return {name: {label: rendered[name, label] for label in each} for name, each in asked.items()}


def _together(asked: Mapping[Hashable, RenderRequest]) -> Analysis[Mapping[Hashable, Rendered]]:
    """All variants as one round, cut into jobs that keep the deadline (analysis/rendering.py)."""
    answered = yield asked
    return answered


def _subject(question: Question, engine: Laboratory, deadline: float | None, owner: object) -> Subject:
    request = question.request if question.given else replace(question.request, messages=PROBE)
    facts, problem = _facts(request.source, engine, deadline, owner)
    render: Traced | None = None
    uses: tuple[Use, ...] = ()
    if problem is None:
        try:
            render = traced(engine.trace(request, deadline, owner))
        except ThinkpaneError as error:
            problem = _stop_if_cancelled(error.problem)
        uses = _uses(request, engine, deadline, owner) if _may_be_tried(problem) else ()
    template = question.template
    texts = [each.text for each in facts if each.kind in ("constant", "data")]
    tokens = special_tokens(template.special_tokens, texts, request.variables, template.thinking)
    return Subject(
        replace(template, source=request.source),
        facts,
        request,
        question.given,
        question.chosen,
        question.target,
        render,
        problem,
        uses,
        tokens,
        question.params,
        question.numbers,
    )


def _facts(
    source: str, engine: Laboratory, deadline: float | None, owner: object
) -> tuple[tuple[Fact, ...], Problem | None]:
    try:
        return facts_from_json(engine.job("lint_facts", {"source": source}, deadline, owner)), None
    except ThinkpaneError as error:
        return (), _stop_if_cancelled(error.problem)


def _uses(request: RenderRequest, engine: Laboratory, deadline: float | None, owner: object) -> tuple[Use, ...]:
    try:
        return uses_from_json(engine.job("lint_run", request.as_json(), deadline, owner))
    except ThinkpaneError as error:
        _stop_if_cancelled(error.problem)
        return ()


def _stop_if_cancelled(problem: Problem | None) -> Problem | None:
    if problem is not None and problem.kind == "cancelled":
        raise ThinkpaneError(problem)
    return problem
