"""Output that changes from one render to the next: the date, random choices."""

from collections.abc import Iterator
from dataclasses import replace

from thinkpane.analysis.lint._api import Answers, Asked, Trial
from thinkpane.analysis.lint.findings import Finding
from thinkpane.analysis.lint.subject import Subject

_DATES = ("2024-02-03T04:05:06", "2031-11-12T13:14:15")


def _ask(subject: Subject) -> Asked:
    if subject.trace is None or not any(_clock_lines(subject)):
        return {}
    return {date: replace(subject.request, now=date) for date in _DATES}


def _find(subject: Subject, answers: Answers) -> Iterator[Finding]:
    lines = list(_clock_lines(subject))
    texts = {each.text for each in answers.values()}
    if lines and (len(texts) > 1 or not answers):
        yield Finding(
            "time-dependent-output",
            "note",
            "The prompt tells the date or time, so it is another one every day."
            if answers
            else "The template can tell the date or time.",
            "Servers cannot reuse what they kept of the prompt, and renders differ, unless the time is fixed.",
            line=lines[0],
            name="strftime_now",
            lines=tuple(dict.fromkeys(lines)),
        )
    for fact in subject.of_kind("filter", "function"):
        if fact.name in ("random", "lipsum"):
            yield Finding(
                "random-output",
                "warning",
                f"“{fact.name}” prints something else at every render.",
                "What is shown is not what is sent, and nothing can be reproduced or cached.",
                line=fact.line,
                name=fact.name,
            )


def _clock_lines(subject: Subject) -> Iterator[int]:
    return (fact.line for fact in subject.of_kind("function") if fact.name in ("strftime_now", "now"))


CHECK = Trial("time-dependence", ("time-dependent-output", "random-output"), _find, _ask)
